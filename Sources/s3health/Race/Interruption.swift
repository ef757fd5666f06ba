import Foundation

/// Control-C and its like, for a race, which has to clean up before it ends.
enum Interruption {
  /// Runs `work`, which is cancelled by a signal, and then `cleanUp` in any case; then ends the
  /// program by the signal if there was one. A second signal ends it at once.
  static func surviving<Value: Sendable>(
    _ work: @escaping @Sendable () async -> Value, cleanUp: () async -> Void
  ) async -> Value {
    // Nothing begins before a signal would be noticed.
    let (beginning, begin) = AsyncStream.makeStream(of: Never.self)
    let task = Task {
      for await _ in beginning {}
      return await work()
    }
    // Under nohup a hangup is to be passed over.
    EndSignals.listen(for: [SIGINT, SIGTERM, SIGHUP], unlessIgnored: [SIGHUP]) { number, isFirst in
      if isFirst { task.cancel() } else { _exit(128 + number) }
    }
    begin.finish()
    let value = await task.value
    await cleanUp()
    EndSignals.release()
    if let number = EndSignals.first { endBySignal(number) }
    return value
  }
}
