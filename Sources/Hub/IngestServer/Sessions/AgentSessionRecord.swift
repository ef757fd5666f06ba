import HealthModel
import ObjectStore
import Synchronization

/// The ended sessions, shared by all servers of a store (R53): one object, which is replaced by
/// compare-and-swap. It is read only while agents with sessions send requests.
final class AgentSessionRecord: Sendable {
  private struct State {
    var ended = EndedAgentSessions()
    var readAt: ContinuousClock.Instant?
    var reading: Task<Void, Never>?
    /// What waits to be written, and who writes it.
    var waiting: [Ending] = []
    var next: Task<Bool, Never>?
    var writing: Task<Bool, Never>?
  }

  private struct Ending {
    let session: AgentSession
    let agent: String
    let at: Timestamp
  }

  private let store: any ObjectStore
  /// Nil if the prefix is too long for a key: then only this server knows.
  private let key: ObjectKey?
  private let state = Mutex(State())

  /// How long a reading stays valid.
  private static let pause: Duration = .seconds(3)
  /// How long a reading and a writing may take, in seconds.
  private static let (readSeconds, writeSeconds) = (5, 15)
  /// How often a write is tried again after another server's write.
  private static let maximumAttempts = 16

  /// - Parameter prefix: that of the store; empty, or with a `/` at its end.
  init(_ store: any ObjectStore, prefix: String) {
    self.store = store
    key = ObjectKey(prefix + ".s3healthd/ended-sessions.json")
  }

  /// Whether the session was ended, here or, some seconds ago, by another server. While the record can't
  /// be read, the last reading counts: a session alone gives no access.
  func contains(_ session: AgentSession, of agent: String) async -> Bool {
    if knows(session, of: agent) { return true }
    await read()
    return knows(session, of: agent)
  }

  private func knows(_ session: AgentSession, of agent: String) -> Bool {
    state.withLock { $0.ended.contains(session, of: agent) }
  }

  /// Reads the record if that is due. Callers at the same time share one reading.
  func read() async {
    guard let key else { return }
    let task = state.withLock { (state) -> Task<Void, Never>? in
      if let task = state.reading { return task }
      if let at = state.readAt, .now - at < Self.pause { return nil }
      let task = Task { [self] in await read(key) }
      state.reading = task
      return task
    }
    await task?.value
  }

  private func read(_ key: ObjectKey) async {
    let begun = ContinuousClock.now
    let found = await TimeLimit.run(Self.readSeconds) { [store] in
      try? await store.get(key, limit: EndedAgentSessions.maximumBytes)
    }
    state.withLock { state in
      state.reading = nil
      // What was written meanwhile is newer.
      if let at = state.readAt, at > begun { return }
      state.readAt = .now
      if let found = found ?? nil, let read = EndedAgentSessions(parsing: found.body) {
        state.ended = read
      }
    }
  }

  /// Ends a session. Many that end at once are written together.
  ///
  /// - Throws: 503 if it can't be written.
  func end(
    _ session: AgentSession, of agent: String, at now: Timestamp
  ) async throws(RequestFailure) {
    let task = state.withLock { (state) -> Task<Bool, Never> in
      state.waiting.append(Ending(session: session, agent: agent, at: now))
      if let task = state.next { return task }
      let before = state.writing
      let task = Task { [self] in
        _ = await before?.value
        let endings = takeWaiting()
        return await TimeLimit.run(Self.writeSeconds) { [self] in await write(endings) } ?? false
      }
      state.next = task
      return task
    }
    guard await task.value else {
      throw .unavailable(
        "the end of the session can't be stored at the moment", cause: "the record is not written")
    }
  }

  private func takeWaiting() -> [Ending] {
    state.withLock { state in
      (state.writing, state.next) = (state.next, nil)
      defer { state.waiting = [] }
      return state.waiting
    }
  }

  /// False if the store does not accept the write.
  private func write(_ endings: [Ending]) async -> Bool {
    func apply(to ended: inout EndedAgentSessions) {
      for ending in endings { ended.end(ending.session, of: ending.agent, at: ending.at) }
    }
    do throws(StoreError) {
      guard let key, try await store.conditionalWrites() == .compareAndSwap else {
        state.withLock { apply(to: &$0.ended) }
        return true
      }
      for _ in 0..<Self.maximumAttempts {
        let found = try await store.get(key, limit: EndedAgentSessions.maximumBytes)
        // A damaged record is replaced: nothing in it gives access.
        var ended = found.flatMap { EndedAgentSessions(parsing: $0.body) } ?? EndedAgentSessions()
        apply(to: &ended)
        let condition = found.map { Precondition.matches($0.etag) } ?? .absent
        guard case .stored = try await store.put(key, ended.document, if: condition) else {
          continue
        }
        state.withLock { ($0.ended, $0.readAt) = (ended, .now) }
        return true
      }
      return false
    } catch {
      return false
    }
  }
}
