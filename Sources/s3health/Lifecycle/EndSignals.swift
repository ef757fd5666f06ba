import ArgumentParser
import Dispatch
import Foundation
import Synchronization

/// Turns SIGINT and SIGTERM into an orderly end.
struct EndSignals {
  /// What the first signal asked for.
  private final class Request: Sendable {
    let exitCode = Mutex<ExitCode?>(nil)
  }

  private let request: Request
  /// Kept, because a source that nobody keeps hears nothing.
  private let sources: [any DispatchSourceSignal]

  /// Calls `stop` at the first signal, and ends the process when it has returned, or after a second
  /// at most: with 130 for SIGINT (R40), with 0 for SIGTERM, which asks for the end.
  init(stop: @escaping @Sendable () async -> Void) {
    let request = Request()
    self.request = request
    sources = [(SIGINT, ExitCode(130)), (SIGTERM, ExitCode.success)].map { number, code in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler {
        let isFirst = request.exitCode.withLock { asked in
          defer { asked = asked ?? code }
          return asked == nil
        }
        if isFirst { Self.end(with: code, stop) }
      }
      source.resume()
      return source
    }
  }

  /// The exit code that a signal has asked for; nil where none came.
  var exitCode: ExitCode? { request.exitCode.withLock(\.self) }

  private static func end(with code: ExitCode, _ stop: @escaping @Sendable () async -> Void) {
    // Whoever does not read what is written must not keep the process alive.
    DispatchQueue.global().asyncAfter(deadline: .now() + 1) { _exit(code.rawValue) }
    Task {
      await stop()
      _exit(code.rawValue)
    }
  }
}
