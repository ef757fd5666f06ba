import ContentDigests
import HTTPClient
import HealthModel

/// What a program asks a person for, in the address that it opens in a browser (R63). Pure.
struct AuthorizationQuestion: Hashable, Sendable {
  let client: OAuthClient
  let redirect: RedirectAddress
  /// SHA-256 of the verifier.
  let challenge: [UInt8]
  let resource: String
  private let state: String?
  /// The same question as text, to be asked again.
  let query: String

  /// The members of the query; others are ignored.
  private static let names = [
    "client_id", "code_challenge", "code_challenge_method", "redirect_uri", "resource",
    "response_mode", "response_type", "scope", "state",
  ]
  private static let maximumBytes = 1024

  /// - Throws: `InvalidText`, which the page shows. No browser is redirected before the person has
  ///   answered, because anybody can register an address.
  init(_ text: some Collection<UInt8>, for origin: ServerOrigin) throws(InvalidText) {
    guard let fields = FormText.onlyFields(text) else {
      throw InvalidText("its request is damaged, or says something twice")
    }
    guard let client = fields["client_id"].flatMap(OAuthClient.init(id:)) else {
      throw InvalidText("it is not registered here")
    }
    guard let redirect = fields["redirect_uri"].flatMap(client.redirect) else {
      throw InvalidText("it wants the answer at another address than it has registered")
    }
    guard fields["response_type"] == "code", ["query", nil].contains(fields["response_mode"]),
      fields["request"] == nil, fields["request_uri"] == nil
    else { throw InvalidText("it asks in a way that this server does not support") }
    guard fields["code_challenge_method"] == "S256",
      let challenge = fields["code_challenge"].flatMap(Self.challenge)
    else {
      throw InvalidText(
        "it does not protect its request (PKCE with S256), so others could use the answer")
    }
    guard fields["resource"].map(origin.isResource) ?? true else {
      throw InvalidText("it asks for another server than this one")
    }
    let texts = ["state", "scope"].compactMap { fields[$0] }
    guard texts.allSatisfy({ $0.utf8.count <= Self.maximumBytes }) else {
      throw InvalidText("its request is too long")
    }
    (self.client, self.redirect, self.challenge) = (client, redirect, challenge)
    (resource, state) = (origin.resource, fields["state"])
    query = Self.names.compactMap { name in
      fields[name].map { "\(name)=\(PercentCoding.encode($0))" }
    }.joined(separator: "&")
  }

  /// What the person may allow.
  var offer: GrantOffer {
    GrantOffer(
      client: AgentGrant.Client(
        digest: TokenSecret.digest(of: Array(client.id.utf8)), name: client.name,
        place: redirect.place),
      resource: resource, challenge: challenge, redirect: redirect.text)
  }

  /// Where the browser goes with the answer (RFC 9207 names the issuer in it).
  func address(_ answer: (name: String, value: String), of origin: ServerOrigin) -> String {
    let fields =
      [(answer.name, answer.value)] + (state.map { [("state", $0)] } ?? [])
      + [("iss", origin.text)]
    return redirect.adding(fields) { PercentCoding.encode($0) }
  }

  /// The 32 bytes of a challenge, which is their Base64 for addresses, without padding.
  private static func challenge(_ text: String) -> [UInt8]? {
    guard text.utf8.count == 43 else { return nil }
    return Base64.decodeForURL(text.utf8).flatMap { $0.count == 32 ? $0 : nil }
  }
}

extension Base64 {
  /// The bytes of text in the alphabet for URLs, without padding; nil for anything else.
  static func decodeForURL(_ text: some Collection<UInt8>) -> [UInt8]? {
    let letters = text.map { byte -> UInt8 in
      switch byte {
      case UInt8(ascii: "-"): UInt8(ascii: "+")
      case UInt8(ascii: "_"): UInt8(ascii: "/")
      // Not in this alphabet: what is in none takes its place.
      case UInt8(ascii: "+"), UInt8(ascii: "/"), UInt8(ascii: "="): 0
      default: byte
      }
    }
    return decode(letters)
  }
}
