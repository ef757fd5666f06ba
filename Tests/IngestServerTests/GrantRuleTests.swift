import ContentDigests
import Digests
import HealthModel
import Testing

@testable import IngestServer

private let start = Timestamp(secondsSince1970: 1_770_811_200)

/// A table that several steps of a test change, and the program that they are of.
private final class GrantBook {
  var table: TokenTable
  private let client: String

  init(_ table: TokenTable, _ client: String) { (self.table, self.client) = (table, client) }

  func exchange(
    _ code: GrantSecret, _ proof: CodeProof, at now: Timestamp = start
  ) -> IssuedTokens? { table.exchange(code, proof, FreshKeys(), at: now) }

  func refresh(
    _ secret: GrantSecret, by id: String? = nil, at now: Timestamp = start
  ) -> IssuedTokens? {
    table.refresh(secret, clientID: id ?? client, resource: nil, FreshKeys(), at: now)
  }

  func grant(_ secret: GrantSecret, at now: Timestamp = start) -> AgentGrant? {
    table.grant(reading: secret, at: now)
  }

  func end(_ secret: GrantSecret, by id: String?) -> AgentGrant? {
    table.end(secret, clientID: id, at: start)
  }

  func removeGrant(named name: String) -> Bool { table.removeGrant(named: name) }
  func remove(_ name: String) -> Bool { table.remove(name) }
  func add(_ token: AccessToken) -> Bool { table.add(token) }
}

/// What becomes of the codes and tokens of agents, attacked without a server.
@Suite(.unit) struct GrantRuleTests {
  private let now = start
  private static let verifier = String(repeating: "v", count: 43)
  private static let callback = "https://agent.example/back"

  private let person: AccessToken
  private let client: OAuthClient
  private let empty: TokenTable

