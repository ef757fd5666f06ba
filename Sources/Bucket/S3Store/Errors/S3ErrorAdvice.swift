import HTTPClient
import ObjectStore

extension ErrorContext {
  /// The error for a complete answer that is not a success: what the server said, and what helps.
  func error(_ failure: S3Failure) -> StoreError {
    let advice = advice(failure)
    return error(
      advice.code, advice.message, remedy: advice.remedy, serverDetail: failure.description,
      isRetryable: failure.isTransient, cause: advice.cause)
  }

  private struct Advice {
    let code: StoreError.Code
    let message: String
    let remedy: StoreError.Remedy?
    var cause: StoreError.Cause?

    init(_ code: StoreError.Code, _ message: String, _ remedy: StoreError.Remedy?) {
      (self.code, self.message, self.remedy) = (code, message, remedy)
    }
  }

  private func advice(_ failure: S3Failure) -> Advice {
    if failure.wantsTLS, location.endpoint.scheme == .http {
      return Advice(
        .unavailable, "\(verb) failed because \(location.host) serves https at this port",
        "use https:// in the endpoint's address")
    }
    guard failure.isFromS3 else { return foreignAnswer(failure) }
    if location.endpointHoldsBucket, failure.status == 403 || failure.status == 404 {
      return Advice(
        .storeMissing,
        "\(verb) asked for the bucket \(location.bucket) twice: the endpoint's address ends with it",
        "leave the bucket's name out of the endpoint's address, \(location.endpoint)")
    }
    if failure.findsUnsignedHeaders { return alteredRequest }
    if let advice = failure.code.flatMap(adviceOnCredentials) { return advice }
    if failure.isElsewhere { return adviceOnRedirect(failure) }
    if failure.lacksEncryption {
      // Not "unsupported", because it says nothing about the store without encryption.
      return Advice(
        .unavailable,
        "\(verb) failed because \(location.host) has no key management (KMS) to encrypt with",
        .leaveOutEncryption)
    }
    if failure.isNotImplemented { return notImplemented }
    switch failure.code {
    case "NoSuchBucket":
      return Advice(
        .storeMissing, "the bucket \(location.bucket) does not exist at \(location.endpoint)",
        withHintOfPath(.createBucket))
    case "InvalidBucketName":
      return Advice(
        .storeMissing, "this store does not take \(location.bucket) as a bucket's name",
        .checkBucketName)
    case "QuotaExceeded", "XMinioAdminBucketQuotaExceeded", "XMinioStorageFull",
      "InsufficientStorage", "QuotaExceededException":
      return storeIsFull
    case let code? where code.lowercased().hasPrefix("kms"):
      return Advice(
        .unavailable, "\(verb) failed because the store can't encrypt with this key (KMS)",
        .checkEncryption)
    case "EntityTooLarge", "MaxMessageLengthExceeded": return objectIsTooLarge
    case "KeyTooLongError", "XMinioInvalidObjectName", "InvalidURI":
      return Advice(
        .invalidRequest, "\(verb) failed because the store does not take this key",
        .simplifyPrefix)
    case "InternalError", "ServiceUnavailable": return storeFailed
    case "SlowDownRead", "SlowDownWrite":
      // MinIO sends these if too few drives answer. Its text blames the request rate.
      return Advice(
        .unavailable, "\(verb) failed because too few of the store's drives answer",
        .all([.retryLater, "check the server's drives if it lasts"]))
    case "SlowDown", "Busy", "Throttling", "TooManyRequests", "RequestLimitExceeded":
      return Advice(
        .unavailable, "\(verb) failed because the store gets too many requests",
        .retryLater)
    default: break
    }
    switch failure.status {
    case 401, 403:
      return Advice(
        .notAuthorized, "\(verb) is not allowed [\(settings)]",
        "check the credentials, and that the bucket's policy allows \(permission)")
    case 413: return objectIsTooLarge
    case 507: return storeIsFull
    case 408, 429, 499, 500...599: return storeFailed
    case 404:
      return Advice(
        .unavailable, "\(verb) got an answer that fits no S3 request",
        withHintOfPath(.checkAddressing))
    case 400, 405, 422:
      return Advice(
        .unavailable, "\(verb) was refused as a request that this store does not take",
        asksForEncryption ? .checkEncryption : Self.compareSettings)
    default:
      return Advice(
        .unavailable, "\(verb) got an answer that S3 does not give here",
        "check that \(location.endpoint) is an S3 server")
    }
  }

