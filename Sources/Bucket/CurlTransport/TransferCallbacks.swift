import CCurl
import HTTPClient

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
