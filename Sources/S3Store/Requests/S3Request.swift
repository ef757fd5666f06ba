import HTTPMessage

/// One operation on a bucket or an object in it, before addressing and signing.
struct S3Request: Sendable {
  var method: HTTPRequest.Method
  /// Nil for the bucket itself.
  var key: String?
  var query: [(name: String, value: String?)] = []
  /// Signed, all of them, so that a proxy which strips one causes a refusal.
  var headers: [(name: String, value: String)] = []
  var body: [UInt8] = []
  var kind: Exchange.Kind = .repeatable
  var maximumResponseBytes = 1 << 20
  /// Such as `reading`, for errors.
  var verb: String
}

/// What an operation came to, after all its sends.
struct S3Answer: Sendable {
  let result: SendResult
  /// Where and how it was asked, for the error if it is one.
  let context: ErrorContext
  let kind: Exchange.Kind

  /// True where the connection ended before an answer, soon: not where nothing came for too long.
  var isBrokenConnection: Bool {
    guard case .broken(let error) = result else { return false }
    return error.code == .connectionLost || error.code == .wouldResend
  }

  /// Where the deadline of all sends cut this one short, what the server said before tells more.
  var isTimedOutRead: Bool {
    if kind == .repeatable, case .broken(let error) = result {
      error.code == .timedOut
    } else {
      false
    }
  }
}
