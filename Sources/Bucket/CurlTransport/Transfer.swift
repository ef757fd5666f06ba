import CCurl
import HTTPClient
import Synchronization

/// One running request: what libcurl's callbacks read and write.
///
/// `@unchecked Sendable`: the sender creates it and passes it through the loop's mutex to the
/// loop's thread. Only that thread uses the variables; only the cancellation flag is shared.
final class Transfer: @unchecked Sendable {
  typealias Outcome = Result<HTTPResponse, HTTPError>

  let request: HTTPRequest
  let target: RequestTarget
  let fields: RequestFields
  /// When the whole exchange must be finished.
  let deadline: ContinuousClock.Instant
  /// Set before the cancel message is posted, in case the submission comes after it.
  let isCancelled = Atomic<Bool>(false)
  var continuation: CheckedContinuation<Outcome, Never>?

  /// Its index in the loop's active list; nil before it starts and after it has ended.
  var slot: Int?
  /// libcurl's handle for it, while it has one.
  var handle: UnsafeMutableRawPointer?
  /// The loop's kept sockets, while it has a handle.
  var kept: KeptSockets?
  var head = ResponseHead()
  var body: [UInt8] = []
  /// How often the request was about to be sent. Above 0, some of its bytes may have been sent.
  var sends = 0
  /// The offset of the next byte of the request body.
  var bodyOffset = 0
  /// Where it stands at its request's gate.
  var passage = Passage.before
  /// Why a callback ended the transfer; libcurl reports only "aborted".
  var verdict: Verdict?

  enum Passage {
    case before
    /// libcurl was told to pause it.
    case held
    case through
  }

  enum Verdict {
    case headTooLarge
    case bodyTooLarge
    case malformedHead
    case refusedResend
    /// Nothing was sent: the connection that was to be reused has been closed.
    case deadConnection
  }

  init(_ request: HTTPRequest) throws(HTTPError) {
    target = try RequestTarget(request.url)
    fields = try RequestFields(request)
    self.request = request
    deadline = .now + min(request.timeout, .seconds(1_000_000))
  }

  /// Resumes the sender. Called once.
  func finish(_ outcome: Outcome) {
    continuation.take()?.resume(returning: outcome)
  }

  /// Whether the server may close the connection after this answer without notice.
  ///
  /// A server that refuses a request by its header need not read the body, and must then close the
  /// connection. MinIO does so after a 412 without `Connection: close`. If the close arrives after
  /// the next request was sent on the connection, it is unknown whether that request was applied;
  /// over TLS the close can even look like a sign of life. A new connection costs less, and only
  /// after a refused write.
  var mayLeaveBodyUnread: Bool {
    !request.body.isEmpty && !(200..<300).contains(head.status) && !head.isMultiplexed
  }

  /// Whether its body must wait at the gate. The header is sent by then.
  func isHeldBack() -> Bool {
    guard let gate = request.gate, passage != .through else { return false }
    if passage == .before { passage = gate.arrive(.now) ? .held : .through }
    return passage == .held
  }

  /// Closes the connection once the response is complete.
  func forbidReuse() {
    if let handle { _ = s3h_set_long(handle, CURLOPT_FORBID_REUSE, 1) }
  }

  /// Whether it is about to be sent on a reused connection that the server has closed.
  func isOnDeadConnection(_ localPort: CInt, _ remotePort: CInt) -> Bool {
    guard let handle, let kept, s3h_get_long(handle, CURLINFO_NUM_CONNECTS) == 0 else {
      return false
    }
    return kept.hasInput(localPort: localPort, remotePort: remotePort)
  }

  /// Whether a response with this head has a body, which needs a limit and reserved space.
  var expectsBody: Bool {
    request.method != .head && head.status != 204 && head.status != 304
  }
}

extension Transfer {
  /// The response, or the failure that libcurl's result means.
  func outcome(_ result: CURLcode, _ easy: EasyHandle) -> Outcome {
    guard result == CURLE_OK else {
      return .failure(
        HTTPError(
          result, detail: easy.detail(result), transfer: self, hasTunnel: easy.hasTunnel))
    }
    guard head.isComplete else {
      return .failure(
        HTTPError(
          .connectionLost, "\(target.host) closed the connection within the response's header",
          mayHaveBeenApplied: sends > 0))
    }
    return .success(
      HTTPResponse(status: head.status, fields: head.fields, body: body, sends: sends))
  }
}

