import ContentDigests
import Digests
import HealthModel
import MCPServer

/// Signs the ids that a server gives to one agent (R53). Its key is made from the stored digest of the
/// agent's token or grant. So every server that accepts the token accepts the ids, and revoking the token
/// ends them. Pure.
struct AgentSeal: Hashable, Sendable {
  private let key: [UInt8]

  /// - Parameter digest: the stored digest of the secret.
  init(digest: [UInt8]) {
    key = HMAC.sha256(key: digest, Array("s3healthd agent session v1".utf8))
  }

  /// 64 hex digits.
  func mac(_ text: String) -> String { Hex.string(HMAC.sha256(key: key, Array(text.utf8))) }

  func isMAC(_ sent: String, of text: String) -> Bool {
    TokenTable.areEqual(Array(mac(text).utf8), Array(sent.utf8))
  }
}

extension TokenTable {
  /// The seal of the agent with this name: of a token, or of a grant, whose family stays when its
  /// tokens are renewed. Nil if there is none.
  func agentSeal(of name: String) -> AgentSeal? {
    if let token = self[name] { return AgentSeal(digest: token.digest) }
    return grants.first { $0.name == name }.map { AgentSeal(digest: $0.family) }
  }
}

/// A session of an agent, as its id describes it (R53). Servers store nothing about an open session, so
/// any of them accepts it. Pure.
struct AgentSession: Hashable, Sendable {
  /// The revision that `initialize` agreed on.
  let version: ProtocolVersion
  /// Seconds since 1970.
  let begun: Int
  /// 32 hex digits that no other session has.
  let id: String

  /// How long a session lasts, in seconds.
  static let lifetime = 7 * 86_400

  private static let prefix = "s3s"

  /// A new one.
  init(_ version: ProtocolVersion, at now: Timestamp) {
    (self.version, begun, id) = (version, now.secondsSince1970, GrantSecret.random(32))
  }

  /// The session with an id; nil unless it was given to this agent and has not expired.
  init?(_ text: String, _ seal: AgentSeal, at now: Timestamp) {
    guard text.utf8.count <= 160 else { return nil }
    let parts = text.utf8.split(separator: UInt8(ascii: "_"), omittingEmptySubsequences: false)
      .map { String(Substring($0)) }
    guard parts.count == 5, parts[0] == Self.prefix,
      let version = ProtocolVersion(rawValue: parts[1]), let begun = Int(parts[2]),
      GrantSecret.isHex(parts[3], 32)
    else { return nil }
    (self.version, self.begun, id) = (version, begun, parts[3])
    guard "\(begun)" == parts[2], seal.isMAC(parts[4], of: bare), isOpen(at: now) else {
      return nil
    }
  }

  /// Whether it has not expired. The clock of the server that began it may be ahead.
  func isOpen(at now: Timestamp) -> Bool {
    let age = now.secondsSince1970 - begun
    return age < Self.lifetime && age > -Self.lifetime
  }

  /// The value of `Mcp-Session-Id`.
  func text(_ seal: AgentSeal) -> String { "\(bare)_\(seal.mac(bare))" }

  private var bare: String { "\(Self.prefix)_\(version.rawValue)_\(begun)_\(id)" }
}
