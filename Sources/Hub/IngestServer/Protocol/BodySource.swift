internal import Hummingbird
internal import HummingbirdCore
import NIOCore

/// Reads the body of one request: within a size and a time, and after an early answer what is still
/// coming, within others.
///
/// A body that is not read to its end leaves the connection unusable; `isWhole` says so.
final class BodySource: @unchecked Sendable {  // read by one task at a time
  private var iterator: RequestBody.AsyncIterator
  private(set) var isWhole: Bool

  /// - Parameter hasBody: whether the head announces one.
  init(_ body: RequestBody, hasBody: Bool) {
    (iterator, isWhole) = (body.makeAsyncIterator(), !hasBody)
  }

  /// The whole body.
  ///
  /// - Parameters:
  ///   - announced: the value of Content-Length. A connection that ends early looks like the end of a
  ///     body.
  ///   - growing: takes room for so many bytes in all, before they are held.
  func read(
    limit: Int, seconds: Int, announced: Int?,
    growing: @escaping @Sendable (Int) throws(RequestFailure) -> Void = { _ in }
  ) async throws(RequestFailure) -> [UInt8] {
    guard !isWhole else { return [] }
    if let announced, announced > limit { throw .bodyTooLarge(limit) }
    let late = RequestFailure(408, "too_slow", "the body did not arrive within \(seconds) seconds")
    return try await TimeLimit.run(seconds, orThrow: late) {
      [self] () async throws(RequestFailure) in
      var bytes: [UInt8] = []
      if let announced { bytes.reserveCapacity(announced) }
      while true {
        let buffer: ByteBuffer?
        do {
          buffer = try await iterator.next()
        } catch {
          throw Self.cutOff
        }
        guard let buffer else { break }
        guard bytes.count + buffer.readableBytes <= limit else { throw .bodyTooLarge(limit) }
        try growing(bytes.count + buffer.readableBytes)
        bytes.append(contentsOf: buffer.readableBytesView)
      }
      guard !Task.isCancelled, announced == nil || announced == bytes.count else {
        throw Self.cutOff
      }
      isWhole = true
      return bytes
    }
  }

  /// The connection ended early, or the framing is not valid.
  private static let cutOff = RequestFailure(400, "bad_request", "the body was cut off")

  /// Reads on for a while, so that a client that is still sending gets to the answer. Without this
  /// the kernel resets the connection, and the answer may be lost.
  func drain(limit: Int = 16 << 20, seconds: Int = 5) async {
    guard !isWhole else { return }
    _ = await TimeLimit.run(seconds) { [self] in
      var count = 0
      while count < limit, let buffer = try? await iterator.next() { count += buffer.readableBytes }
    }
  }
}
