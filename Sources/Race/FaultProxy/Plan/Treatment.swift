import HTTPClient

/// The effect of a fault: when the server sees the request, and what the client gets.
struct Treatment: Hashable, Sendable {
  enum Sending: Hashable, Sendable {
    case never
    case once
    /// Twice in a row; the second answer is used.
    case twice
    /// Immediately, and a copy later.
    case onceAndAgainLater
    /// Only after the client has given up.
    case late
    case withoutConditions
    /// When `release()` is called.
    case whenReleased
  }

  enum Ending: Hashable, Sendable {
    case serversAnswer
    case answer(MadeUpAnswer)
    case close
    case reset
    case halfTheHead
    case halfTheBody
    /// Nothing until the client gives up.
    case silence
  }

  var sending: Sending
  var ending: Ending
  /// Whether the answer is delayed a little.
  var isSlow: Bool

  init(_ fault: ProxyFault?) {
    isSlow = fault == .slow
    (sending, ending) =
      switch fault {
      case nil, .slow: (.once, .serversAnswer)
      case .drop: (.never, .close)
      case .lose: (.once, .close)
      case .reset: (.once, .reset)
      case .truncateHead: (.once, .halfTheHead)
      case .truncateBody: (.once, .halfTheBody)
      case .stall: (.once, .silence)
      case .conflict: (.never, .answer(.conflict))
      case .preconditionFailed: (.never, .answer(.preconditionFailed))
      case .internalError: (.never, .answer(.internalError))
      case .slowDown: (.never, .answer(.slowDown))
      case .okWithError: (.never, .answer(.okWithError))
      case .conflictAfter: (.once, .answer(.conflict))
      case .preconditionFailedAfter: (.once, .answer(.preconditionFailed))
      case .internalErrorAfter: (.once, .answer(.internalError))
      case .slowDownAfter: (.once, .answer(.slowDown))
      case .okWithErrorAfter: (.once, .answer(.okWithError))
      case .duplicate: (.onceAndAgainLater, .serversAnswer)
      case .resend: (.twice, .serversAnswer)
      case .delay: (.late, .silence)
      case .strip: (.withoutConditions, .serversAnswer)
      case .hold: (.whenReleased, .serversAnswer)
      }
  }
}

/// An S3 answer that did not come from a server.
struct MadeUpAnswer: Hashable, Sendable {
  let status: Int
  let code: String
  let message: String

  static let conflict = MadeUpAnswer(
    status: 409, code: "ConditionalRequestConflict",
    message: "A conflicting operation is under way.")
  static let preconditionFailed = MadeUpAnswer(
    status: 412, code: "PreconditionFailed",
    message: "A precondition that you specified did not hold.")
  static let internalError = MadeUpAnswer(
    status: 500, code: "InternalError", message: "We encountered an internal error.")
  static let slowDown = MadeUpAnswer(
    status: 503, code: "SlowDown", message: "Please reduce your request rate.")
  static let okWithError = MadeUpAnswer(
    status: 200, code: "InternalError", message: "We encountered an internal error.")

  /// The answer in S3's format, for a request with this number.
  func response(to number: Int) -> HTTPResponse {
    let text = """
      <?xml version="1.0" encoding="UTF-8"?>
      <Error><Code>\(code)</Code><Message>\(message)</Message>\
      <RequestId>fault-proxy-\(number)</RequestId></Error>
      """
    return HTTPResponse(
      status: status,
      headers: [
        HTTPField("Content-Type", "application/xml"),
        HTTPField("x-amz-request-id", "fault-proxy-\(number)"),
      ], body: Array(text.utf8))
  }
}
