import Foundation
import Synchronization

/// The first signal that came since somebody asked; its handler can reach nothing but a global.
private let caughtSignal = Atomic<Int32>(0)

/// Control-C and its like, for a command that has to clean up before it ends.
enum Interruption {
  private static let signals = [SIGINT, SIGTERM, SIGHUP]

  /// Runs `work`, which is cancelled by a signal, and then `cleanUp` in any case; then ends the
  /// program by the signal if there was one. A second signal ends it at once.
  static func surviving<Value: Sendable>(
    _ work: @escaping @Sendable () async -> Value, cleanUp: () async -> Void
  ) async -> Value {
    caughtSignal.store(0, ordering: .relaxed)
    let handled = signals.filter { number in
      let before = signal(number) { number in
        if caughtSignal.exchange(number, ordering: .relaxed) != 0 { _exit(128 + number) }
      }
      // Handlers are functions, which can't be compared but by their addresses.
      let wasIgnored = unsafeBitCast(before, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
      // Under nohup a hangup is to be passed over.
      guard number == SIGHUP, wasIgnored else { return true }
      signal(number, SIG_IGN)
      return false
    }
    let task = Task { await work() }
    let watch = Task {
      while caughtSignal.load(ordering: .relaxed) == 0 {
        do { try await Task.sleep(for: .milliseconds(50)) } catch { return }
      }
      task.cancel()
    }
    let value = await task.value
    watch.cancel()
    await cleanUp()
    for number in handled { signal(number, SIG_DFL) }
    let number = caughtSignal.load(ordering: .relaxed)
    guard number != 0 else { return value }
    endBySignal(number)
  }
}
