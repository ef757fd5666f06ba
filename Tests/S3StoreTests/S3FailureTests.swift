import Foundation
import HTTPClient
import ObjectStore
import Testing

@testable import S3Store

@Suite(.unit) struct S3FailureTests {
  private func failure(
    _ status: Int, _ body: String, _ headers: [String: String] = [:], hiding: [String] = []
  ) -> S3Failure {
    S3Failure(
      HTTPResponse(
        status: status, headers: headers.map { HTTPField($0.key, $0.value) },
        body: Array(body.utf8)), hiding: hiding)
  }

  @Test func `code, message, request id and region are read`() {
    let failure = failure(
      301,
      "<Error><Code>PermanentRedirect</Code><Message>m</Message><RequestId>1</RequestId></Error>",
      ["X-Amz-Request-Id": "R7", "x-amz-bucket-region": "eu-west-1", "Location": "http://x/"])
    #expect(
      failure
        == S3Failure(
          status: 301, code: "PermanentRedirect", message: "m", requestID: "R7",
          region: "eu-west-1", location: "http://x/"))
    let words = "PermanentRedirect: m (status 301, region eu-west-1, redirects to http://x/, "
    #expect("\(failure)" == words + "request id R7)")
  }

  @Test func `an error that is wrapped is read too`() {
    let failure = failure(
      400, "<ErrorResponse><Error><Code>A</Code></Error></ErrorResponse>")
    #expect(failure.code == "A")
    #expect(failure.isFromS3)
  }

  @Test(arguments: ["", "<html><body>x</body></html>", "oops", "<Error></Error>", "\u{0}"])
  func `what holds no code is not from S3`(body: String) {
    #expect(!failure(404, body).isFromS3)
    #expect(!failure(404, body).isMissingKey)
  }

  @Test func `an empty answer with a request id is from S3`() {
    #expect(failure(404, "", ["x-amz-request-id": "1"]).isMissingKey)
  }

  @Test func `secrets and control characters do not pass`() {
    let failure = failure(
      403,
      "<Error><Code>s3cret\u{301}</Code><Message>your s3cret\u{9}&#13;\u{202E}and s3cret</Message></Error>",
      hiding: ["s3cret"])
    #expect(failure.code == "(hidden)\u{301}")
    #expect(failure.message == "your (hidden)   and (hidden)")
  }

  @Test func `a message is cut at 300 characters`() {
    let long = String(repeating: "x", count: 5000)
    let failure = failure(500, "<Error><Code>A</Code><Message>\(long)</Message></Error>")
    #expect(failure.message?.count == 301)
  }

  @Test(arguments: [
    ("7", nil, 7), ("-3", nil, 0), ("soon", nil, nil),
    ("Sat, 21 Nov 2026 07:34:59 GMT", "Sat, 21 Nov 2026 07:33:59 GMT", 60),
    ("Sat, 21 Nov 2026 07:34:59 GMT", nil, nil),
  ])
  func `Retry-After is seconds or a date by the server's clock`(
    text: String, date: String?, seconds: Int?
  ) {
    var headers = ["Retry-After": text]
    headers["Date"] = date
    #expect(failure(503, "", headers).retryAfter == seconds)
  }
}

@Suite(.unit) struct ErrorAdviceTests {
  private let context = ErrorContext(
    verb: "writing", key: "k",
    location: BucketLocation(
      S3Configuration(
        bucket: "b", endpoint: S3Endpoint(scheme: .https, host: "h", port: 9000),
        region: "r")), clockOffset: -2, credentialsSource: "AWS_ACCESS_KEY_ID")

  @Test(arguments: [
    ("reading", "allow s3:GetObject on arn:aws:s3:::b/*, and s3:ListBucket on arn:aws:s3:::b"),
    ("writing", "allow s3:PutObject on arn:aws:s3:::b/*"),
    ("listing", "allow s3:ListBucket on arn:aws:s3:::b"),
    ("deleting", "allow s3:DeleteObject on arn:aws:s3:::b/*, which only"),
  ])
  func `what is not allowed names the least that must be`(verb: String, remedy: String) {
    let context = ErrorContext(
      verb: verb, key: nil, location: context.location, clockOffset: nil, credentialsSource: nil)
    let error = context.error(S3Failure(status: 403, code: "AccessDenied"))
    #expect(error.remedy?.description.hasPrefix(remedy) == true, "\(error)")
  }