  init() throws {
    person = AccessToken("me", [.dashboard])
    empty = TokenTable([person])
    client = try OAuthClient(registering: Array(#"{"redirect_uris":["\#(Self.callback)"]}"#.utf8))
  }

  private func later(_ seconds: Int) -> Timestamp { now.adding(seconds: seconds) }

  private func offer(_ book: GrantBook, at now: Timestamp = start) -> GrantSecret? {
    let offer = GrantOffer(
      client: .init(
        digest: SHA256.digest(Array(client.id.utf8)), name: client.name, place: "agent.example"),
      resource: "https://health.home/mcp", challenge: SHA256.digest(Array(Self.verifier.utf8)),
      redirect: Self.callback)
    return book.table.offer(offer, by: person, FreshKeys(), at: now)
  }

  private func proof(
    client other: String? = nil, redirect: String = callback, verifier: String = verifier,
    resource: String? = "https://health.home/mcp"
  ) -> CodeProof {
    CodeProof(
      clientID: other ?? client.id, redirect: redirect, verifier: verifier, resource: resource)
  }

  /// A table with a grant whose code was exchanged.
  private func held(_ book: GrantBook) throws -> (code: GrantSecret, tokens: IssuedTokens) {
    let code = try #require(offer(book))
    return (code, try #require(book.exchange(code, proof())))
  }

  @Test func `R63: a code is exchanged once; shown again, it ends what it gave`() throws {
    let book = GrantBook(empty, client.id)
    let (code, tokens) = try held(book)
    #expect(book.grant(tokens.access)?.person.name == "me")
    #expect(book.exchange(code, proof()) == nil)
    #expect(book.grant(tokens.access) == nil)
    #expect(book.refresh(tokens.refresh) == nil)
    #expect(book.table.grants.isEmpty)
  }

  @Test func `R63: a code is of one client, address, verifier, resource and minute`() throws {
    let other = try OAuthClient(
      registering: Array(#"{"redirect_uris":["\#(Self.callback)"],"client_name":"other"}"#.utf8))
    for wrong in [
      proof(client: other.id), proof(redirect: Self.callback + "/"),
      proof(verifier: Self.verifier + "v"), proof(resource: "https://other.home/mcp"),
    ] {
      let book = GrantBook(empty, client.id)
      let code = try #require(offer(book))
      #expect(book.exchange(code, wrong) == nil)
      #expect(
        book.exchange(code, proof()) == nil,
        "who guesses gets one attempt")
    }
    let book = GrantBook(empty, client.id)
    var code = try #require(offer(book))
    #expect(book.exchange(code, proof(), at: later(60)) == nil)
    code = try #require(offer(book))
    #expect(book.exchange(code, proof(resource: nil), at: later(59)) != nil)
  }

  @Test func `R63: a secret that was made up changes nothing, whatever grant it names`() throws {
    let book = GrantBook(empty, client.id)
    let (_, tokens) = try held(book)
    let id = tokens.grant.id
    let before = book.table
    for kind in GrantSecret.Kind.allCases {
      let made = GrantSecret(kind, of: id, family: Hex.random(32), key: Hex.random(64))
      #expect(book.exchange(made, proof()) == nil)
      #expect(book.refresh(made) == nil)
      #expect(book.grant(made) == nil)
      #expect(book.end(made, by: nil) == nil)
    }
    // The one token as the other.
    let swapped = GrantSecret(.access, of: id, key: tokens.refresh.key)
    #expect(book.grant(swapped) == nil)
    #expect(book.table == before)
  }

  @Test func `R63: a refresh token holds until the next is used; an older ends all`() throws {
    let book = GrantBook(empty, client.id)
    let (_, first) = try held(book)
    let second = try #require(book.refresh(first.refresh, at: later(3000)))
    let third = try #require(book.refresh(second.refresh, at: later(3100)))
    // The last two to read with hold, each to its end.
    #expect(book.grant(first.access, at: later(3100)) == nil)
    #expect(book.grant(second.access, at: later(3100)) != nil)
    #expect(book.grant(third.access, at: later(3100 + 3599)) != nil)
    #expect(book.grant(third.access, at: later(3100 + 3600)) == nil)
    #expect(book.refresh(first.refresh, at: later(3200)) == nil, "the one for it was used")
    #expect(book.refresh(third.refresh, at: later(3200)) == nil, "the family has ended")
    #expect(book.grant(third.access, at: later(3200)) == nil)
    // The answer was lost: the same token again. What was lost is no longer one.
    let known = try held(book).tokens
    let lost = try #require(book.refresh(known.refresh))
    let arrived = try #require(book.refresh(known.refresh, at: later(10)))
    #expect(book.grant(arrived.access, at: later(10)) != nil)
    #expect(TokenTable(parsing: book.table.document) == book.table)
    #expect(book.refresh(arrived.refresh, at: later(20)) != nil)
    #expect(book.refresh(lost.refresh, at: later(30)) == nil, "so two programs have the grant")
    #expect(book.table.grants.isEmpty)
    // Another client with a stolen one.
    let stolen = try held(book).tokens
    #expect(book.refresh(stolen.refresh, by: "s3hc_other") == nil)
    #expect(book.refresh(stolen.refresh) == nil)
  }

  @Test func `R63: a grant ends after 30 days unused, and with the person's token`() throws {
    let book = GrantBook(empty, client.id)
    let day = 86_400
    var tokens = try held(book).tokens
    tokens = try #require(book.refresh(tokens.refresh, at: later(29 * day)))
    tokens = try #require(book.refresh(tokens.refresh, at: later(58 * day)))
    #expect(book.refresh(tokens.refresh, at: later(88 * day)) == nil)
    let (_, again) = try held(book)
    #expect(book.grant(again.access) != nil)
    #expect(book.remove("me"))
    #expect(book.grant(again.access) == nil)
    // A new token of the name is another one.
    let isAdded = book.add(
      AccessToken(device: person.device, digest: TokenSecret().digest, createdAt: now))
    #expect(isAdded)
    #expect(book.grant(again.access) == nil)
  }

  @Test func `R63: any secret of a grant ends it, only by its own client`() throws {
    let book = GrantBook(empty, client.id)
    for choice in 0..<3 {
      let (code, tokens) = try held(book)
      let secret = [code, tokens.access, tokens.refresh][choice]
      #expect(book.end(secret, by: "s3hc_other") == nil)
      #expect(book.grant(tokens.access) != nil)
      #expect(book.end(secret, by: client.id) != nil)
      #expect(book.grant(tokens.access) == nil)
    }
    let (_, tokens) = try held(book)
    #expect(book.removeGrant(named: tokens.grant.name))
    #expect(!book.removeGrant(named: tokens.grant.name))
  }

  @Test func `R63: the document holds digests, has its bound, and loses nothing`() throws {
    let book = GrantBook(empty, client.id)
    let (code, tokens) = try held(book)
    var secrets = [code, tokens.access, tokens.refresh]
    for _ in 1..<TokenTable.maximumGrants { secrets.append(try #require(offer(book))) }
    #expect(offer(book) == nil)
    let document = book.table.document
    #expect(document.count < TokenTable.maximumBytes)
    #expect(TokenTable(parsing: document) == book.table)
    let text = String(decoding: document, as: UTF8.self)
    for secret in secrets { #expect(!text.contains(secret.key)) }
    #expect(!text.contains(code.family))
    // Codes that were not exchanged expire after a minute.
    #expect(offer(book, at: later(61)) != nil)
    #expect(book.table.grants.count == 2)
    let damaged = text.replacing("\"family_sha256\":\"", with: "\"family_sha256\":\"z")
    #expect(TokenTable(parsing: Array(damaged.utf8)) == nil)
  }

  @Test func `R63: secrets are read as they are written, and nothing else is one`() throws {
    for kind in GrantSecret.Kind.allCases {
      let made = GrantSecret(kind, of: Hex.random(16), family: Hex.random(32), key: Hex.random(64))
      #expect(GrantSecret(made.text) == made)
      for text in [
        made.text + "0", made.text.uppercased(), String(made.text.dropLast()), "x" + made.text,
        made.text + "_", made.text.replacing("_", with: "__"),
      ] {
        #expect(GrantSecret(text) == nil, "\(text)")
      }
    }
    #expect(GrantSecret(TokenSecret().text) == nil)
  }
}
