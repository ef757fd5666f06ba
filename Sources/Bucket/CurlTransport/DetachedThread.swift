import CCurl

/// Threads for work that waits in system calls for as long as it likes.
package enum DetachedThread {
  /// Runs work on a thread of its own, which takes no signals. Returns false if this user can't
  /// start more threads.
  package static func start(_ work: @escaping @Sendable () -> Void) -> Bool {
    let box = Unmanaged.passRetained(Work(run: work))
    var thread = s3h_thread()
    guard s3h_thread_start(&thread, run, box.toOpaque()) == 0 else {
      box.release()
      return false
    }
    s3h_thread_detach(thread)
    return true
  }

  private final class Work: Sendable {
    let run: @Sendable () -> Void

    init(run: @escaping @Sendable () -> Void) { self.run = run }
  }

  private static let run: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = {
    guard let work = $0 else { return nil }
    Unmanaged<Work>.fromOpaque(work).takeRetainedValue().run()
    return nil
  }
}