  @Test(arguments: [
    (
      "deleting", "me/health/v0/.probe/AB/main",
      "allow s3:DeleteObject on arn:aws:s3:::b/me/health/v0/.probe/*, which only"
    ),
    (
      "writing", "health/v0/.probe/AB/main",
      "allow s3:PutObject on arn:aws:s3:::b/health/v0/.probe/*"
    ),
    ("writing", "health/v0/data/x", "allow s3:PutObject on arn:aws:s3:::b/health/v0/*"),
    (
      "writing", "me/\u{301}/health/v0/x",
      "allow s3:PutObject on arn:aws:s3:::b/me/\u{301}/health/v0/*"
    ),
    (
      "deleting", "streams/v0/.pending/ab",
      "allow s3:DeleteObject on arn:aws:s3:::b/streams/v0/.pending/*"
    ),
    (
      "reading", "me/streams/v0/a/b",
      """
      allow s3:GetObject on arn:aws:s3:::b/me/streams/v0/*, and s3:ListBucket on arn:aws:s3:::b for \
      the prefix me/streams/v0/*
      """
    ),
    (
      "writing", "me/.s3health-race/AB/health/v0/data/x",
      "allow s3:PutObject on arn:aws:s3:::b/me/.s3health-race/*"
    ),
    ("writing", "health/v1/x", "allow s3:PutObject on arn:aws:s3:::b/*"),
  ])
  func `what is not allowed asks for no more than the key's own folder`(
    verb: String, key: String, remedy: String
  ) {
    let context = ErrorContext(
      verb: verb, key: key, location: context.location, clockOffset: nil, credentialsSource: nil)
    let error = context.error(S3Failure(status: 403, code: "AccessDenied"))
    #expect(error.remedy?.description.hasPrefix(remedy) == true, "\(error)")
  }

