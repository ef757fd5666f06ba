import CCurl
import Synchronization

/// One request under way: what libcurl's callbacks read and write.
///
/// `@unchecked Sendable`: made by the sender, then handed through the loop's mutex to its thread,
/// which alone touches the variables; only the cancellation flag is shared.
final class Transfer: @unchecked Sendable {
  typealias Outcome = Result<HTTPResponse, HTTPError>

  let request: HTTPRequest
  let target: RequestTarget
  let fields: RequestFields
  /// When the whole exchange must be over.
  let deadline: ContinuousClock.Instant
  /// Set before the cancel message is posted, for a submission that comes after it.
  let isCancelled = Atomic<Bool>(false)
  var continuation: CheckedContinuation<Outcome, Never>?

  /// Where in the loop's active list it stands; nil before it starts and after it has ended.
  var slot: Int?
  var head = ResponseHead()
  var body: [UInt8] = []
  /// How often the request was about to be sent; above 0 its bytes may have left.
  var sends = 0
  /// Next byte of the request body to be read.
  var bodyOffset = 0
  /// Why a callback ended the transfer, which libcurl reports only as "aborted".
  var verdict: Verdict?

  enum Verdict {
    case headTooLarge
    case bodyTooLarge
    case malformedHead
    case refusedResend
  }

  init(_ request: HTTPRequest) throws(HTTPError) {
    target = try RequestTarget(request.url)
    fields = try RequestFields(request)
    self.request = request
    deadline = .now + min(request.timeout, .seconds(1_000_000))
  }

  /// Resumes the sender, once.
  func finish(_ outcome: Outcome) {
    continuation.take()?.resume(returning: outcome)
  }

  /// Whether a response with this head has a body to bound and to reserve space for.
  var expectsBody: Bool {
    request.method != .head && head.status != 204 && head.status != 304
  }
}

extension Transfer {
  /// The response, or what libcurl's result means.
  func outcome(_ result: CURLcode, _ easy: EasyHandle) -> Outcome {
    guard result == CURLE_OK else {
      return .failure(HTTPError(result, detail: easy.detail(result), transfer: self))
    }
    guard head.isComplete else {
      return .failure(
        HTTPError(
          .connectionLost, "\(target.host) closed the connection within the response's header",
          mayHaveBeenApplied: sends > 0))
    }
    return .success(
      HTTPResponse(status: head.status, headers: head.fields, body: body, sends: sends))
  }
}
