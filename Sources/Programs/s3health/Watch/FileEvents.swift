import Foundation

/// Reports that something at a path may have changed: at once where the kernel says so, and else
/// within a second, by looking.
///
/// The kernel does not report what another machine writes to a shared folder, of a folder that was
/// replaced as a whole, and of events that found no room in its queue. So looking never stops; the
/// kernel only makes it faster.
struct FileEvents {
  private let path: String
  private let notice: KernelNotice

  /// The longest between two looks, in milliseconds.
  static let interval = 1000
  /// Folders of very many files are looked at less often: looking takes at most this part of the time.
  private static let restPerLook = 20

  init(_ path: String) {
    self.path = path
    notice = KernelNotice(path)
  }

  /// Calls `changed` after each change, until it returns false or the task is cancelled. The thread
  /// waits meanwhile.
  func run(_ changed: () -> Bool) {
    var last = SourceSignature(path)
    var wait = Self.interval
    while !Task.isCancelled {
      let isNoticed = notice.wait(milliseconds: wait)
      let begun = ContinuousClock.now
      let now = SourceSignature(path)
      let took = Int((ContinuousClock.now - begun) / .milliseconds(1))
      wait = max(Self.interval, took * Self.restPerLook)
      guard isNoticed || now != last else { continue }
      last = now
      guard changed() else { return }
    }
  }
}

#if canImport(Glibc) || canImport(Musl)
  #if canImport(Glibc)
    import Glibc
  #else
    import Musl
  #endif

  /// The kernel's own notice of changes in a folder: inotify.
  private final class KernelNotice {
    private let path: String
    private let descriptor: Int32
    private var watches: [Int32] = []

    private static let events = UInt32(
      IN_CLOSE_WRITE | IN_MODIFY | IN_MOVED_TO | IN_MOVED_FROM | IN_CREATE | IN_DELETE
        | IN_DELETE_SELF | IN_MOVE_SELF)

    init(_ path: String) {
      self.path = path
      descriptor = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
      watch()
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// True if the kernel says that something changed; false after the time.
    func wait(milliseconds: Int) -> Bool {
      guard descriptor >= 0, !watches.isEmpty else {
        usleep(UInt32(milliseconds) * 1000)
        watch()
        return false
      }
      var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      guard poll(&waiting, 1, Int32(milliseconds)) > 0 else { return false }
      // Which file it is does not matter: everything is read anew.
      var buffer = [UInt8](repeating: 0, count: 4096)
      while read(descriptor, &buffer, buffer.count) > 0 {}
      // The folder itself may be another one now; a second watch of the same one is the same.
      watch()
      return true
    }

    /// Watches the folder; of a file its parent, for a file is often replaced by another one.
    private func watch() {
      guard descriptor >= 0 else { return }
      var found = stat()
      let isFolder = stat(path, &found) == 0 && found.st_mode & S_IFMT == S_IFDIR
      let parent = path.split(separator: "/", omittingEmptySubsequences: false).dropLast()
        .joined(separator: "/")
      let folder = isFolder ? path : parent.isEmpty ? (path.hasPrefix("/") ? "/" : ".") : parent
      watches = [inotify_add_watch(descriptor, folder, Self.events)].filter { $0 >= 0 }
    }
  }
#else
  /// The kernel's own notice of changes in a folder: kqueue.
  private final class KernelNotice {
    private let path: String
    private let queue = kqueue()
    private var folder: Int32 = -1

    init(_ path: String) {
      self.path = path
      watch()
    }

    deinit {
      if folder >= 0 { close(folder) }
      if queue >= 0 { close(queue) }
    }

    func wait(milliseconds: Int) -> Bool {
      guard queue >= 0, folder >= 0 else {
        usleep(UInt32(milliseconds) * 1000)
        watch()
        return false
      }
      var event = kevent()
      var limit = timespec(
        tv_sec: milliseconds / 1000, tv_nsec: milliseconds % 1000 * 1_000_000)
      guard kevent(queue, nil, 0, &event, 1, &limit) > 0 else { return false }
      watch()
      return true
    }

    private func watch() {
      if folder >= 0 { close(folder) }
      folder = open(path, O_EVTONLY)
      guard folder >= 0 else { return }
      var change = kevent(
        ident: UInt(folder), filter: Int16(EVFILT_VNODE), flags: UInt16(EV_ADD | EV_CLEAR),
        fflags: UInt32(NOTE_WRITE | NOTE_EXTEND | NOTE_DELETE | NOTE_RENAME | NOTE_ATTRIB),
        data: 0, udata: nil)
      _ = kevent(queue, &change, 1, nil, 0, nil)
    }
  }
#endif
