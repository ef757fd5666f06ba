/// An access key with its secret; its description never shows the secret or the token.
package struct SigningCredentials: Hashable, Sendable, CustomStringConvertible {
  package let accessKeyID: String
  package let secretAccessKey: String
  package let sessionToken: String?

  package init(accessKeyID: String, secretAccessKey: String, sessionToken: String? = nil) {
    self.accessKeyID = accessKeyID
    self.secretAccessKey = secretAccessKey
    self.sessionToken = sessionToken
  }

  package var description: String { "access key \(accessKeyID)" }
}

/// The parts of a request that are signed, none of them percent-encoded.
package struct SigningRequest: Sendable {
  package var method: String
  /// Decoded, beginning with `/`.
  package var path: String
  /// Decoded, in any order; a nil value is signed and sent as `name=`.
  package var query: [(name: String, value: String?)]
  /// Must include `host`.
  package var headers: [(name: String, value: String)]
  /// Lower-case hex SHA-256 of the body, or `UNSIGNED-PAYLOAD`.
  package var payloadHash: String

  package init(
    method: String, path: String, query: [(name: String, value: String?)] = [],
    headers: [(name: String, value: String)], payloadHash: String
  ) {
    self.method = method
    self.path = path
    self.query = query
    self.headers = headers
    self.payloadHash = payloadHash
  }
}

/// AWS Signature Version 4; no I/O, no clock.
package struct SigV4Signer: Sendable {
  /// How the path becomes canonical: S3 encodes it once and never normalises; other services
  /// encode it twice and normalise unless told not to.
  package enum PathStyle: Sendable {
    case s3
    case generic(normalizes: Bool)
  }

  package let region: String
  package let service: String
  package let pathStyle: PathStyle

  package init(region: String, service: String = "s3", pathStyle: PathStyle = .s3) {
    (self.region, self.service, self.pathStyle) = (region, service, pathStyle)
  }

  /// The headers to add: `x-amz-date`, `x-amz-content-sha256` (S3 only), `x-amz-security-token`
  /// if there is a token, and `authorization`.
  package func sign(
    _ request: SigningRequest, credentials: SigningCredentials, secondsSince1970: Int
  ) -> [(name: String, value: String)] { [] }

  /// The complete encoded query of a presigned URL, signature included.
  package func presignedQuery(
    _ request: SigningRequest, credentials: SigningCredentials, secondsSince1970: Int,
    expiresInSeconds: Int
  ) -> String { "" }

  /// The path as it is sent for S3: every byte but unreserved ones and `/` percent-encoded, once.
  package static func encodedPath(_ path: String) -> String { path }

  /// The query as it is sent and signed: names and values encoded, sorted, joined by `&`.
  package static func encodedQuery(_ query: [(name: String, value: String?)]) -> String { "" }
}