// File-scope functions, never closures: a closure from an isolated scope compiles as a C callback
// but traps when libcurl calls it on the loop's thread.

/// The transfer for a callback's user pointer. The loop retains it.
private func transfer(_ pointer: UnsafeMutableRawPointer) -> Transfer {
  Unmanaged<Transfer>.fromOpaque(pointer).takeUnretainedValue()
}

/// Called before each send on an established connection. It refuses a forbidden second send.
func beforeSend(
  _ pointer: UnsafeMutableRawPointer?, _ remote: UnsafeMutablePointer<CChar>?,
  _ local: UnsafeMutablePointer<CChar>?, _ remotePort: CInt, _ localPort: CInt
) -> CInt {
  guard let pointer else { return CInt(CURL_PREREQFUNC_ABORT) }
  let transfer = transfer(pointer)
  if transfer.sends > 0 && transfer.request.sendsAtMostOnce {
    transfer.verdict = .refusedResend
    return CInt(CURL_PREREQFUNC_ABORT)
  }
  if transfer.request.sendsAtMostOnce, transfer.isOnDeadConnection(localPort, remotePort) {
    transfer.verdict = .deadConnection
    return CInt(CURL_PREREQFUNC_ABORT)
  }
  transfer.sends += 1
  return CInt(CURL_PREREQFUNC_OK)
}

/// Receives one header line.
func receiveHeader(
  _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int,
  _ pointer: UnsafeMutableRawPointer?
) -> Int {
  guard let bytes, let pointer else { return 0 }
  let transfer = transfer(pointer)
  let line = UnsafeRawBufferPointer(start: bytes, count: size * count)
  switch transfer.head.take(line) {
  case .more: break
  case .malformed:
    transfer.verdict = .malformedHead
    return 0
  case .tooLarge:
    transfer.verdict = .headTooLarge
    return 0
  case .complete:
    if transfer.mayLeaveBodyUnread { transfer.forbidReuse() }
    guard transfer.expectsBody, let length = transfer.head.fields.contentLength else { break }
    guard length <= transfer.request.maximumResponseBytes else {
      transfer.verdict = .bodyTooLarge
      return 0
    }
    transfer.body.reserveCapacity(length)
  }
  return line.count
}

/// Receives a piece of the response body.
func receiveBody(
  _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int,
  _ pointer: UnsafeMutableRawPointer?
) -> Int {
  guard let bytes, let pointer else { return 0 }
  let transfer = transfer(pointer)
  let piece = UnsafeRawBufferPointer(start: bytes, count: size * count)
  guard piece.count <= transfer.request.maximumResponseBytes - transfer.body.count else {
    transfer.verdict = .bodyTooLarge
    return 0
  }
  transfer.body.append(contentsOf: piece)
  return piece.count
}

/// Provides the next piece of a request body that is large or waits at a gate. Other bodies are
/// passed as a whole.
func readBody(
  _ buffer: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int,
  _ pointer: UnsafeMutableRawPointer?
) -> Int {
  guard let buffer, let pointer else { return Int(CURL_READFUNC_ABORT) }
  let transfer = transfer(pointer)
  if transfer.isHeldBack() { return Int(CURL_READFUNC_PAUSE) }
  let length = min(size * count, transfer.request.body.count - transfer.bodyOffset)
  let range = transfer.bodyOffset..<transfer.bodyOffset + length
  transfer.request.body.withUnsafeBytes { body in
    UnsafeMutableRawBufferPointer(start: buffer, count: length)
      .copyMemory(from: UnsafeRawBufferPointer(rebasing: body[range]))
  }
  transfer.bodyOffset += length
  return length
}

/// Rewinds the request body for a second send, if one is allowed.
func rewindBody(
  _ pointer: UnsafeMutableRawPointer?, _ offset: curl_off_t, _ origin: CInt
) -> CInt {
  guard let pointer, origin == s3h_seek_set else { return CInt(CURL_SEEKFUNC_FAIL) }
  let transfer = transfer(pointer)
  if transfer.sends > 0 && transfer.request.sendsAtMostOnce {
    transfer.verdict = .refusedResend
    return CInt(CURL_SEEKFUNC_FAIL)
  }
  guard let position = Int(exactly: offset),
    (0...transfer.request.body.count).contains(position)
  else { return CInt(CURL_SEEKFUNC_FAIL) }
  transfer.bodyOffset = position
  return CInt(CURL_SEEKFUNC_OK)
}
