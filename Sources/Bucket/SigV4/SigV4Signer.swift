import Digests
import HTTPClient
import Secrets
import Synchronization

/// AWS Signature Version 4; no I/O, no clock.
///
/// Copies share a cache of signing keys and can be used from any task at the same time.
package struct SigV4Signer: Sendable {
  /// How the path is made canonical.
  package enum PathStyle: Hashable, Sendable {
    /// The decoded path, encoded once and never normalised.
    case s3
    /// The path as it is sent, encoded again and normalised if requested.
    case generic(normalizes: Bool)
  }

  package let region: String
  package let service: String
  package let pathStyle: PathStyle
  /// Whether signing adds and signs the header `x-amz-content-sha256`, which S3 requires.
  package let signsPayloadHashHeader: Bool
  /// False for the few services that want the session token added after signing.
  package let signsSessionToken: Bool
  private let keys = SigningKeyCache()

  /// - Parameter signsPayloadHashHeader: nil for the default of the path style.
  package init(
    region: String, service: String = "s3", pathStyle: PathStyle = .s3,
    signsPayloadHashHeader: Bool? = nil, signsSessionToken: Bool = true
  ) {
    self.region = region
    self.service = service
    self.pathStyle = pathStyle
    self.signsPayloadHashHeader = signsPayloadHashHeader ?? (pathStyle == .s3)
    self.signsSessionToken = signsSessionToken
  }

  /// The headers to add: `x-amz-date`, `x-amz-content-sha256` (S3 only), `x-amz-security-token` if
  /// there is a token, and `authorization`. They replace headers of the same names in the request.
  package func sign(
    _ request: SigningRequest, credentials: SigningCredentials, secondsSince1970: Int
  ) -> [(name: String, value: String)] {
    let stages = stages(request, credentials, secondsSince1970)
    let signature = stages.signature(key: keys.key(credentials.secretAccessKey, stages.scope))
    var headers = stages.addedHeaders
    if let token = credentials.sessionToken, !signsSessionToken {
      headers.append(("x-amz-security-token", token.revealed))
    }
    var authorization: [UInt8] = []
    authorization.reserveCapacity(320)
    authorization.append(contentsOf: "AWS4-HMAC-SHA256 Credential=".utf8)
    authorization.append(contentsOf: credentials.accessKeyID.utf8)
    authorization.append(UInt8(ascii: "/"))
    authorization.append(contentsOf: stages.scope.text.utf8)
    authorization.append(contentsOf: ", SignedHeaders=".utf8)
    authorization.append(contentsOf: stages.signedHeaders)
    authorization.append(contentsOf: ", Signature=".utf8)
    authorization.append(contentsOf: signature.utf8)
    headers.append(("authorization", String(decoding: authorization, as: UTF8.self)))
    return headers
  }

  /// The text whose hash is in the string to sign. It contains the session token.
  package func canonicalRequest(
    _ request: SigningRequest, credentials: SigningCredentials, secondsSince1970: Int
  ) -> String {
    String(
      decoding: stages(request, credentials, secondsSince1970).canonicalRequest,
      as: UTF8.self)
  }

  /// The text that is signed.
  package func stringToSign(
    _ request: SigningRequest, credentials: SigningCredentials, secondsSince1970: Int
  ) -> String {
    String(
      decoding: stages(request, credentials, secondsSince1970).stringToSign, as: UTF8.self)
  }

  /// The path as it is sent for S3: every byte percent-encoded once, except unreserved bytes and
  /// `/`.
  package static func encodedPath(_ path: String) -> String {
    PercentCoding.encode(path, keepingSlashes: true)
  }

  /// The query as it is sent and signed: names and values encoded, sorted, joined by `&`.
  package static func encodedQuery(_ query: [(name: String, value: String?)]) -> String {
    var bytes: [UInt8] = []
    CanonicalQuery.append(query, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  private func stages(
    _ request: SigningRequest, _ credentials: SigningCredentials, _ secondsSince1970: Int
  ) -> SigningStages {
    let (time, scope) = keys.moment(secondsSince1970, region: region, service: service)
    return SigningStages(
      request, credentials: credentials, signer: self, time: time, scope: scope)
  }
}

/// What a signing key is derived from.
struct SigningScope: Sendable {
  let date: String
  let region: String
  let service: String
  /// `20150830/us-east-1/service/aws4_request`.
  let text: String

  init(date: String, region: String, service: String) {
    (self.date, self.region, self.service) = (date, region, service)
    text = date + "/" + region + "/" + service + "/aws4_request"
  }

  /// The signing key of a secret for this scope: four HMACs.
  func key(_ secret: Secret) -> [UInt8] {
    var key = Array("AWS4".utf8) + Array(secret.revealed.utf8)
    for part in [date, region, service, "aws4_request"] {
      key = HMAC.sha256(key: key, Array(part.utf8))
    }
    return key
  }
}

/// The signing keys in use, one per secret, day, region and service. Deriving one costs more than
/// the rest of a signature.
final class SigningKeyCache: Sendable {
  private struct Entry {
    let secret: Secret
    let scope: String
    let key: [UInt8]
  }

  /// A new day, a renewed session and a redirect to another region each add one key.
  private static let capacity = 8

  private let entries = Mutex<[Entry]>([])
  /// The last second that was signed, as text, because a thousand requests may share it.
  private let lastMoment = Mutex<(seconds: Int, time: SigningTime, scope: SigningScope)?>(nil)

  /// A second as signatures write it, and the scope of the key for its day.
  func moment(
    _ secondsSince1970: Int, region: String, service: String
  ) -> (time: SigningTime, scope: SigningScope) {
    lastMoment.withLock { last in
      if let last, last.seconds == secondsSince1970 { return (last.time, last.scope) }
      let time = SigningTime(secondsSince1970: secondsSince1970)
      let scope = SigningScope(date: String(time.date), region: region, service: service)
      last = (secondsSince1970, time, scope)
      return (time, scope)
    }
  }

  func key(_ secret: Secret, _ scope: SigningScope) -> [UInt8] {
    let known = entries.withLock { entries in
      entries.first { $0.scope == scope.text && $0.secret == secret }?.key
    }
    if let known { return known }
    let key = scope.key(secret)
    entries.withLock { entries in
      entries.insert(Entry(secret: secret, scope: scope.text, key: key), at: 0)
      if entries.count > Self.capacity { entries.removeLast() }
    }
    return key
  }
}
