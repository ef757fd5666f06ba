import Digests
import HealthModel
import MCPServer
import ObjectStore
import StoreTesting
import Synchronization
import Testing

@testable import IngestServer

/// Sessions of agents and the ids of their events, without a server.
@Suite(.unit) struct AgentSessionTests {
  private static let now = Timestamp(secondsSince1970: 1_770_811_200)
  private let seal = AgentSeal(digest: SHA256.digest([1]))
  private let other = AgentSeal(digest: SHA256.digest([2]))

  @Test func `R53: a session's id says all of it, and only the agent that got it can use it`()
    throws
  {
    let session = AgentSession(.november2025, at: Self.now)
    let text = session.text(seal)
    #expect(text.utf8.count <= 160 && text.utf8.allSatisfy { (0x21...0x7E).contains($0) })
    #expect(AgentSession(text, seal, at: Self.now) == session)
    #expect(AgentSession(text, other, at: Self.now) == nil)
    // Not one character may be another, or be missing.
    for (index, character) in text.enumerated() {
      var characters = Array(text)
      characters[index] = character == "1" ? "2" : "1"
      #expect(AgentSession(String(characters), seal, at: Self.now) == nil, "\(index)")
      characters.remove(at: index)
      #expect(AgentSession(String(characters), seal, at: Self.now) == nil, "\(index)")
    }
    for end in ["", " ", "_", "0", ", \(text)"] {
      #expect(AgentSession(text + end, seal, at: Self.now) == (end.isEmpty ? session : nil))
    }
    let last = Self.now.adding(seconds: AgentSession.lifetime - 1)
    #expect(AgentSession(text, seal, at: last) == session)
    #expect(AgentSession(text, seal, at: last.adding(seconds: 1)) == nil)
    #expect(AgentSession(text, seal, at: Self.now.adding(seconds: -60)) == session)
  }

  private func call(_ start: String, token: String = "p") throws -> PostedExchange {
    let body = """
      {"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"health.read_range_metrics",\
      "arguments":{"start_date":"\(start)","end_date":"2026-02-08"},\
      "_meta":{"progressToken":"\(token)","other":"\(String(repeating: "x", count: 9000))"}}}
      """
    return PostedExchange(
      Array(body.utf8), RoutingFields(version: "2025-11-25", method: nil, name: nil),
      ServerDescription(version: "1", naming: .dotted))
  }

