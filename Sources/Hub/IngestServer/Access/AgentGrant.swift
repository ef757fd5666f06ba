import ContentDigests
import Digests
import HealthLedger
package import HealthModel

/// That a person has let an agent read the days (R63). It holds no secret, but digests. Pure.
package struct AgentGrant: Hashable, Sendable {
  /// The agent's program, as it describes itself.
  package struct Client: Hashable, Sendable {
    /// SHA-256 of its id.
    let digest: [UInt8]
    package let name: String
    /// Where the person's browser was sent.
    package let place: String
  }

  /// The person's token that it was granted with: it ends with it.
  package struct Person: Hashable, Sendable {
    package let name: String
    /// SHA-256 of the digest that is kept of the token.
    let digest: [UInt8]

    init(name: String, digest: [UInt8]) { (self.name, self.digest) = (name, digest) }

    init(_ token: AccessToken) { self.init(name: token.name, digest: SHA256.digest(token.digest)) }
  }

  /// What the one exchange of a code must show.
  struct Offer: Hashable, Sendable {
    let code: [UInt8]
    /// SHA-256 of the verifier (RFC 7636).
    let challenge: [UInt8]
    /// SHA-256 of the address that the code was sent to.
    let redirect: [UInt8]
  }

  /// A token to read with.
  struct Access: Hashable, Sendable {
    let digest: [UInt8]
    let expires: Timestamp
  }

  enum Stage: Hashable, Sendable {
    case offered(Offer)
    /// Tokens were given out: the newest to refresh with, the one that was shown for it, and the last
    /// two to read with.
    case held(refresh: [UInt8], previous: [UInt8]?, access: [Access])
  }

  /// 16 hex digits.
  package let id: String
  package let client: Client
  package let person: Person
  /// The address that its tokens are for (RFC 8707).
  let resource: String
  let family: [UInt8]
  package let createdAt: Timestamp
  /// When it ends if nothing happens.
  package internal(set) var expires: Timestamp
  var stage: Stage

  /// How long a code, a token to read with, and a grant that is not refreshed hold, in seconds.
  static let (codeSeconds, accessSeconds, idleSeconds) = (60, 3600, 30 * 86_400)

  /// The only scope of agents, as OAuth names it.
  static let scope = "days.read"

  /// Whether tokens were given out.
  package var isHeld: Bool { if case .held = stage { true } else { false } }

  /// The agent as the name of a token would be.
  package var name: String { "agent.\(id)" }

  /// The agent as the server knows devices: it may read the days of whoever's token let it in, and
  /// nothing else.
  func device(of person: PersonID?) -> AuthenticatedDevice {
    let digits = Array(id)
    let parts = [digits[0..<8], digits[8..<12], digits[12..<16]].map { String($0) }
    return AuthenticatedDevice(
      name: name, endpoints: [.agents],
      deviceID: parts.joined(separator: "-") + "-8000-000000000000", person: person)
  }
}

// MARK: - The document

extension AgentGrant {
  var value: JSONValue {
    var members: [String: JSONValue] = [
      "id": .string(id), "client_sha256": .string(Hex.string(client.digest)),
      "client_name": .string(client.name), "client_place": .string(client.place),
      "person": .string(person.name), "person_sha256": .string(Hex.string(person.digest)),
      "resource": .string(resource), "family_sha256": .string(Hex.string(family)),
      "created_at": .string("\(createdAt)"), "expires_at": .string("\(expires)"),
    ]
    switch stage {
    case .offered(let offer):
      members["code_sha256"] = .string(Hex.string(offer.code))
      members["challenge"] = .string(Hex.string(offer.challenge))
      members["redirect_sha256"] = .string(Hex.string(offer.redirect))
    case .held(let refresh, let previous, let access):
      members["refresh_sha256"] = .string(Hex.string(refresh))
      if let previous { members["previous_sha256"] = .string(Hex.string(previous)) }
      // As text: earlier versions read no deeper document.
      members["access"] = .array(
        access.map { .string("\(Hex.string($0.digest)) \($0.expires)") })
    }
    return .object(members)
  }

