import Foundation

/// Handles Ctrl-C and similar signals for a command that has to finish something before it ends.
package enum Interruption {
  /// Runs `work`, which a signal cancels, and then `cleanUp` in any case. If there was a signal, the
  /// program then ends by it. A second signal ends the program immediately.
  package static func surviving<Value: Sendable>(
    _ work: @escaping @Sendable () async -> Value, cleanUp: () async -> Void
  ) async -> Value {
    // Nothing begins before signals are handled.
    let (beginning, begin) = AsyncStream.makeStream(of: Never.self)
    let task = Task {
      for await _ in beginning {}
      return await work()
    }
    // Under nohup, SIGHUP must be ignored.
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
