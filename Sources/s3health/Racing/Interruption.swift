import Foundation
import Synchronization

/// Control-C and its like, for a command that has to clean up before it ends.
enum Interruption {
  private static let signals = [SIGINT, SIGTERM, SIGHUP]

  /// The first signal that came.
  private final class Caught: Sendable {
    let number = Atomic<Int32>(0)
  }

  /// Runs `work`, which is cancelled by a signal, and then `cleanUp` in any case; then ends the
  /// program by the signal if there was one. A second signal ends it at once.
  static func surviving<Value: Sendable>(
    _ work: @escaping @Sendable () async -> Value, cleanUp: () async -> Void
  ) async -> Value {
    let caught = Caught()
    let task = Task { await work() }
    let sources = signals.map { number in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler {
        if caught.number.exchange(number, ordering: .relaxed) != 0 { _exit(128 + number) }
        task.cancel()
      }
      source.resume()
      return source
    }
    let value = await task.value
    await cleanUp()
    for source in sources { source.cancel() }
    for number in signals { signal(number, SIG_DFL) }
    let number = caught.number.load(ordering: .relaxed)
    if number != 0 { raise(number) }
    return value
  }
}
