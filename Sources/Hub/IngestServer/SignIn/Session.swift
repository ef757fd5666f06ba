import ContentDigests
import Digests
import HealthModel
import Synchronization

/// A browser that is signed in, as its cookie says it (R59): the server keeps nothing of it, so that
/// any instance takes it.
///
/// The signature's key comes from the digest of the token that signed in: with the token, its
/// sessions go. Pure.
struct Session: Hashable, Sendable {
  /// The token's name.
  let name: String
  /// 32 hex digits that no other session has.
  let id: String
  let expires: Timestamp

  /// How long a session lasts, in seconds.
  static let lifetime = 7 * 86_400

  init(name: String, id: String, expires: Timestamp) {
    (self.name, self.id, self.expires) = (name, id, expires)
  }

  /// A new one.
  init(of name: String, at now: Timestamp) {
    self.init(name: name, id: Hex.random(32), expires: now.adding(seconds: Self.lifetime))
  }

  /// The cookie's value.
  func cookie(_ token: AccessToken) -> String { "\(text):\(Self.mac(text, token))" }

  /// What the forms of its pages must send back: a page of another site can't know it.
  func formKey(_ token: AccessToken) -> String { Self.mac("form \(id)", token) }

  /// The same for the form that lets an agent in: it holds for what the person was asked, and nothing
  /// else (R63).
  func consentKey(_ token: AccessToken, for question: String) -> String {
    Self.mac("consent \(id) \(question)", token)
  }

  /// The session of a cookie; nil unless its token is there, may be used for the pages, and has signed
  /// it, and its time is not over.
  static func valid(
    _ cookie: String, _ table: TokenTable, at now: Timestamp
  ) -> (session: Session, token: AccessToken)? {
    let parts = cookie.utf8.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
      .map { String(Substring($0)) }
    guard cookie.utf8.count <= 256, parts.count == 4, let token = table[parts[0]],
      token.opensPages, parts[1].utf8.count == 32,
      let seconds = Int(parts[2])
    else { return nil }
    let session = Session(
      name: parts[0], id: parts[1], expires: Timestamp(secondsSince1970: seconds))
    guard TokenTable.areEqual(Array(session.cookie(token).utf8), Array(cookie.utf8)),
      session.expires > now, seconds <= now.secondsSince1970 + 2 * lifetime
    else { return nil }
    return (session, token)
  }

  private var text: String { "\(name):\(id):\(expires.secondsSince1970)" }

  private static func mac(_ text: String, _ token: AccessToken) -> String {
    let key = HMAC.sha256(key: token.digest, Array("s3healthd session v1".utf8))
    return Hex.string(HMAC.sha256(key: key, Array(text.utf8)))
  }
}

extension AccessToken {
  /// Whether a person can sign in with it.
  var opensPages: Bool { device.endpoints.contains(.dashboard) }
}

/// The cookie of a session: no script reads it, and no other site's page sends it (R59). Pure.
enum SessionCookie {
  /// Browsers accept this prefix only over https, and only from this host.
  static func name(isSecure: Bool) -> String { isSecure ? "__Host-s3healthd" : "s3healthd" }

  static func setting(_ value: String, isSecure: Bool) -> HeaderField {
    field(value, seconds: Session.lifetime, isSecure)
  }

  static func clearing(isSecure: Bool) -> HeaderField { field("", seconds: 0, isSecure) }

  private static func field(_ value: String, seconds: Int, _ isSecure: Bool) -> HeaderField {
    HeaderField(
      "Set-Cookie",
      "\(name(isSecure: isSecure))=\(value); Path=/; Max-Age=\(seconds); HttpOnly; SameSite=Strict"
        + (isSecure ? "; Secure" : ""))
  }
}

/// Sessions that were ended before their time: cookies of them that somebody has kept are refused, also
/// after a restart (R59).
package final class EndedSessions: Sendable {
  /// By the session's id, when it would have ended.
  private let ended: Mutex<[String: Timestamp]>
  private let save: @Sendable ([UInt8]) -> Void

  private static let maximum = 10_000
  /// The most bytes of the document.
  package static let maximumBytes = 1 << 20

  /// - Parameters:
  ///   - document: what was saved last; nil if nothing was.
  ///   - save: keeps a document for the next start.
  package init(
    _ document: [UInt8]? = nil, save: @escaping @Sendable ([UInt8]) -> Void = { _ in }
  ) {
    var held: [String: Timestamp] = [:]
    if case .object(let members)? = document.flatMap({ try? JSONValue(parsing: $0) }) {
      held = members.compactMapValues { $0.stringValue.flatMap { Timestamp($0) } }
    }
    ended = Mutex(held)
    self.save = save
  }

  func contains(_ session: Session) -> Bool { ended.withLock { $0[session.id] != nil } }

  func end(_ session: Session, at now: Timestamp) {
    ended.withLock { ended in
      ended = ended.filter { $0.value > now }
      guard ended.count < Self.maximum else { return }
      ended[session.id] = session.expires
      save(JSONValue.object(ended.mapValues { .string("\($0)") }).canonicalBytes)
    }
  }
}

/// The key of a form as it stands in a page: random bytes, and the key XORed with them. Pages are
/// compressed, and a text that never changes could be guessed from their lengths (`AnswerPacking`). Pure,
/// except for the random bytes.
enum MaskedKey {
  /// The masked form, 128 hex digits, of a key of 64.
  static func masked(_ key: String) -> String {
    masked(key, mask: Hex.randomBytes(32))
  }

  static func masked(_ key: String, mask: [UInt8]) -> String {
    let bytes = Hex.bytes(key) ?? []
    return Hex.string(mask + zip(bytes, mask).map { $0 ^ $1 })
  }

  /// The key in a masked form; nil for any other text.
  static func key(_ text: String) -> String? {
    guard text.utf8.count == 128, let bytes = Hex.bytes(text) else { return nil }
    return Hex.string(zip(bytes.prefix(32), bytes.dropFirst(32)).map { $0 ^ $1 })
  }
}
