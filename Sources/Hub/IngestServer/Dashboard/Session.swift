import ContentDigests
import Digests
import HealthModel

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
    var generator = SystemRandomNumberGenerator()
    let bytes = (0..<16).map { _ in UInt8.random(in: 0...255, using: &generator) }
    self.init(name: name, id: Hex.string(bytes), expires: now.adding(seconds: Self.lifetime))
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

  /// The session of a cookie; nil unless its token is there, may be used for these pages, and has
  /// signed it, and its time is not over.
  static func valid(
    _ cookie: String, _ table: TokenTable, at now: Timestamp, for pages: Endpoint = .dashboard
  ) -> (session: Session, token: AccessToken)? {
    let parts = cookie.utf8.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
      .map { String(Substring($0)) }
    guard cookie.utf8.count <= 256, parts.count == 4, let token = table[parts[0]],
      token.opens(pages), parts[1].utf8.count == 32,
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
  /// Whether it gives access to pages: the dashboard's, or the administrators', whose tokens belong to no
  /// person.
  func opens(_ pages: Endpoint) -> Bool {
    device.scope.endpoints.contains(pages) && (pages != .people || device.person == nil)
  }
}

/// The cookie of a session: no script reads it, and no other site's page sends it (R59). Pure.
enum SessionCookie {
  /// Browsers accept this prefix only over https, and only from this host. The administrators' pages have
  /// their own cookie, so that one person can be signed in to both.
  static func name(isSecure: Bool, for pages: Endpoint = .dashboard) -> String {
    (isSecure ? "__Host-s3healthd" : "s3healthd") + (pages == .people ? "-people" : "")
  }

  static func setting(
    _ value: String, isSecure: Bool, for pages: Endpoint = .dashboard
  ) -> HeaderField {
    field(value, seconds: Session.lifetime, isSecure, pages)
  }

  static func clearing(isSecure: Bool, for pages: Endpoint = .dashboard) -> HeaderField {
    field("", seconds: 0, isSecure, pages)
  }

  private static func field(
    _ value: String, seconds: Int, _ isSecure: Bool, _ pages: Endpoint
  ) -> HeaderField {
    HeaderField(
      "Set-Cookie",
      "\(name(isSecure: isSecure, for: pages))=\(value); Path=/; Max-Age=\(seconds); HttpOnly; SameSite=Strict"
        + (isSecure ? "; Secure" : ""))
  }
}