  // What servers report either by a code or by a status.

  private var notImplemented: Advice {
    Advice(
      .unsupported, "\(verb) this way is not implemented by \(location.host)",
      asksForEncryption
        ? .checkEncryption : "use a newer release of the server's software, or another store")
  }

  /// Where the server's own words, which stand beside the remedy, say all that is known.
  private static let compareSettings = StoreError.Remedy.text(
    "compare the endpoint's address, the region and the addressing style with what the store's "
      + "operator gives for S3 clients")

  private var storeIsFull: Advice {
    var advice = Advice(
      .unavailable, "\(verb) failed because the store is full",
      "make room or raise the bucket's quota")
    advice.cause = .full
    return advice
  }

  private var objectIsTooLarge: Advice {
    Advice(.tooLarge, "\(verb) failed because the object is too large", nil)
  }

  private var storeFailed: Advice {
    Advice(.unavailable, "\(verb) failed on the side of the store", .retryLater)
  }

  /// Every header that this client sends is signed (`S3Request.headers`).
  private var alteredRequest: Advice {
    Advice(
      .notAuthorized,
      "\(verb) was refused because the headers are not those that were signed [\(settings)]",
      "check that no proxy changes requests on their way")
  }

  /// Refused credentials, signatures and clocks have in common that the settings are shown.
  private func adviceOnCredentials(_ code: String) -> Advice? {
    func refused(_ message: String, _ remedy: StoreError.Remedy) -> Advice {
      Advice(.notAuthorized, "\(message) [\(settings)]", remedy)
    }
    switch code {
    case "AccessDenied", "AllAccessDisabled", "AccountProblem":
      // The credentials are valid, but lack a permission.
      var advice = refused("\(verb) is not allowed for these credentials", "allow \(permission)")
      advice.cause = .permission
      return advice
    case "InvalidAccessKeyId", "InvalidClientTokenId":
      return refused(
        "\(verb) was refused because the store does not accept the access key",
        "check that the credentials belong to this endpoint")
    case "SignatureDoesNotMatch":
      return refused(
        "\(verb) was refused because the signature does not match",
        "check the secret key and the region, and that no proxy changes requests on their way")
    case "ExpiredToken", "ExpiredTokenException", "TokenRefreshRequired":
      return refused(
        "\(verb) was refused because the session has expired", "sign in again")
    case "InvalidToken", "InvalidTokenId":
      return refused(
        "\(verb) was refused because the session token is not valid",
        "sign in again, or unset AWS_SESSION_TOKEN if the keys are permanent")
    case "RequestTimeTooSkewed", "RequestExpired", "RequestInTheFuture":
      return refused(
        "\(verb) was refused because this machine's clock differs from the store's",
        .setClock)
    case "NotSignedUp", "AccountSuspended", "UserSuspended", "InvalidPayer":
      return refused("\(verb) is not allowed for this account", "ask the operator of the store")
    default: return nil
    }
  }

  private func adviceOnRedirect(_ failure: S3Failure) -> Advice {
    if let region = failure.region, region != location.region {
      return Advice(
        .unavailable, "\(verb) was sent on to another region [\(settings)]",
        .chooseRegion(andEndpoint: true))
    }
    if !(300..<400).contains(failure.status) {
      return Advice(
        .notAuthorized, "\(verb) was refused because of the region signed for [\(settings)]",
        .chooseRegion(andEndpoint: false))
    }
    return Advice(
      .unavailable, "\(verb) was redirected, which is not followed [\(settings)]",
      .chooseEndpointAndRegion)
  }

