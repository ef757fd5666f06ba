import Foundation
package import HealthLedger

/// What the program needs from the machine before it starts its work (R40).
///
/// Later would be too late: without a descriptor, a thread or memory, the runtime ends the program
/// with a signal or waits forever. These checks need no thread of their own and keep no descriptor
/// open.
package enum ProcessLimits {
  /// Descriptors for resolving a name, a connection, timers, the store's files and the cache.
  private static let descriptorsNeeded = 32
  /// Enough for the maximum number of connections. Soft limits are usually low for the sake of old
  /// programs.
  private static let descriptorsUseful: rlim_t = 4096
  /// Address space for the smallest runs, in addition to the threads' stacks.
  private static let bytesNeeded = 64 << 20

  /// Raises the limit of open files as far as allowed and useful, and checks that the program has
  /// the minimum that it needs.
  package static func prepare() -> LedgerError? {
    raiseOpenFiles()
    guard canOpen(descriptorsNeeded) else {
      return LedgerError(
        .internal,
        "the limit of open files is too low: \(descriptorsNeeded) more files must be opened",
        remedy: "raise the limit of open files (ulimit -n 256)")
    }
    #if os(Linux)
      shareHeap()
      // One for each processor, and three for transfers, resolving names and timers.
      let threads = processors + 3
      let memory = mmap(
        nil, bytesNeeded, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0
      )
      guard memory != MAP_FAILED else { return tooLittleMemory }
      defer { munmap(memory, bytesNeeded) }
      if !canStart(threads) {
        // A thread's stack needs memory as well. Reserving memory without threads shows which of
        // the two is missing.
        let stacks = mmap(
          nil, threads * stackBytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)
        guard stacks != MAP_FAILED else { return tooLittleMemory }
        munmap(stacks, threads * stackBytes)
        return LedgerError(
          .internal, "the limit of processes is too low: this machine needs \(threads) threads",
          remedy: "raise the limit of processes (ulimit -u), or that of the container or service")
      }
    #endif
    return nil
  }

  private static let tooLittleMemory = LedgerError(
    .internal, "the limit of memory is too low",
    remedy: "raise the limit of memory (ulimit -v unlimited), or that of the container or service")

  /// True if so few files may be open that it is better to open everything needed at the start.
  package static var descriptorsAreScarce: Bool { (openFiles?.rlim_cur ?? .max) < 256 }

  private static func raiseOpenFiles() {
    guard var limit = openFiles, limit.rlim_cur < descriptorsUseful else { return }
    limit.rlim_cur = min(limit.rlim_max, descriptorsUseful)
    // If it is refused, the limit stays as it was, and the next check sees that.
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
    /// If address space is limited, all threads share one heap. Otherwise glibc would reserve 64
    /// MiB for each thread's heap, and there would be no space for another thread's stack.
    private static func shareHeap() {
      var limit = rlimit()
      let resource = __rlimit_resource_t(RLIMIT_AS.rawValue)
      guard getrlimit(resource, &limit) == 0, limit.rlim_cur != .max,
        // Not declared in Swift. Other C libraries have neither this function nor such heaps.
        let symbol = dlsym(nil, "mallopt")
      else { return }
      let mallopt = unsafeBitCast(
        symbol, to: (@convention(c) (_ parameter: Int32, _ value: Int32) -> Int32).self)
      let arenaMax: Int32 = -8
      _ = mallopt(arenaMax, 1)
    }

    /// The most that the runtime starts threads for. Foundation's count would read the files of the
    /// container's limits too, which takes longer than the rest of these checks.
    private static var processors: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

    private static var stackBytes: Int {
      var attributes = pthread_attr_t()
      var bytes = 0
      pthread_attr_init(&attributes)
      defer { pthread_attr_destroy(&attributes) }
      return pthread_attr_getstacksize(&attributes, &bytes) == 0 ? bytes : 8 << 20
    }

    /// Tests whether this many threads can run at once. Neither the limit of the user's processes nor
    /// that of a container shows how much of it is left.
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
  /// The main function of a thread that was started only as a test.
  private func waitAtGate(_ gate: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    if let gate = gate?.assumingMemoryBound(to: pthread_mutex_t.self) {
      pthread_mutex_lock(gate)
      pthread_mutex_unlock(gate)
    }
    return nil
  }
#endif
