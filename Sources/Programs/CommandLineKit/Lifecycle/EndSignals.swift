import Dispatch
import Foundation
import Synchronization

/// The signals that ask the program to end: SIGINT, SIGTERM, SIGHUP.
///
/// The program handles these signals only here. The running command decides what a signal means.
/// Once handled, a signal stays handled, because libdispatch does not give it back. If no command
/// defines a meaning, the signal ends the program as if it were not handled.
package enum EndSignals {
  /// Called for each signal, on a separate queue. `isFirst` is true for the first one since
  /// `listen`.
  package typealias Meaning = @Sendable (_ signal: Int32, _ isFirst: Bool) -> Void

  private struct State {
    var meaning: Meaning?
    var first: Int32?
    var listensTo: Set<Int32> = []
  }

  private static let state = Mutex(State())
  private static let queue = DispatchQueue(label: "s3health.signals")

  /// The first signal since `listen`; nil if there was none.
  package static var first: Int32? { state.withLock(\.first) }

  /// Sets the meaning of the signals until `release`.
  ///
  /// - Parameter unlessIgnored: those signals that stay ignored if the parent process ignores them,
  ///   as nohup ignores SIGHUP.
  package static func listen(
    for signals: [Int32], unlessIgnored: Set<Int32> = [], _ meaning: @escaping Meaning
  ) {
    let new = state.withLock { state in
      (state.meaning, state.first) = (meaning, nil)
      return signals.filter { !state.listensTo.contains($0) }
    }
    for number in new {
      if unlessIgnored.contains(number), isIgnored(number) { continue }
      state.withLock { _ = $0.listensTo.insert(number) }
      listen(to: number)
    }
  }

  private static func isIgnored(_ number: Int32) -> Bool {
    var action = sigaction()
    sigaction(number, nil, &action)
    #if canImport(Darwin)
      let handler = action.__sigaction_u.__sa_handler
    #else
      let handler = action.__sigaction_handler.sa_handler
    #endif
    // Handlers are C functions that can be compared only by address. SIG_IGN is 1 everywhere.
    return unsafeBitCast(handler, to: Int.self) == 1
  }

  /// From now on a signal ends the program.
  package static func release() {
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
      // Keeps the source alive. Without a reference it would get no events.
      withExtendedLifetime(source) {
        guard let meaning else { endBySignal(number) }
        meaning(number, isFirst)
      }
    }
    // libdispatch begins to listen on a thread of its own, some time after `resume`. Until it does,
    // a signal ends the program as an unhandled one does: nothing has begun yet. If the signal were
    // ignored from the start, one that arrives in between would be lost.
    let isListening = DispatchSemaphore(value: 0)
    source.setRegistrationHandler { isListening.signal() }
    source.resume()
    isListening.wait()
    #if canImport(Darwin)
      // On Apple's systems a signal source does not replace the signal's default action.
      signal(number, SIG_IGN)
    #endif
  }
}

/// Ends the program like an unhandled signal, so that the parent process sees the reason.
///
/// The signal is raised on this thread and unblocked only here. A signal sent to the process could
/// be taken by libdispatch, which reads signals that every thread blocks, and nothing would end.
package func endBySignal(_ number: Int32) -> Never {
  signal(number, SIG_DFL)
  var signals = sigset_t()
  sigemptyset(&signals)
  sigaddset(&signals, number)
  pthread_sigmask(SIG_UNBLOCK, &signals, nil)
  raise(number)
  _exit(128 + number)
}

/// Handles Ctrl-C and similar signals for a command that has to finish something before it ends.
package enum Interruption {
  /// Runs `work`, which a signal cancels, and then `cleanUp` in any case. If there was a signal, the
  /// program then ends by it. A second signal ends the program immediately.
  ///
  /// - Parameter abandoned: called before that end, to say what is left undone.
  package static func surviving<Value: Sendable>(
    _ work: @escaping @Sendable () async -> Value, cleanUp: (Value) async -> Void,
    abandoned: @escaping @Sendable () -> Void = {}
  ) async -> Value {
    // Nothing begins before signals are handled.
    let (beginning, begin) = AsyncStream.makeStream(of: Never.self)
    let task = Task {
      for await _ in beginning {}
      return await work()
    }
    // Under nohup, SIGHUP must be ignored.
    EndSignals.listen(for: [SIGINT, SIGTERM, SIGHUP], unlessIgnored: [SIGHUP]) { number, isFirst in
      guard !isFirst else {
        task.cancel()
        return
      }
      abandoned()
      _exit(128 + number)
    }
    begin.finish()
    let value = await task.value
    await cleanUp(value)
    EndSignals.release()
    if let number = EndSignals.first { endBySignal(number) }
    return value
  }
}
