/// The parts of a request that are signed, none of them percent-encoded.
package struct SigningRequest: Sendable {
  package var method: String
  /// Decoded, beginning with `/`. For services other than S3, as it is sent (`PathStyle`).
  package var path: String
  /// Decoded, in any order. A nil value is signed and sent as `name=`.
  package var query: [(name: String, value: String?)]
  /// Must include `host`. Names may have any case. Headers that proxies change are not signed
  /// (`CanonicalHeaders`).
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
