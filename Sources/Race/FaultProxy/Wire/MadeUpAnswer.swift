import HTTPClient

/// An S3 answer that did not come from a server.
enum MadeUpAnswer: Hashable, Sendable {
  case conflict
  case preconditionFailed
  case internalError
  case slowDown
  case okWithError

  /// The answer in S3's format, for a request with this number.
  func response(to number: Int) -> HTTPResponse {
    let (status, code, message) =
      switch self {
      case .conflict:
        (409, "ConditionalRequestConflict", "A conflicting operation is under way.")
      case .preconditionFailed:
        (412, "PreconditionFailed", "A precondition that you specified did not hold.")
      case .internalError: (500, "InternalError", "We encountered an internal error.")
      case .slowDown: (503, "SlowDown", "Please reduce your request rate.")
      case .okWithError: (200, "InternalError", "We encountered an internal error.")
      }
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
