import Dispatch
import Foundation
import Synchronization

/// The signals that ask the program to end: SIGINT, SIGTERM, SIGHUP.
///
/// The program listens in this one place; what a signal means is for the command that runs to say.
/// A signal that was listened to once stays so, because libdispatch gives back no signal that it has
/// taken; where no command says what it means, it ends the program as if nobody listened.
enum EndSignals {
  /// Told of each signal, on a queue of its own; `isFirst` is true for the first one since `listen`.
  typealias Meaning = @Sendable (_ signal: Int32, _ isFirst: Bool) -> Void

  private struct State {
    var meaning: Meaning?
    var first: Int32?
    var listensTo: Set<Int32> = []
  }

  private static let state = Mutex(State())
  private static let queue = DispatchQueue(label: "s3health.signals")

  /// The first signal that came since `listen`; nil where none did.
  static var first: Int32? { state.withLock(\.first) }

  /// From now on the signals mean this, until `release`.
  ///
  /// - Parameter unlessIgnored: those of the signals that stay ignored where whoever started the
  ///   program has them ignored, as nohup has SIGHUP.
  static func listen(
    for signals: [Int32], unlessIgnored: Set<Int32> = [], _ meaning: @escaping Meaning
  ) {
    let new = state.withLock { state in
      (state.meaning, state.first) = (meaning, nil)
      return signals.filter { !state.listensTo.contains($0) }
    }
    for number in new {
      // Handlers are C functions, which only their addresses tell apart; SIG_IGN is 1 everywhere.
      let wasIgnored = unsafeBitCast(signal(number, SIG_IGN), to: Int.self) == 1
      if wasIgnored, unlessIgnored.contains(number) { continue }
      state.withLock { _ = $0.listensTo.insert(number) }
      listen(to: number)
    }
  }

  /// From now on a signal ends the program.
  static func release() {
    state.withLock { $0.meaning = nil }
  }

  private static func listen(to number: Int32) {
    let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
    source.setEventHandler {
      let (meaning, isFirst) = state.withLock { state in
        let isFirst = state.first == nil
        state.first = state.first ?? number
        return (state.meaning, isFirst)
      }
      // Keeps the source alive: one that nobody keeps hears nothing.
      withExtendedLifetime(source) {
        guard let meaning else { endBySignal(number) }
        meaning(number, isFirst)
      }
    }
    source.resume()
  }
}

/// Ends the program as a signal that nobody handles ends it, so that whoever started it sees why.
///
/// The signal is raised on this thread alone and let through here: one sent to the process may be
/// taken by whoever listens for it (libdispatch reads signals that every thread blocks), and nothing
/// would end.
func endBySignal(_ number: Int32) -> Never {
  signal(number, SIG_DFL)
  var signals = sigset_t()
  sigemptyset(&signals)
  sigaddset(&signals, number)
  pthread_sigmask(SIG_UNBLOCK, &signals, nil)
  raise(number)
  _exit(128 + number)
}