  init?(_ value: JSONValue) {
    func text(_ name: String) -> String? { value[name]?.stringValue }
    func digest(_ name: String) -> [UInt8]? { text(name).flatMap(AccessToken.digest(ofHex:)) }
    func moment(_ name: String) -> Timestamp? { text(name).flatMap { Timestamp($0) } }
    guard let id = text("id"), GrantSecret.isHex(id, 16), let client = digest("client_sha256"),
      let name = text("client_name"), let place = text("client_place"),
      let person = text("person"), AccessToken.isName(person),
      let personDigest = digest("person_sha256"), let resource = text("resource"),
      let family = digest("family_sha256"), let createdAt = moment("created_at"),
      let expires = moment("expires_at")
    else { return nil }
    let stage: Stage
    if let code = digest("code_sha256"), let challenge = digest("challenge"),
      let redirect = digest("redirect_sha256")
    {
      stage = .offered(Offer(code: code, challenge: challenge, redirect: redirect))
    } else if let refresh = digest("refresh_sha256"), let listed = value["access"]?.arrayValue,
      listed.count <= 2
    {
      let access = listed.compactMap { element -> Access? in
        let words = (element.stringValue ?? "").split(separator: " ")
        guard words.count == 2, let digest = AccessToken.digest(ofHex: String(words[0])),
          let expires = Timestamp(String(words[1]))
        else { return nil }
        return Access(digest: digest, expires: expires)
      }
      guard access.count == listed.count else { return nil }
      stage = .held(refresh: refresh, previous: digest("previous_sha256"), access: access)
    } else {
      return nil
    }
    self.init(
      id: id, client: Client(digest: client, name: name, place: place),
      person: Person(name: person, digest: personDigest), resource: resource, family: family,
      createdAt: createdAt, expires: expires, stage: stage)
  }
}

/// What an agent holds of its grant: a code, a token to refresh with, or a token to read with (R63).
/// Only digests of it are kept. Pure.
///
/// A code and a token to refresh with also hold the secret of the family, which never changes: by it a
/// used one can be distinguished from a forged one.
struct GrantSecret: Hashable, Sendable {
  enum Kind: String, CaseIterable, Hashable, Sendable {
    case code = "s3c"
    case refresh = "s3r"
    case access = "s3a"
  }

  let kind: Kind
  /// The grant's id: 16 hex digits.
  let grant: String
  /// 32 hex digits; empty for a token to read with.
  let family: String
  /// 64 hex digits.
  let key: String

  init(_ kind: Kind, of grant: String, family: String = "", key: String) {
    (self.kind, self.grant, self.key) = (kind, grant, key)
    self.family = kind == .access ? "" : family
  }

  /// Reads what was sent; nil for anything else.
  init?(_ text: String) {
    guard text.utf8.count <= 200 else { return nil }
    let parts = text.utf8.split(separator: UInt8(ascii: "_"), omittingEmptySubsequences: false)
      .map { String(Substring($0)) }
    guard let kind = parts.first.flatMap(Kind.init(rawValue:)),
      parts.count == (kind == .access ? 3 : 4), let key = parts.last, Self.isHex(key, 64),
      Self.isHex(parts[1], 16), kind == .access || Self.isHex(parts[2], 32)
    else { return nil }
    self.init(kind, of: parts[1], family: kind == .access ? "" : parts[2], key: key)
  }

  var text: String {
    ([kind.rawValue, grant] + (family.isEmpty ? [] : [family]) + [key]).joined(separator: "_")
  }

  /// What is kept of it.
  var digest: [UInt8] { SHA256.digest(Array(text.utf8)) }
  var familyDigest: [UInt8] { SHA256.digest(Array(family.utf8)) }

  static func isHex(_ text: String, _ count: Int) -> Bool {
    text.utf8.count == count
      && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
  }
}

/// Random digits for what may be given out, made before it is decided whether it is.
struct FreshKeys: Hashable, Sendable {
  let grant = Hex.random(16)
  let family = Hex.random(32)
  let access = Hex.random(64)
  /// Also that of a code.
  let refresh = Hex.random(64)
}
