import HealthLedger
import HealthModel
import StoreTesting
import TestSupport
import Testing

@testable import IngestServer

/// Tokens of people: what is kept of them, and what is refused (R65).
@Suite(.unit) struct PeopleTokenTests {
  private static let now = Timestamp(secondsSince1970: 1_790_000_000)

  private func token(
    _ name: String, of person: String?, _ endpoints: Set<Endpoint> = [.ingest]
  ) throws -> AccessToken {
    AccessToken(name, endpoints, of: try person.map { try #require(PersonID($0)) }, at: Self.now)
  }

  private func add(_ token: AccessToken, to table: inout TokenTable) {
    let isAdded = table.add(token)
    #expect(isAdded)
  }

  @Test func `R65: a document of tokens keeps whose each is, if it is anybody's`() throws {
    var table = TokenTable()
    add(try token("own", of: nil), to: &table)
    let before = String(decoding: table.document, as: UTF8.self)
    #expect(before.contains("tokens.v0") && !before.contains("person"))
    add(try token("phone", of: "ann"), to: &table)
    #expect(TokenTable(parsing: table.document) == table)
    // A version that does not know of people refuses the document.
    #expect(String(decoding: table.document, as: UTF8.self).contains("tokens.v1"))
    #expect(table.people.map(\.rawValue) == ["ann"])
  }

  @Test(arguments: [#""Ann""#, #""../bob""#, #""""#, "7", "null", "true", #"["ann"]"#])
  func `R65: a token whose person can't be read gives no access, not even to the store's own data`(
    text: String
  ) throws {
    var table = TokenTable()
    add(try token("phone", of: "ann"), to: &table)
    let document = String(decoding: table.document, as: UTF8.self)
    let changed = document.replacing(#""person":"ann""#, with: #""person":\#(text)"#)
    #expect(changed != document)
    #expect(TokenTable(parsing: Array(changed.utf8)) == nil)
  }

  @Test func `R65: names are found in any order of adding, and taken once`() throws {
    var generator = SplitMix64(seed: 65)
    for _ in 0..<50 {
      let names = (0..<40).map { "t\($0 * 7 % 40)" }.shuffled(using: &generator)
      var table = TokenTable()
      for name in names { #expect(table.add(try token(name, of: nil))) }
      for name in names {
        #expect(table[name]?.name == name)
        let isTwice = table.add(try token(name, of: "ann"))
        #expect(!isTwice)
      }
      #expect(table["t"] == nil && table["u"] == nil && table["t40"] == nil)
      #expect(table.tokens.map(\.name) == names.sorted())
    }
  }

  @Test func `R65: who is removed loses all tokens and agents, and nobody else`() throws {
    var table = TokenTable()
    let page = try token("ann-page", of: "ann", [.dashboard])
    let other = try token("bob-page", of: "bob", [.dashboard])
    for token in [page, other, try token("ann-phone", of: "ann"), try token("own", of: nil)] {
      add(token, to: &table)
    }
    for person in [page, other] {
      _ = table.offer(
        GrantOffer(
          client: AgentGrant.Client(digest: Array(repeating: 1, count: 32), name: "a", place: "b"),
          resource: "https://x/mcp", challenge: Array(repeating: 2, count: 32),
          redirect: "https://x"),
        by: person, FreshKeys(), at: Self.now)
    }
    var count = table.remove(all: try #require(PersonID("ann")))
    #expect(count == 2)
    #expect(table.tokens.map(\.name) == ["bob-page", "own"])
    #expect(table.grants.map(\.person.name) == ["bob-page"])
    count = table.remove(all: try #require(PersonID("ann")))
    #expect(count == 0)
  }

  @Test func `R65: an agent reaches the days of whoever's token let it in`() throws {
    var table = TokenTable()
    let page = try token("ann-page", of: "ann", [.dashboard])
    add(page, to: &table)
    _ = table.offer(
      GrantOffer(
        client: AgentGrant.Client(digest: Array(repeating: 1, count: 32), name: "a", place: "b"),
        resource: "https://x/mcp", challenge: Array(repeating: 2, count: 32), redirect: "https://x"),
      by: page, FreshKeys(), at: Self.now)
    let device = try #require(table.device(of: table.grants[0]))
    #expect(device.person?.rawValue == "ann" && device.endpoints == [.agents])
  }
}