  /// An answer that does not come from an S3 server.
  private func foreignAnswer(_ failure: S3Failure) -> Advice {
    if failure.status == 407, let proxy = proxy {
      return Advice(
        .notAuthorized,
        "\(verb) was refused by the proxy \(proxy), which asks for a user and a password",
        "give them in \(proxy.variable): http://USER:PASSWORD@HOST:PORT")
    }
    switch failure.status {
    case 301, 302, 303, 307, 308: return adviceOnRedirect(failure)
    case 401, 403, 407:
      return Advice(
        .notAuthorized, "\(verb) was refused, and not by an S3 server [\(settings)]",
        .all([.checkEndpoint, "check \(proxyBetween)"]))
    case 501: return notImplemented
    case 408, 429, 499, 500...599:
      return Advice(
        .unavailable, "\(verb) failed on the side of the store or of a proxy before it",
        proxy.map { .all([.retryLater, "check the proxy \($0)"]) } ?? .retryLater)
    case 404 where key != nil:
      // It may mean that there is no such object. But every web site answers so, and then "nothing was
      // ever published" could be wrong.
      return Advice(
        .unavailable,
        "\(verb) got an answer that is not S3's from \(location.host) (404 without NoSuchKey)",
        """
        check that \(location.endpoint) is the S3 port and not a console or a web site; an S3 server \
        that does not name a missing object (NoSuchKey) can't be used
        """)
    default:
      return Advice(
        .unavailable, "\(verb) got an answer that is not S3's from \(location.host)",
        "check that \(location.endpoint) is the S3 port and not a console or a web site")
    }
  }

  /// The least permission that the refused request needs.
  private var permission: String {
    let bucket = "arn:aws:s3:::\(location.bucket)"
    let folder = (key ?? listedPrefix).flatMap(PolicyArea.folder)
    let objects = "\(bucket)/\(folder ?? "")*"
    let listing = "s3:ListBucket on \(bucket)" + (folder.map { " for the prefix \($0)*" } ?? "")
    return switch verb {
    case "reading":
      // A client without permission to list is not told that an object is absent.
      "s3:GetObject on \(objects), and \(listing)"
    case "writing": "s3:PutObject on \(objects)"
    // Of the streams, markers are deleted once their days are counted.
    case "deleting" where folder?.hasSuffix("/.pending/") == true: "s3:DeleteObject on \(objects)"
    case "deleting": "s3:DeleteObject on \(objects), which only checks and races of a store need"
    default: listing
    }
  }

  private var proxyBetween: String {
    proxy.map { "the proxy \($0)" } ?? "any proxy between"
  }

  private func withHintOfPath(_ remedy: StoreError.Remedy) -> StoreError.Remedy {
    guard !location.endpoint.basePath.isEmpty else { return remedy }
    return .all([
      remedy, "no path belongs to the endpoint's address unless the server is behind one",
    ])
  }
}

/// The part of a bucket that a policy must open for one key, so that a remedy asks for no more than
/// the program needs. A right on the whole bucket would let a thief of the keys delete all data.
enum PolicyArea {
  /// The narrowest folder of the program's own that holds the key, with its final `/`:
  /// `me/health/v0/.probe/`, `me/health/v0/`, `me/streams/v0/.pending/`, `me/streams/v0/`, or the
  /// folder of races. Nil if the key lies in none of them.
  static func folder(of key: String) -> String? {
    // By scalars: a character that combines with a slash must not hide it.
    let segments = key.unicodeScalars.split(separator: "/", omittingEmptySubsequences: false)
      .map { String($0) }
    guard let count = length(segments) else { return nil }
    return segments.prefix(count).joined(separator: "/") + "/"
  }

  /// How many segments the folder has; nil if there is none.
  private static func length(_ segments: [String]) -> Int? {
    // What follows is a random name, which no policy can know.
    if let race = segments.dropLast().firstIndex(of: ".s3health-race") { return race + 1 }
    let root = segments.indices.last { index in
      index + 2 < segments.count && segments[index + 1] == "v0" && inner[segments[index]] != nil
    }
    guard let root else { return nil }
    let isInner = root + 3 < segments.count && inner[segments[root]] == segments[root + 2]
    return root + (isInner ? 3 : 2)
  }

  /// The parts of the layouts, each with the folder in which objects are deleted: scratch objects of
  /// the probe, and markers of days that are to be counted.
  private static let inner = ["health": ".probe", "streams": ".pending"]
}

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
