import HTTPClient
import ObjectStore

/// What was being done when a server or the network failed, for the error.
struct ErrorContext: Sendable {
  /// What was being done: `reading`, `writing`, `listing`, `deleting` and so on.
  let verb: String
  let key: String?
  let location: BucketLocation
  /// How far the server's clock is ahead, if known.
  let clockOffset: Int?
  /// The source of the credentials, never the credentials themselves.
  let credentialsSource: String?
  /// The prefix of a listing.
  var listedPrefix: String?
  /// Whether the request asked the server to encrypt.
  var asksForEncryption = false
  /// What sent the request.
  var transport: (any HTTPTransport)?

  /// The proxy between this machine and the server; nil if there is none.
  var proxy: HTTPProxy? { transport?.proxy(for: location.url(key: nil)) }

  /// Everything that a refused signature can depend on, on one line.
  var settings: String {
    var text = "bucket \(location.bucket), \(location)"
    if let credentialsSource { text += ", credentials from \(credentialsSource)" }
    guard let clockOffset else { return text + ", server clock unknown" }
    // A header's time has whole seconds, so a difference of one says nothing.
    if !(-1...1).contains(clockOffset) {
      text += ", server clock \(clockOffset > 0 ? "+" : "")\(clockOffset) s"
    }
    return text
  }

  func error(
    _ code: StoreError.Code, _ message: String, remedy: StoreError.Remedy?,
    serverDetail: String? = nil,
    isRetryable: Bool = false, cause: StoreError.Cause? = nil
  ) -> StoreError {
    var error = StoreError(
      code, message, key: key, remedy: remedy, serverDetail: serverDetail,
      isRetryable: isRetryable)
    error.cause = cause
    return error
  }
}
