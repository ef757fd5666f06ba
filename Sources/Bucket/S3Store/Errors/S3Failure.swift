import HTTPClient
import XMLTree

/// What a server answered when it did not do what was asked.
struct S3Failure: Hashable, Sendable {
  let status: Int
  /// The code, such as `NoSuchKey`; nil if the answer holds no S3 error.
  let code: String?
  let message: String?
  let requestID: String?
  /// The bucket's region, if the answer reports it.
  let region: String?
  /// The target of a redirect: only for people, it is never followed.
  let location: String?
  /// `Retry-After` in seconds.
  let retryAfter: Int?
  /// The server, or something in front of it, accepts only https on this port.
  let wantsTLS: Bool
  /// False if the answer does not look like S3 at all: a proxy, a console, a captive portal.
  let isFromS3: Bool

  init(
    status: Int, code: String? = nil, message: String? = nil, requestID: String? = nil,
    region: String? = nil, location: String? = nil, retryAfter: Int? = nil, wantsTLS: Bool = false,
    isFromS3: Bool = true
  ) {
    self.status = status
    self.code = code
    self.message = message
    self.requestID = requestID
    self.region = region
    self.location = location
    self.retryAfter = retryAfter
    self.wantsTLS = wantsTLS
    self.isFromS3 = isFromS3
  }
}

extension S3Failure {
  /// Parses an answer that is not a success.
  ///
  /// - Parameter secrets: removed wherever the server repeats them.
  init(_ response: HTTPResponse, hiding secrets: [String]) {
    let root = try? XMLReader.read(response.body, maximumElements: 200)
    // Some servers wrap it as <ErrorResponse><Error>.
    let error = root?.name == "Error" ? root : root?.first("Error")
    func clean(_ text: String?) -> String? { text?.cleaned(hiding: secrets) }
    let requestID = response.header("x-amz-request-id") ?? error?.value("RequestId")
    let code = error?.value("Code")
    self.init(
      status: response.status, code: clean(code), message: clean(error?.value("Message")),
      requestID: clean(requestID),
      region: response.header("x-amz-bucket-region") ?? error?.value("Region"),
      location: clean(response.header("location") ?? error?.value("Endpoint")),
      retryAfter: response.retryAfter,
      wantsTLS: code == "InsecureClientRequest" || (code == nil && Self.wantsTLS(response)),
      isFromS3: code != nil || (response.body.isEmpty && requestID != nil))
  }

  /// The texts of Go's servers, nginx and Apache. There is no status for this.
  private static func wantsTLS(_ response: HTTPResponse) -> Bool {
    guard response.status == 400 || response.status == 497 else { return false }
    let text = String(decoding: response.body.prefix(2048), as: UTF8.self).lowercased()
    return ["http request to an https server", "to https port", "ssl-enabled server port"]
      .contains { text.firstRange(of: $0) != nil }
  }

  /// Codes and statuses after which the same request may well succeed.
  var isTransient: Bool {
    if let code, Self.transientCodes.contains(code) || code.hasPrefix("Throttling") { return true }
    switch status {
    case 408, 429, 499: return true
    // The others say what will be so the next time: not implemented, no such version of HTTP, full.
    case 500...599: return ![501, 505, 507].contains(status)
    default: return false
    }
  }

  /// The precondition did not hold, or another write was in progress. Read the object again.
  var isConflict: Bool {
    status == 412 || status == 409 || status == 304 || code == "PreconditionFailed"
      || code == "ConditionalRequestConflict" || code == "ConcurrentModification"
  }

  /// There is no object under the key, reported by an S3 server and not by anything else that
  /// answers 404.
  var isMissingKey: Bool {
    code == "NoSuchKey" || (status == 404 && code == nil && isFromS3)
  }

  /// These credentials may not do this, whoever else may.
  var isDenial: Bool {
    status == 403 && (code == "AccessDenied" || code == nil && isFromS3) && !namesEncryptionKey
  }

  /// The server implements nothing of this kind.
  var isNotImplemented: Bool { status == 501 || code == "NotImplemented" }

  /// The server could do it if it had encryption keys. MinIO reports this with a 501.
  var lacksEncryption: Bool {
    isNotImplemented && message?.lowercased().firstRange(of: "encryption") != nil
      || code?.hasPrefix("XMinioKMS") == true
  }

  /// A denial that is not of the object but of the key with which it is encrypted.
  var namesEncryptionKey: Bool { message?.firstRange(of: "kms:") != nil }

  private static let transientCodes: Set<String> = [
    "SlowDown", "SlowDownRead", "SlowDownWrite", "InternalError", "RequestTimeout", "Throttling",
    "ServiceUnavailable", "Busy", "BandwidthLimitExceeded", "RequestLimitExceeded",
    "TooManyRequests", "TransientError", "OperationAborted",
  ]
}

extension S3Failure: CustomStringConvertible {
  /// The server's words: `SlowDown: please reduce your rate (status 503, request id 7B3F)`
  var description: String {
    var text = [code, message].compactMap { $0 }.joined(separator: ": ")
    if text.isEmpty { text = isFromS3 ? "nothing more" : "nothing that is S3's" }
    text += " (status \(status)"
    if let region { text += ", region \(region.cleaned())" }
    if let location { text += ", redirects to \(location)" }
    if let requestID { text += ", request id \(requestID)" }
    return text + ")"
  }
}

extension S3Failure {
  /// The server refuses the time of the signature.
  var isClockRefusal: Bool {
    code == "RequestTimeTooSkewed" || code == "RequestExpired" || code == "RequestInTheFuture"
  }

  /// The credentials were valid but have expired.
  var isExpiredCredentials: Bool {
    code == "ExpiredToken" || code == "ExpiredTokenException" || code == "TokenRefreshRequired"
  }

  /// A denied access with a status that a policy's denial never has. MinIO answers so where
  /// something on the way added, changed or removed a signed header, and rclone where the clock of
  /// the signature is more than a day off.
  var findsUnsignedHeaders: Bool { status == 400 && code == "AccessDenied" }

  /// The bucket is in another region than the one that was signed for.
  var isElsewhere: Bool {
    switch status {
    case 301, 302, 303, 307, 308: true
    default:
      code == "PermanentRedirect" || code == "TemporaryRedirect"
        || code == "AuthorizationHeaderMalformed" || code == "IllegalLocationConstraintException"
        || code?.firstRange(of: "Region") != nil
    }
  }
}

extension String {
  /// Suitable for one line of a terminal: no secret, no control character, at most 300 characters.
  func cleaned(hiding secrets: [String] = []) -> String {
    // Works on scalars: a character that combines with the last one of a secret must not hide it.
    var scalars = Array(unicodeScalars)
    for secret in secrets where secret.utf8.count >= 4 {
      scalars = scalars.replacing(
        Array(secret.unicodeScalars), with: Array("(hidden)".unicodeScalars))
    }
    let printable = scalars.map {
      $0.properties.generalCategory == .control || $0.properties.generalCategory == .format
        ? " " : Character($0)
    }
    let cut = String(printable.prefix(300)).trimmed
    return printable.count > 300 ? cut + "…" : cut
  }
}
