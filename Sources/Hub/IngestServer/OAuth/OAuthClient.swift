import ContentDigests
import HealthModel

/// A program that wants tokens, as it has registered (R63, RFC 7591). Pure.
///
/// Its id says all that it has registered, so nothing is kept of it: any instance knows every program,
/// and no number of registrations needs room. It proves nothing, as no registration that is open to
/// all does: what a person is shown of it is what the code is then sent to.
struct OAuthClient: Hashable, Sendable {
  /// The most addresses of one, and the most bytes of its id.
  static let (maximumRedirects, maximumBytes) = (8, 3072)
  private static let maximumName = 64
  private static let prefix = "s3hc_"

  let id: String
  /// As it calls itself.
  let name: String
  let redirects: [RedirectAddress]

  private init?(name: String, redirects: [String]) {
    guard (1...Self.maximumRedirects).contains(redirects.count) else { return nil }
    let found = redirects.compactMap(RedirectAddress.init)
    guard found.count == redirects.count, name == Self.shown(name) else { return nil }
    let value = JSONValue.object([
      "name": .string(name), "redirect_uris": .array(redirects.map { .string($0) }),
    ])
    let letters = Base64.encodeForURL(value.canonicalBytes)
    id = Self.prefix + String(letters.prefix { $0 != "=" })
    (self.name, self.redirects) = (name, found)
    guard id.utf8.count <= Self.maximumBytes else { return nil }
  }

  /// The program of an id; nil if no registration gives this id.
  init?(id: String) {
    guard id.utf8.count <= Self.maximumBytes, id.hasPrefix(Self.prefix) else { return nil }
    guard let bytes = Base64.decodeForURL(id.utf8.dropFirst(Self.prefix.utf8.count)),
      let value = try? JSONValue(parsing: bytes, maximumDepth: 2),
      let name = value["name"]?.stringValue, let listed = value["redirect_uris"]?.arrayValue
    else { return nil }
    let redirects = listed.compactMap(\.stringValue)
    guard redirects.count == listed.count, let made = Self(name: name, redirects: redirects),
      made.id == id
    else { return nil }
    self = made
  }

  /// The program that a document describes.
  init(registering body: [UInt8]) throws(OAuthFault) {
    guard let value = try? JSONValue(parsing: body, maximumDepth: 8), case .object = value else {
      throw OAuthFault(.invalidMetadata, "the body must be a JSON object")
    }
    guard let listed = value["redirect_uris"]?.arrayValue else {
      throw OAuthFault(.invalidRedirect, "redirect_uris must be a list")
    }
    // What is not taken is left out, and the answer says what was registered (RFC 7591): editors
    // register the addresses of all their editions at once.
    var redirects: [String] = []
    for text in listed.compactMap(\.stringValue)
    where RedirectAddress(text) != nil && !redirects.contains(text) {
      redirects.append(text)
      if redirects.count == Self.maximumRedirects { break }
    }
    guard !redirects.isEmpty else {
      throw OAuthFault(
        .invalidRedirect,
        "redirect_uris must have an address of https, of http to 127.0.0.1, [::1] or localhost, or "
          + "of a program’s own scheme (scheme://), without a fragment")
    }
    for (member, needed) in [("grant_types", "authorization_code"), ("response_types", "code")] {
      if let listed = value[member]?.arrayValue, !listed.contains(.string(needed)) {
        throw OAuthFault(.invalidMetadata, "\(member) must have \(needed)")
      }
    }
    let name = Self.shown(value["client_name"]?.stringValue ?? "")
    guard let made = Self(name: name, redirects: redirects) else {
      throw OAuthFault(.invalidMetadata, "the registration is too long")
    }
    self = made
  }

  /// The registered address that a request names; nil if it names none of them.
  func redirect(_ text: String) -> RedirectAddress? {
    guard let asked = RedirectAddress(text), redirects.contains(where: asked.isSame) else {
      return nil
    }
    return asked
  }

  /// What RFC 7591 answers.
  func registration(at now: Timestamp) -> JSONValue {
    .object([
      "client_id": .string(id), "client_name": .string(name),
      "client_id_issued_at": .number(Double(now.secondsSince1970)),
      "redirect_uris": .array(redirects.map { .string($0.text) }),
      "grant_types": .array([.string("authorization_code"), .string("refresh_token")]),
      "response_types": .array([.string("code")]),
      "token_endpoint_auth_method": .string("none"), "scope": .string(AgentGrant.scope),
    ])
  }

  /// A name as a person may be shown it: one line, of characters that are seen.
  private static func shown(_ text: String) -> String {
    var name = String.UnicodeScalarView()
    for scalar in text.unicodeScalars.prefix(maximumName) {
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse,
        .unassigned:
        continue
      default: name.append(scalar)
      }
    }
    let trimmed = String(name).split(separator: " ").joined(separator: " ")
    return trimmed.isEmpty ? "A program without a name" : trimmed
  }
}
