import Foundation
import HealthLedger

/// What the program needs of the machine before its work begins (R40).
///
/// Later is too late: where the run time gets no descriptor, thread or memory, it ends the program
/// by a signal or waits for ever. Needs no thread of its own, and no descriptor to stay open.
enum ProcessLimits {
  /// Descriptors for a name to be resolved, a connection, timers, the store's files and the cache.
  private static let descriptorsNeeded = 32
  /// As many as serve the most connections; a soft limit is mostly set low for old programs' sake.
  private static let descriptorsUseful: rlim_t = 4096
  /// Address space for the smallest runs, beside the threads' stacks.
  private static let bytesNeeded = 64 << 20

  /// Raises the limit of open files as far as is allowed and useful, and looks whether what the
  /// program needs at least can be had.
  static func prepare() -> LedgerError? {
    raiseOpenFiles()
    guard canOpen(descriptorsNeeded) else {
      return LedgerError(
        .internal,
        "too few files may be open at once: \(descriptorsNeeded) more than are open already are needed",
        remedy: "raise the limit of open files (ulimit -n 256)")
    }
    #if os(Linux)
      shareHeap()
      // One for each processor, and for transfers, for names to be resolved, for timers.
      let threads = ProcessInfo.processInfo.activeProcessorCount + 3
      let memory = mmap(
        nil, bytesNeeded, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0
      )
      guard memory != MAP_FAILED else { return tooLittleMemory }
      defer { munmap(memory, bytesNeeded) }
      if !canStart(threads) {
        // A thread's stack wants memory, too: which of both is lacking shows without threads.
        let stacks = mmap(
          nil, threads * stackBytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)
        guard stacks != MAP_FAILED else { return tooLittleMemory }
        munmap(stacks, threads * stackBytes)
        return LedgerError(
          .internal, "too few threads may be started: \(threads) are needed on this machine",
          remedy: "raise the limit of processes (ulimit -u), or that of the container or service")
      }
    #endif
    return nil
  }

  private static let tooLittleMemory = LedgerError(
    .internal, "too little memory may be used",
    remedy: "raise the limit of memory (ulimit -v unlimited), or that of the container or service")

  /// True where so few files may be open that what is needed later is better opened at once.
  static var descriptorsAreScarce: Bool { (openFiles?.rlim_cur ?? .max) < 256 }

  private static func raiseOpenFiles() {
    guard var limit = openFiles, limit.rlim_cur < descriptorsUseful else { return }
    limit.rlim_cur = min(limit.rlim_max, descriptorsUseful)
    // Refused, it stays as it was, which the next check looks at.
    setrlimit(resource, &limit)
  }

  private static var openFiles: rlimit? {
    var limit = rlimit()
    return getrlimit(resource, &limit) == 0 ? limit : nil
  }

  #if os(Linux)
    private static let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
  #else
    private static let resource = RLIMIT_NOFILE
  #endif

  private static func canOpen(_ count: Int) -> Bool {
    var opened: [Int32] = []
    defer { for descriptor in opened { close(descriptor) } }
    while opened.count < count {
      let descriptor = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 0)
      guard descriptor >= 0 else { return false }
      opened.append(descriptor)
    }
    return true
  }

  #if os(Linux)
    /// Where address space is limited, all threads share a heap: glibc would reserve 64 MiB for that
    /// of each, and then lack the space for another thread's stack.
    private static func shareHeap() {
      var limit = rlimit()
      let resource = __rlimit_resource_t(RLIMIT_AS.rawValue)
      guard getrlimit(resource, &limit) == 0, limit.rlim_cur != .max,
        // Not declared to Swift; other C libraries have none, nor such heaps.
        let symbol = dlsym(nil, "mallopt")
      else { return }
      let mallopt = unsafeBitCast(
        symbol, to: (@convention(c) (_ parameter: Int32, _ value: Int32) -> Int32).self)
      let arenaMax: Int32 = -8
      _ = mallopt(arenaMax, 1)
    }

    private static var stackBytes: Int {
      var attributes = pthread_attr_t()
      var bytes = 0
      pthread_attr_init(&attributes)
      defer { pthread_attr_destroy(&attributes) }
      return pthread_attr_getstacksize(&attributes, &bytes) == 0 ? bytes : 8 << 20
    }

    /// Whether so many threads can live at once, tried out: neither a limit of the user's processes
    /// nor one of a container tells what is left of it.
    private static func canStart(_ count: Int) -> Bool {
      let gate = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
      gate.initialize(to: pthread_mutex_t())
      pthread_mutex_init(gate, nil)
      pthread_mutex_lock(gate)
      var started: [pthread_t] = []
      while started.count < count {
        var thread = pthread_t()
        guard pthread_create(&thread, nil, waitAtGate, gate) == 0 else { break }
        started.append(thread)
      }
      pthread_mutex_unlock(gate)
      for thread in started { pthread_join(thread, nil) }
      pthread_mutex_destroy(gate)
      gate.deallocate()
      return started.count == count
    }
  #endif
}

#if os(Linux)
  /// The whole life of a thread that was started to see whether it can be.
  private func waitAtGate(_ gate: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    if let gate = gate?.assumingMemoryBound(to: pthread_mutex_t.self) {
      pthread_mutex_lock(gate)
      pthread_mutex_unlock(gate)
    }
    return nil
  }
#endif