  @Test func `a key of encryption that is not allowed is asked for, and not the object`() {
    let failure = S3Failure(
      status: 403, code: "AccessDenied", message: "not authorized to perform: kms:Decrypt")
    #expect(
      context.error(failure).remedy
        == "allow kms:Decrypt and kms:GenerateDataKey on the key of the bucket")
  }

  @Test func `a body that a proxy does not take is too large, so that less is sent at once`() {
    let error = context.error(S3Failure(status: 413, isFromS3: false))
    #expect(error.code == .tooLarge)
    #expect(error.remedy?.description.contains("client_max_body_size") == true)
  }

  @Test func `a listing that is not allowed names its prefix`() {
    let context = ErrorContext(
      verb: "listing", key: nil, location: context.location, clockOffset: nil,
      credentialsSource: nil, listedPrefix: "me/health/v0/data/")
    #expect(
      context.error(S3Failure(status: 403, code: "AccessDenied")).remedy
        == "allow s3:ListBucket on arn:aws:s3:::b for the prefix me/health/v0/*")
  }

  @Test func `the server's clock is named only if it differs by two seconds or more`() {
    func settings(_ offset: Int?) -> String {
      ErrorContext(
        verb: "listing", key: nil, location: context.location, clockOffset: offset,
        credentialsSource: nil
      ).settings
    }
    for offset in -1...1 { #expect(!settings(offset).contains("clock")) }
    #expect(settings(2).hasSuffix("server clock +2 s"))
    #expect(settings(-2).hasSuffix("server clock -2 s"))
    #expect(settings(nil).hasSuffix("server clock unknown"))
  }

  #if !PHONE  // The system decides about proxies of an app, and does not say.
    /// A process of its own, for its environment.
    @Test func `a proxy that may have failed is named without its password`() async {
      await #expect(processExitsWith: .success) {
        setenv("http_proxy", "http://me:s3cret@p:3128", 1)
        for name in ["no_proxy", "NO_PROXY"] { setenv(name, "", 1) }
        let context = ErrorContext(
          verb: "listing", key: nil,
          location: BucketLocation(
            S3Configuration(
              bucket: "b", endpoint: S3Endpoint(scheme: .http, host: "h.example", port: 9000),
              region: "r")), clockOffset: nil, credentialsSource: nil,
          transport: SharedTransport.plain)
        for code in [HTTPError.Code.timedOut, .connectionLost, .malformedResponse] {
          let words = "\(context.error(HTTPError(code, "why", mayHaveBeenApplied: true)))"
          #expect(words.contains("check the proxy http://p:3128 (http_proxy)"), "\(words)")
          #expect(!words.contains("s3cret") && !words.contains("https://"), "\(words)")
          #expect(!words.contains("h.example"), "\(words)")
        }
        let refused = "\(context.error(S3Failure(status: 407, isFromS3: false)))"
        #expect(refused.contains("the proxy http://p:3128 (http_proxy), which asks for a user"))
        #expect(refused.contains("give them in http_proxy") && !refused.contains("s3cret"))
      }
    }
  #endif

  @Test(arguments: [
    "Client sent an HTTP request to an HTTPS server.\n",
    "<html><h1>400 Bad Request</h1><center>The plain HTTP request was sent to HTTPS port</center>",
    "<Error><Code>InsecureClientRequest</Code><Message>Cannot respond</Message></Error>",
  ])
  func `a port for https that was asked in http is recognised by its words`(body: String) {
    let failure = S3Failure(
      HTTPResponse(status: 400, headers: [], body: Array(body.utf8)), hiding: [])
    let plain = ErrorContext(
      verb: "listing", key: nil,
      location: BucketLocation(
        S3Configuration(
          bucket: "b", endpoint: S3Endpoint(scheme: .http, host: "h", port: 9000), region: "r")),
      clockOffset: nil, credentialsSource: nil)
    #expect(plain.error(failure).remedy == "use https:// in the endpoint's address")
    #expect(context.error(failure).remedy != "use https:// in the endpoint's address")
  }

  @Test(arguments: [
    (403, "AccessDenied", StoreError.Code.notAuthorized, "s3:PutObject"),
    (403, "SignatureDoesNotMatch", .notAuthorized, "secret key"),
    (403, "InvalidAccessKeyId", .notAuthorized, "belong to this endpoint"),
    (400, "ExpiredToken", .notAuthorized, "sign in again"),
    (403, "RequestTimeTooSkewed", .notAuthorized, "clock"),
    (400, "AuthorizationHeaderMalformed", .notAuthorized, "the bucket's region"),
    (404, "NoSuchBucket", .storeMissing, "create it"),
    (501, "NotImplemented", .unsupported, "another store"),
    (503, "SlowDown", .unavailable, "later"),
    (503, "SlowDownRead", .unavailable, "the server's drives"),
    (503, "SlowDownWrite", .unavailable, "the server's drives"),
    (500, "InternalError", .unavailable, "later"),
    (507, "XMinioStorageFull", .unavailable, "room"),
    (400, "XMinioAdminBucketQuotaExceeded", .unavailable, "quota"),
    (403, "InvalidTokenId", .notAuthorized, "AWS_SESSION_TOKEN"),
    (301, "PermanentRedirect", .unavailable, "where the bucket is"),
    (400, "KeyTooLongError", .invalidRequest, "prefix"),
    (403, "InvalidObjectState", .unavailable, "restore it"),
    (400, "EntityTooLarge", .tooLarge, "client_max_body_size"),
    (418, "Teapot", .unavailable, "S3 server"),
  ])
  func `each code says what happened and what to do`(
    status: Int, code: String, kind: StoreError.Code, remedy: String
  ) {
    let error = context.error(S3Failure(status: status, code: code, requestID: "R"))
    #expect(error.code == kind)
    #expect(error.key == "k")
    #expect(error.remedy?.description.contains(remedy) == true, "\(error)")
    #expect(error.serverDetail == "\(code) (status \(status), request id R)")
    if kind == .notAuthorized {
      #expect(
        error.message.contains(
          """
          [bucket b, endpoint https://h:9000, region r, path addressing, credentials from \
          AWS_ACCESS_KEY_ID, server clock -2 s]
          """))
    }
  }
}
