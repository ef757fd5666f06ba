/// Limits the time of work that may not end when it is cancelled.
package enum Deadline {
  /// The result; nil if `limit` passed or the calling task was cancelled first. The work is then
  /// cancelled and abandoned.
  package static func run<Result: Sendable>(
    _ limit: Duration, _ work: @escaping @Sendable () async -> Result
  ) async -> Result? {
    let (results, first) = AsyncStream.makeStream(
      of: Result?.self, bufferingPolicy: .bufferingOldest(1))
    let worker = Task { first.yield(await work()) }
    let timer = Task {
      // This task is cancelled as soon as the work is done.
      try? await Task.sleep(for: limit)
      first.yield(nil)
    }
    defer {
      worker.cancel()
      timer.cancel()
    }
    // It also ends when the calling task is cancelled.
    for await result in results { return result }
    return nil
  }
}
