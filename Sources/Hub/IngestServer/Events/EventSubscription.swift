import Synchronization

/// The events for an open page (R59), or for an agent that wants progress (R53).
/// Only the newest of each kind is kept, so that a slow reader costs at most one event of each.
package final class EventSubscription: Sendable {
  /// What an event changes; in the order in which they are sent.
  enum Kind: String, CaseIterable, Hashable, Sendable {
    /// The stream works.
    case hello
    /// What the pages show is another than before.
    case changed
    /// Nothing has changed.
    case beat
    /// How far an agent's call is.
    case progress
    /// The answer to an agent's call, the last of its stream.
    case answer
  }

  private struct State {
    var waiting: [Kind: [UInt8]] = [:]
    var hasEnded = false
    /// Since when something waits or is being written.
    var since: ContinuousClock.Instant?
    var close: (@Sendable () -> Void)?
    var closed: (@Sendable () -> Void)?
  }

  /// The id of the session that it belongs to.
  let session: String
  private let state = Mutex(State())
  private let signal = WakeSignal()

  init(session: String) { self.session = session }

  /// Puts an event instead of the one of its kind that waits.
  func send(_ kind: Kind, _ bytes: [UInt8]) {
    state.withLock { state in
      guard !state.hasEnded else { return }
      state.waiting[kind] = bytes
      if state.since == nil { state.since = .now }
    }
    signal.raise()
  }

  /// The bytes to write next; nil at the end.
  func next() async -> [UInt8]? {
    while !Task.isCancelled {
      let (bytes, hasEnded) = state.withLock { state in
        let bytes = Kind.allCases.flatMap { state.waiting[$0] ?? [] }
        state.waiting = [:]
        return (bytes, state.hasEnded)
      }
      if !bytes.isEmpty { return bytes }
      if hasEnded { return nil }
      await signal.wait()
    }
    return nil
  }

  /// What `next` returned is on its way.
  func written() {
    state.withLock { state in
      state.since = state.waiting.isEmpty ? nil : .now
    }
  }

  /// Ends it: `next` returns what waits, and then nil.
  func end() {
    state.withLock { $0.hasEnded = true }
    signal.raise()
  }

  /// What to do once nothing is written any more.
  func onClosed(_ closed: @escaping @Sendable () -> Void) { state.withLock { $0.closed = closed } }

  /// Nothing is written any more: all of it was, or the client is gone.
  func close() {
    end()
    let closed = state.withLock { state in
      defer { state.closed = nil }
      return state.closed
    }
    closed?()
  }

  var hasEnded: Bool { state.withLock(\.hasEnded) }

  /// What to do if nothing gets through any more.
  func onStuck(_ close: @escaping @Sendable () -> Void) {
    state.withLock { $0.close = close }
  }

  /// Ends it if something has waited for longer; true if so.
  func endIfStuck(for time: Duration) -> Bool {
    let close: (@Sendable () -> Void)? = state.withLock { state in
      guard let since = state.since, ContinuousClock.now - since > time else { return nil }
      state.hasEnded = true
      return state.close ?? {}
    }
    close?()
    signal.raise()
    return close != nil
  }
}

extension EventSubscription: Hashable {
  package static func == (a: EventSubscription, b: EventSubscription) -> Bool { a === b }
  package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
