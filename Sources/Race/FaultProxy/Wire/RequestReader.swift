/// Splits a connection's bytes into requests, in bounded memory. Pure: bytes in, requests out.
struct RequestReader: Sendable {
  private let limits: ProxyLimits
  private var bytes: [UInt8] = []
  private var head: RequestHead?
  /// How far the search for the end of the head has got.
  private var searched = 0
  private var hasBeenAsked = false

  init(_ limits: ProxyLimits) { self.limits = limits }

  /// True if no part of a request has arrived yet.
  var isBetweenRequests: Bool { bytes.isEmpty && head == nil }

  /// How many more bytes are needed now.
  var appetite: Int {
    guard let head else { return max(1, limits.headBytes + 1 - bytes.count) }
    return max(1, head.contentLength - bytes.count)
  }

  /// True once for a request whose client waits to be asked for the body.
  mutating func takesContinue() -> Bool {
    guard let head, head.waitsForContinue, !hasBeenAsked, bytes.isEmpty, head.contentLength > 0
    else { return false }
    hasBeenAsked = true
    return true
  }

  mutating func take(_ more: some Collection<UInt8>) { bytes.append(contentsOf: more) }

  /// The next complete request; nil if bytes are missing.
  mutating func next() throws(RequestRefusal) -> ProxiedRequest? {
    if head == nil {
      guard let end = headEnd() else {
        guard bytes.count <= limits.headBytes else { throw .headTooLarge }
        return nil
      }
      guard end.next <= limits.headBytes else { throw .headTooLarge }
      let read = try RequestHead(bytes[..<end.head])
      guard read.contentLength <= limits.bodyBytes else { throw .bodyTooLarge }
      head = read
      bytes.removeFirst(end.next)
      (searched, hasBeenAsked) = (0, false)
    }
    guard let head, bytes.count >= head.contentLength else { return nil }
    self.head = nil
    let body = Array(bytes.prefix(head.contentLength))
    bytes.removeFirst(head.contentLength)
    return ProxiedRequest(
      method: head.method, target: head.target, fields: head.fields, body: body,
      closes: head.closes)
  }

  /// Where the head's last line ends, and where the data after the empty line begins.
  private mutating func headEnd() -> (head: Int, next: Int)? {
    while searched < bytes.count {
      defer { searched += 1 }
      guard bytes[searched] == UInt8(ascii: "\n") else { continue }
      var line = searched
      if line > 0, bytes[line - 1] == UInt8(ascii: "\r") { line -= 1 }
      guard line > 0, bytes[line - 1] == UInt8(ascii: "\n") else { continue }
      var end = line - 1
      if end > 0, bytes[end - 1] == UInt8(ascii: "\r") { end -= 1 }
      return (end, searched + 1)
    }
    return nil
  }
}

/// A proxy's limits for its clients.
package struct ProxyLimits: Hashable, Sendable {
  package var headBytes = 64 << 10
  package var bodyBytes = 64 << 20
  /// From a request's first byte to its last.
  package var requestTime: Duration = .seconds(30)
  /// Between two requests.
  package var idleTime: Duration = .seconds(300)
  /// How long a fault waits for the client to give up or for a release.
  package var patience: Duration = .seconds(120)
  /// For one exchange with the server, whose answer may be as large as a body.
  package var serverTime: Duration = .seconds(60)
  package var connections = 512
  /// The longest wait of `slow`.
  package var slowest: Duration = .milliseconds(100)
  /// The longest time from when the client gives up, or from the first send, to a late send.
  package var latest: Duration = .seconds(2)
  /// Events that are kept. The oldest are dropped first.
  package var events = 10_000

  package init() {}
}
