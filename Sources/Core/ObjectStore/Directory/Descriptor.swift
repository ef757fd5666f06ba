import CFolders
import Foundation

/// An open file or folder, closed at the end of its scope.
///
/// Folders are always opened from the root or from their parent, without following symbolic links. So a
/// walk from the root can't leave the root, even if something is moved meanwhile.
struct Descriptor: ~Copyable {
  let number: Int32

  private init(number: Int32) { self.number = number }

  deinit { close(number) }

  /// Opens a folder by its path, following links. Only for the root.
  ///
  /// - Parameter followsLink: false if the last part of the path must not be a link.
  static func folder(
    path: String, followsLink: Bool = true
  ) throws(SystemFailure) -> Descriptor {
    let flags = folderFlags | (followsLink ? 0 : O_NOFOLLOW)
    return try Descriptor(number: check("opening the folder") { open(path, flags) })
  }

  /// Opens a file by its path for reading, following links.
  ///
  /// - Parameter waits: whether it waits for the writer of a pipe.
  static func file(path: String, waits: Bool = true) throws(SystemFailure) -> Descriptor {
    let flags = O_RDONLY | O_CLOEXEC | (waits ? 0 : O_NONBLOCK)
    return try Descriptor(number: check("opening a file") { open(path, flags) })
  }

  /// Opens a folder inside this one; nil if there is nothing of that name, or something that is
  /// neither a folder nor a link.
  func folder(_ name: String) throws(SystemFailure) -> Descriptor? {
    do throws(SystemFailure) {
      let number = try check("opening a folder") {
        openat(self.number, name, folderFlags | O_NOFOLLOW)
      }
      return Descriptor(number: number)
    } catch {
      switch error.number {
      case ENOENT: return nil
      case ENOTDIR:
        // Linux reports this error for links as well.
        guard try status(of: name)?.kind != .link else {
          throw SystemFailure("opening a folder", number: ELOOP)
        }
        return nil
      default: throw error
      }
    }
  }

  /// Opens a folder several levels below this one with one call; nil if that fails for any reason. Then
  /// the caller opens level by level and finds the reason.
  func folder(below segments: [String]) -> Descriptor? {
    let opened = s3h_open_below(number, segments.joined(separator: "/"), folderFlags)
    return opened >= 0 ? Descriptor(number: opened) : nil
  }

  /// The same for a file, or anything else with that name.
  func file(below path: String) -> Descriptor? {
    let opened = s3h_open_below(number, path, Self.fileFlags)
    return opened >= 0 ? Descriptor(number: opened) : nil
  }

  /// Opens a file inside this folder; nil if there is nothing of that name.
  func file(_ name: String) throws(SystemFailure) -> Descriptor? {
    do throws(SystemFailure) {
      let number = try check("opening a file") {
        openat(self.number, name, Self.fileFlags | O_NOFOLLOW)
      }
      return Descriptor(number: number)
    } catch {
      guard error.number == ENOENT else { throw error }
      return nil
    }
  }

  /// Opens a file for writing. Only its owner can read it, or its group as well if this folder is
  /// shared.
  func file(_ name: String, creating: CreationMode) throws(SystemFailure) -> Descriptor {
    let flags =
      O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC | (creating == .exclusively ? O_EXCL : 0)
    let shared = try status().sharedRights & 0o060
    let file = try Descriptor(
      number: check("creating a file") { openat(number, name, flags, 0o600 | shared) })
    // The umask may have removed the group's rights. If another user owns the file, it already has
    // them.
    if shared != 0, try file.status().owner == geteuid() {
      try check("sharing a file") { fchmod(file.number, 0o600 | shared) }
    }
    return file
  }

  /// Makes a file by its path that only its owner can read; fails if there is one.
  static func privateFile(path: String) throws(SystemFailure) -> Descriptor {
    let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
    return try Descriptor(number: check("creating a file") { open(path, flags, 0o600) })
  }

  /// Opens a file by its path for reading and writing, which is made for its owner alone if it is
  /// missing. A link is not followed, and a pipe not waited for.
  static func sharedFile(path: String, appends: Bool) throws(SystemFailure) -> Descriptor {
    let flags = O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | (appends ? O_APPEND : 0)
    return try Descriptor(number: check("opening a file") { open(path, flags, 0o600) })
  }

  enum CreationMode { case exclusively, ifMissing }

  private static var folderFlags: Int32 { O_RDONLY | O_DIRECTORY | O_CLOEXEC }
  private var folderFlags: Int32 { Self.folderFlags }
  /// Opening a pipe that has taken the place of a file must not block.
  private static var fileFlags: Int32 { O_RDONLY | O_NONBLOCK | O_CLOEXEC }
}

/// Repeats the call if a signal interrupts it; throws on -1.
@discardableResult
func check(
  _ doing: @autoclosure () -> String, _ call: () -> Int32
) throws(SystemFailure) -> Int32 {
  while true {
    let result = call()
    if result >= 0 { return result }
    let number = errno
    if number != EINTR { throw SystemFailure(doing(), number: number) }
  }
}
