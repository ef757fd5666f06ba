import Dispatch
import Foundation

/// Turns SIGINT and SIGTERM into an orderly end.
struct EndSignals {
  private let sources: [any DispatchSourceSignal]

  /// Calls `stop` once at the first signal, and ends the process when it has returned, or after a
  /// second at most: with 130 for SIGINT (R40), with 0 for SIGTERM, which asks for the end.
  init(stop: @escaping @Sendable () async -> Void) {
    sources = [SIGINT, SIGTERM].map { number in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler {
        let exitCode: Int32 = number == SIGINT ? 130 : 0
        // Whoever does not read what is written must not keep the process alive.
        DispatchQueue.global().asyncAfter(deadline: .now() + 1) { _exit(exitCode) }
        Task {
          await stop()
          _exit(exitCode)
        }
      }
      source.resume()
      return source
    }
  }

  /// The signals end the process at once again.
  func restore() {
    for source in sources { source.cancel() }
    signal(SIGINT, SIG_DFL)
    signal(SIGTERM, SIG_DFL)
  }
}
