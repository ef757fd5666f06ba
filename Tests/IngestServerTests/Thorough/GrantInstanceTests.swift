import Digests
import HealthModel
import ObjectStore
import StoreTesting
import Testing

@testable import IngestServer

/// Agents that several instances of one bucket let in.
@Suite(.unit) struct GrantInstanceTests {
  private static let now = Timestamp(secondsSince1970: 1_770_811_200)
  private static let (client, callback) = ("s3hc_x", "https://agent.example/back")
  private static let verifier = String(repeating: "v", count: 43)

  private let person = AccessToken(
    device: .init(
      name: "me", scope: TokenScope(endpoints: [.dashboard], deviceID: DeviceID.random())),
    digest: TokenSecret().digest, createdAt: now)

  private func exchange(_ code: GrantSecret, at cache: TokenCache) async throws -> IssuedTokens? {
    let proof = CodeProof(
      clientID: Self.client, redirect: Self.callback, verifier: Self.verifier, resource: nil)
    let fresh = FreshKeys()
    return try await cache.change { $0.exchange(code, proof, fresh, at: Self.now) }
  }

  private func code(at cache: TokenCache) async throws -> GrantSecret {
    let offer = GrantOffer(
      client: .init(
        digest: SHA256.digest(Array(Self.client.utf8)), name: "Agent", place: "agent.example"),
      resource: "https://health.home/mcp", challenge: SHA256.digest(Array(Self.verifier.utf8)),
      redirect: Self.callback)
    let fresh = FreshKeys()
    return try #require(
      try await cache.change { $0.offer(offer, by: person, fresh, at: Self.now) })
  }

  /// Keepers of one object, as the instances of one bucket have them.
  private func caches(_ count: Int) async throws -> [TokenCache] {
    let object = try #require(TokenObject(MemoryStore(), prefix: "me/"))
    _ = try await object.update { table throws(Never) in table.add(person) }
    let caches = (0..<count).map { _ in TokenCache(object) }
    for cache in caches { await cache.read() }
    return caches
  }

  @Test func `R63: what one instance gives out, another takes at once, and ends for all`()
    async throws
  {
    let caches = try await caches(2)
    let code = try await code(at: caches[0])
    let tokens = try #require(try await exchange(code, at: caches[1]))
    for cache in caches {
      #expect(
        try await cache.agent(
          reading: tokens.access, for: "https://health.home/mcp", at: Self.now)?.name != nil)
    }
    let fresh = FreshKeys()
    let next = try #require(
      try await caches[0].change {
        $0.refresh(tokens.refresh, clientID: Self.client, resource: nil, fresh, at: Self.now)
      })
    // Twenty requests of it wait for one reading.
    let isKnown = try await withThrowingTaskGroup(of: Bool.self) { group in
      for _ in 0..<20 {
        group.addTask {
          try await caches[1].agent(
            reading: next.access, for: "https://health.home/mcp", at: Self.now) != nil
        }
      }
      return try await group.reduce(true) { $0 && $1 }
    }
    #expect(isKnown)
    _ = try await caches[1].change { $0.end(next.refresh, clientID: nil, at: Self.now) }
    await caches[0].read()
    #expect(
      try await caches[0].agent(reading: next.access, for: "https://health.home/mcp", at: Self.now)
        == nil)
  }

  @Test func `R63: of instances that are shown one code together only one gives tokens`()
    async throws
  {
    let caches = try await caches(8)
    for _ in 0..<10 {
      let code = try await code(at: caches[0])
      let given = try await withThrowingTaskGroup(of: IssuedTokens?.self) { group in
        for cache in caches { group.addTask { try await exchange(code, at: cache) } }
        return try await group.reduce(into: []) { $0.append($1) }.compactMap(\.self)
      }
      #expect(given.count == 1)
      // The others have shown it again: what it gave has ended.
      for tokens in given {
        #expect(
          try await caches[3].agent(
            reading: tokens.access, for: "https://health.home/mcp", at: Self.now) == nil)
      }
    }
  }
}
