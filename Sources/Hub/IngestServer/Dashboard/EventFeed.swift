import ContentDigests
import Digests
import Synchronization

/// Tells all pages that are open that something has changed (R59).
final class EventFeed: Sendable {
  /// The most pages that are open at a time: of one session, and of all.
  static let (maximumPerSession, maximum) = (32, 512)
  /// After how many seconds a page that takes nothing is dropped.
  private static let patience: Duration = .seconds(60)

  private struct State {
    var subscriptions: Set<EventSubscription> = []
    var number = 0
    var isClosed = false
  }

  /// Distinguishes the events of this instance from those of another, and of an earlier one.
  private let name = Hex.random(12)
  private let state = Mutex(State())

  /// How many pages are open.
  var count: Int { state.withLock(\.subscriptions.count) }

  /// The id of the newest change.
  var last: String { state.withLock { id($0.number) } }

  /// Subscribes a page.
  ///
  /// - Parameter after: the id of the last change that it shows. If it has missed any, it is told so.
  func subscribe(_ session: String, after: String?) throws(RequestFailure) -> EventSubscription {
    let subscription = EventSubscription(session: session)
    try state.withLock { (state) throws(RequestFailure) in
      guard !state.isClosed else { throw .unavailable("the server ends", retryAfter: 5) }
      state.subscriptions = state.subscriptions.filter { !$0.hasEnded }
      let own = state.subscriptions.count { $0.session == session }
      guard own < Self.maximumPerSession, state.subscriptions.count < Self.maximum else {
        throw RequestFailure(
          429, "too_many_streams", "too many pages are open", retryAfter: 30)
      }
      state.subscriptions.insert(subscription)
      let current = id(state.number)
      subscription.send(.hello, Self.event(.hello, id: current, retry: 3000))
      if after != current { subscription.send(.changed, Self.event(.changed, id: current)) }
    }
    return subscription
  }

  /// Tells all pages of a change.
  func publishChange() {
    state.withLock { state in
      state.number += 1
      let bytes = Self.event(.changed, id: id(state.number))
      for subscription in state.subscriptions { subscription.send(.changed, bytes) }
    }
  }

  /// Shows every page that the stream works, and drops those that have ended, that take nothing, or
  /// whose session is over.
  func beat(isValid: (_ session: String) -> Bool) {
    state.withLock { state in
      let bytes = Self.event(.beat, id: nil)
      for subscription in state.subscriptions {
        if subscription.hasEnded || subscription.endIfStuck(for: Self.patience) {
          state.subscriptions.remove(subscription)
        } else if !isValid(subscription.session) {
          subscription.end()
          state.subscriptions.remove(subscription)
        } else {
          subscription.send(.beat, bytes)
        }
      }
    }
  }

  /// Ends the pages of a session.
  func end(_ session: String) {
    state.withLock { state in
      for subscription in state.subscriptions where subscription.session == session {
        subscription.end()
        state.subscriptions.remove(subscription)
      }
    }
  }

  /// Ends all, and takes no more: the server ends.
  func close() {
    state.withLock { state in
      state.isClosed = true
      for subscription in state.subscriptions { subscription.end() }
      state.subscriptions = []
    }
  }

  private func id(_ number: Int) -> String { "\(name)-\(number)" }

  /// An event as the browser reads it; one without a line of data would be none.
  private static func event(
    _ kind: EventSubscription.Kind, id: String?, retry: Int? = nil
  ) -> [UInt8] {
    var text = "event: \(kind.rawValue)\n"
    if let id { text += "id: \(id)\n" }
    if let retry { text += "retry: \(retry)\n" }
    return Array((text + "data: \n\n").utf8)
  }
}
