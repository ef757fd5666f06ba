import ObjectStore

/// What was being done when a server or the network refused, so that the error can say it.
struct ErrorContext: Sendable {
  /// Such as `reading`, `writing`, `listing`, `deleting`.
  let verb: String
  let key: String?
  let location: BucketLocation
  /// How far the server's clock is ahead, if it was seen.
  let clockOffset: Int?
  /// Where the credentials came from, never what they are.
  let credentialsSource: String?

  /// All that a refused signature can depend on, on one line.
  var settings: String {
    var text = "bucket \(location.bucket), \(location)"
    if let credentialsSource { text += ", credentials from \(credentialsSource)" }
    if let clockOffset {
      text += ", server clock \(clockOffset >= 0 ? "+" : "")\(clockOffset) s"
    } else {
      text += ", server clock unknown"
    }
    return text
  }

  func error(
    _ code: StoreError.Code, _ message: String, remedy: StoreError.Remedy?,
    serverDetail: String? = nil,
    isRetryable: Bool = false
  ) -> StoreError {
    StoreError(
      code, message, key: key, remedy: remedy, serverDetail: serverDetail,
      isRetryable: isRetryable)
  }
}