  @Test func `R53: an event's id says what was asked and how far the answer was`() throws {
    let exchange = try call("2026-01-01")
    let asked = try #require(exchange.resumable)
    let ids = try #require(AgentEventIDs(asked, seal, session: "s"))
    #expect(ids.text(0).utf8.count < 1000, "the rest of `_meta` is not needed")
    for done in [0, 1, 365] {
      #expect(
        AgentEventIDs.place(ids.text(done), seal, session: "s") == .after(done: done, ids))
    }
    #expect(AgentEventIDs.place(ids.last, seal, session: "s") == .end)
    // Of another agent, of another session, or made up.
    #expect(AgentEventIDs.place(ids.text(1), other, session: "s") == nil)
    #expect(AgentEventIDs.place(ids.text(1), seal, session: "t") == nil)
    #expect(AgentEventIDs.place(ids.text(1), seal, session: "") == nil)
    let text = ids.text(1)
    for index in text.indices where text[index] != "=" {
      var changed = text
      changed.replaceSubrange(index...index, with: text[index] == "1" ? "2" : "1")
      #expect(AgentEventIDs.place(changed, seal, session: "s") == nil)
    }
    // A client that resumes is told nothing twice.
    let again = PostedExchange(
      resuming: ids.call, after: 100, ServerDescription(version: "1", naming: .dotted))
    #expect(again.isWaiting && again.id == exchange.id)
    let notices = (1...365).filter { again.progress?.message($0, of: 365) != nil }
    let all = (1...365).filter { exchange.progress?.message($0, of: 365) != nil }
    #expect(notices == all.filter { $0 > 100 } && all.count == 20)
  }

  @Test func `R53: a request that is too long for an id has none`() throws {
    let asked = try #require(
      try call("2026-01-01", token: String(repeating: "p", count: 4200)).resumable)
    let ids = try #require(AgentEventIDs(asked, seal, session: ""))
    #expect(ids.text(366).utf8.count <= AgentEventIDs.maximumBytes)
    let longer = try #require(
      try call("2026-01-01", token: String(repeating: "p", count: 6000)).resumable)
    #expect(AgentEventIDs(longer, seal, session: "") == nil)
  }

  @Test func `R53: an ended session never comes back, however many are ended after it`() throws {
    var random = SplitMix64(seed: 35)
    var ended = EndedAgentSessions()
    let bystander = AgentSession(.june2025, at: Self.now.adding(seconds: -5))
    var all: [(AgentSession, String)] = []
    for index in 0..<1600 {
      let now = Self.now.adding(seconds: index / 10)
      let session = AgentSession(
        .june2025, at: now.adding(seconds: -Int.random(in: 0..<600, using: &random)))
      let agent = "agent.\(Int.random(in: 0..<4, using: &random))"
      ended.end(session, of: agent, at: now)
      all.append((session, agent))
    }
    #expect(all.allSatisfy { ended.contains($0.0, of: $0.1) })
    #expect(!ended.contains(bystander, of: "quiet"), "one agent's ends are another's")
    let fresh = AgentSession(.june2025, at: Self.now.adding(seconds: 700))
    #expect(!ended.contains(fresh, of: "agent.0"))
    let document = ended.document
    #expect(document.count < 100_000)
    #expect(EndedAgentSessions(parsing: document) == ended)
    // Of very many agents the earliest are forgotten for all.
    for index in 0..<2100 {
      let session = AgentSession(.june2025, at: Self.now.adding(seconds: 1000 + index))
      ended.end(session, of: "many.\(index)", at: Self.now.adding(seconds: 1000 + index))
      all.append((session, "many.\(index)"))
    }
    #expect(all.allSatisfy { ended.contains($0.0, of: $0.1) })
    #expect(ended.document.count < 400_000)
    // What is over by itself is not kept.
    let later = Self.now.adding(seconds: 2 * AgentSession.lifetime)
    ended.end(AgentSession(.june2025, at: later), of: "a", at: later)
    #expect(ended.document.count < 300)
    for text in ["", "{}", #"{"format":"ended-agent-sessions.v1","before":0,"agents":{}}"#] {
      #expect(EndedAgentSessions(parsing: Array(text.utf8)) == nil)
    }
  }

  private final class Counting: ForwardingStore {
    let base: any ObjectStore = MemoryStore()
    let puts = Mutex(0)
    let gets = Mutex(0)
    let isAway = Mutex(false)

    func get(_ key: ObjectKey, limit: Int) async throws(StoreError) -> StoredObject? {
      gets.withLock { $0 += 1 }
      if isAway.withLock(\.self) { throw StoreError(.unavailable, "the store is away") }
      return try await base.get(key, limit: limit)
    }

    func put(
      _ key: ObjectKey, _ body: [UInt8], if precondition: Precondition
    ) async throws(StoreError) -> PutOutcome {
      puts.withLock { $0 += 1 }
      await Task.yield()
      return try await base.put(key, body, if: precondition)
    }
  }

  @Test func `R53: what one server ends, all know, and many ends cost few requests`() async throws {
    let store = Counting()
    let records = (0..<3).map { _ in AgentSessionRecord(store, prefix: "me/") }
    let sessions = (0..<240).map { _ in AgentSession(.november2025, at: Self.now) }
    for record in records { #expect(await !record.contains(sessions[0], of: "a")) }
    try await withThrowingTaskGroup { group in
      for (index, session) in sessions.enumerated() {
        group.addTask { try await records[index % 3].end(session, of: "a", at: Self.now) }
      }
      try await group.waitForAll()
    }
    #expect(store.puts.withLock(\.self) < 60)
    let late = AgentSessionRecord(store, prefix: "me/")
    for session in sessions {
      #expect(await late.contains(session, of: "a"))
      #expect(await !late.contains(session, of: "b"))
    }
    #expect(await until3 { await records[0].contains(sessions[1], of: "a") })
    let before = store.gets.withLock(\.self)
    for _ in 0..<1000 { _ = await records[0].contains(sessions[2], of: "b") }
    #expect(store.gets.withLock(\.self) <= before + 1)
    // Where nothing can be written, nothing is said to be ended.
    store.isAway.withLock { $0 = true }
    let new = AgentSession(.november2025, at: Self.now)
    await #expect(throws: RequestFailure.self) {
      try await records[1].end(new, of: "a", at: Self.now)
    }
    #expect(await !records[1].contains(new, of: "a"))
  }

  /// Asks until it is so, for ten seconds: another server's record counts for three.
  private func until3(_ condition: () async -> Bool) async -> Bool {
    for _ in 0..<100 {
      if await condition() { return true }
      try? await Task.sleep(for: .milliseconds(100))
    }
    return false
  }

  @Test func `R53: open streams are bounded for a session, an agent and all, and end together`()
    async throws
  {
    let streams = AgentStreams()
    func session() -> AgentSession { AgentSession(.november2025, at: Self.now) }
    let one = session()
    var held: [EventSubscription] = []
    for _ in 0..<AgentStreams.maximumOfSession { held.append(try streams.open(one, of: "a")) }
    #expect(throws: RequestFailure.self) { try streams.open(one, of: "a") }
    while held.count < AgentStreams.maximumOfAgent {
      held.append(try streams.open(session(), of: "a"))
    }
    #expect(throws: RequestFailure.self) { try streams.open(session(), of: "a") }
    while held.count < AgentStreams.maximum { held.append(try streams.open(session(), of: "b")) }
    #expect(throws: RequestFailure.self) { try streams.open(session(), of: "c") }
    // A stream that was closed makes room, and those of a session end with it.
    held[AgentStreams.maximum - 1].close()
    #expect(streams.count == AgentStreams.maximum - 1)
    streams.end(one)
    #expect(held.prefix(4).allSatisfy { $0.hasEnded } && !held[4].hasEnded)
    #expect(await held[5].next() == Array(": open\n\n".utf8))
    held[5].written()
    await streams.beat { _, agent in agent == "a" }
    #expect(await held[5].next() == Array(": beat\n\n".utf8))
    #expect(held[AgentStreams.maximumOfAgent...].allSatisfy { $0.hasEnded })
    let task = Task { await streams.run { _, _ in true } }
    task.cancel()
    await task.value
    #expect(held.allSatisfy { $0.hasEnded })
    #expect(throws: RequestFailure.self) { try streams.open(session(), of: "c") }
  }
}
