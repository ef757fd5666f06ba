/// Where a signature goes.
package enum SigningForm: Hashable, Sendable {
  /// Into the `authorization` header.
  case headers
  /// Into the query of a URL that is good for so many seconds.
  case query(expiresInSeconds: Int)
}
