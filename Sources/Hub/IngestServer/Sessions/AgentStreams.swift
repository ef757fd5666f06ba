import HealthModel
import Synchronization

/// The streams that agents hold open (R53). The server only sends comments that keep them alive, so each
/// costs a connection and some hundred bytes.
final class AgentStreams: Sendable {
  /// The most streams of a session, of an agent, and of all.
  static let (maximumOfSession, maximumOfAgent, maximum) = (4, 384, 512)
  /// How often a sign of life is sent.
  private static let pause: Duration = .seconds(20)
  /// When a stream whose client reads nothing is closed, and when any stream ends. The client then opens
  /// another.
  private static let (patience, lifetime): (Duration, Duration) = (.seconds(60), .seconds(3600))

  private struct Open {
    let agent: String
    let session: AgentSession
    let since = ContinuousClock.now
  }

  private struct State {
    var streams: [EventSubscription: Open] = [:]
    var isClosed = false
  }

  private let state = Mutex(State())

  /// How many are open.
  var count: Int { state.withLock(\.streams.count) }

  func open(_ session: AgentSession, of agent: String) throws(RequestFailure) -> EventSubscription {
    let subscription = EventSubscription(session: session.id)
    let refusal: RequestFailure? = state.withLock { state in
      guard !state.isClosed else { return .unavailable("the server ends", retryAfter: 5) }
      guard state.streams.count < Self.maximum,
        state.streams.values.count(where: { $0.agent == agent }) < Self.maximumOfAgent,
        state.streams.values.count(where: { $0.session.id == session.id })
          < Self.maximumOfSession
      else {
        return RequestFailure(
          429, "too_many_streams", "too many streams are open", retryAfter: 30)
      }
      state.streams[subscription] = Open(agent: agent, session: session)
      return nil
    }
    if let refusal { throw refusal }
    subscription.send(.hello, Array(": open\n\n".utf8))
    subscription.onClosed { [weak self, weak subscription] in
      if let subscription { self?.forget(subscription) }
    }
    return subscription
  }

  private func forget(_ subscription: EventSubscription) {
    state.withLock { $0.streams[subscription] = nil }
  }

  /// Ends the streams of a session.
  func end(_ session: AgentSession) {
    end(where: { $0.session.id == session.id })
  }

  /// Sends signs of life until it is cancelled, because the server ends. Then it ends all streams and
  /// opens no more.
  ///
  /// - Parameter isOpen: whether a session is still open.
  func run(isOpen: (AgentSession, _ agent: String) async -> Bool) async {
    while !Task.isCancelled {
      try? await Task.sleep(for: Self.pause)
      guard !Task.isCancelled else { break }
      await beat(isOpen: isOpen)
    }
    state.withLock { $0.isClosed = true }
    end(where: { _ in true })
  }

  /// Sends a sign of life, and ends streams that have expired, whose session has ended, or whose client
  /// reads nothing.
  func beat(isOpen: (AgentSession, _ agent: String) async -> Bool) async {
    let streams = state.withLock(\.streams)
    for (subscription, open) in streams where !subscription.endIfStuck(for: Self.patience) {
      if ContinuousClock.now - open.since < Self.lifetime,
        await isOpen(open.session, open.agent)
      {
        subscription.send(.beat, Array(": beat\n\n".utf8))
      } else {
        subscription.end()
      }
    }
  }

  private func end(where isMeant: (Open) -> Bool) {
    let meant = state.withLock { $0.streams.filter { isMeant($0.value) }.keys }
    for subscription in meant { subscription.end() }
  }
}
