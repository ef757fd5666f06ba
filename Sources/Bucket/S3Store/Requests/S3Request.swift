import HTTPClient
import Logging
import ObjectStore

/// One operation on a bucket or on an object in it, before addressing and signing.
struct S3Request: Sendable {
  var method: HTTPRequest.Method
  /// Nil for the bucket itself.
  var key: String?
  var query: [(name: String, value: String?)] = []
  /// All of them are signed, so that a proxy that removes one causes a refusal.
  var headers: [(name: String, value: String)] = []
  var body: [UInt8] = []
  var kind: Exchange.Kind = .repeatable
  var maximumResponseBytes = 1 << 20
  /// Where the body waits for those of other requests.
  var gate: SendGate?
  /// True if its connection is not to be used again.
  var closesConnection = false
  /// What is being done, such as `reading`, for errors.
  var verb: String
}

/// The result of an operation after all its sends.
struct S3Answer: Sendable {
  let result: SendResult
  /// Where and how it was sent, for the error if there is one.
  let context: ErrorContext
  let kind: Exchange.Kind

  /// True if the connection broke before an answer. False if there was no answer for too long.
  var isBrokenConnection: Bool {
    guard case .broken(let error) = result else { return false }
    return error.code == .connectionLost || error.code == .wouldResend
  }

  /// True if the server refused for a reason that may pass.
  var isTransientRefusal: Bool {
    if case .refused(let failure) = result { failure.isTransient } else { false }
  }

  /// The error of a 409, which says that another change is under way, or that the condition fails.
  var conflict: StoreError? {
    guard case .refused(let failure) = result, failure.status == 409 else { return nil }
    return context.error(
      .unavailable, "\(context.verb) was refused because another change is under way",
      remedy: .retryLater, serverDetail: failure.description, isRetryable: true)
  }

  /// True if the deadline ended this read. Then what the server said before is more useful.
  var isTimedOutRead: Bool {
    if kind == .repeatable, case .broken(let error) = result {
      error.code == .timedOut
    } else {
      false
    }
  }
}

extension S3Client {
  /// Logs method, key, outcome and time, but never a header.
  func log(
    _ request: S3Request, _ result: SendResult, attempt: Int, took: Duration,
    _ next: Exchange.Next
  ) {
    let level: Logger.Level = next == .finished ? .trace : .debug
    guard logger.logLevel <= level else { return }
    logger.log(
      level: level, "request",
      metadata: [
        "method": "\(request.method.rawValue)", "key": "\(request.key ?? "-")",
        "outcome": "\(result.outcome)", "attempt": "\(attempt)",
        "milliseconds": "\(took / .milliseconds(1))",
      ])
  }
}

extension SendResult {
  /// For a log.
  fileprivate var outcome: String {
    switch self {
    case .success(let response): "\(response.status)"
    case .refused(let failure): "\(failure.status) \(failure.code ?? "-")"
    case .broken(let error): error.code.rawValue
    }
  }
}
