import HTTPClient

/// An answer as it is sent to the client: complete or truncated.
struct AnswerBytes: Hashable, Sendable {
  private let lines: [String]
  private let body: [UInt8]
  /// Nil if this kind of answer has no body; then `lines` have the length, if there is one.
  private let length: Int?

  /// - Parameter closes: whether the answer announces the end of the connection.
  init(_ response: HTTPResponse, to method: HTTPRequest.Method, closes: Bool) {
    let hasBody = method != .head && response.status != 204 && response.status != 304
    var lines = ["HTTP/1.1 \(response.status) \(Self.reason(response.status))"]
    for field in response.headers {
      let name = field.name.lowercased()
      // For HEAD, the content length is the server's.
      guard !RequestHead.ofConnection.contains(name) || (name == "content-length" && !hasBody)
      else { continue }
      lines.append("\(field.name): \(field.value)")
    }
    if closes { lines.append("Connection: close") }
    self.lines = lines
    body = hasBody ? response.body : []
    length = hasBody ? response.body.count : nil
  }

  init(_ refusal: RequestRefusal) {
    lines = [
      "HTTP/1.1 \(refusal.status) \(refusal.reason)", "Content-Type: text/plain",
      "Connection: close",
    ]
    body = Array("\(refusal.reason)\n".utf8)
    length = body.count
  }

  var whole: [UInt8] { head(length) + body }

  var halfOfHead: [UInt8] {
    let head = head(length)
    return Array(head.prefix(head.count / 2))
  }

  /// Always less than the head promises. An answer without a body loses half of its head.
  var halfOfBody: [UInt8] {
    guard let length else { return halfOfHead }
    return head(max(1, length)) + body.prefix(length / 2)
  }

  private func head(_ length: Int?) -> [UInt8] {
    var text = lines.joined(separator: "\r\n") + "\r\n"
    if let length { text += "Content-Length: \(length)\r\n" }
    return Array((text + "\r\n").utf8)
  }

  /// S3 clients use only the number.
  private static func reason(_ status: Int) -> String {
    switch status {
    case 200: "OK"
    case 204: "No Content"
    case 404: "Not Found"
    case 409: "Conflict"
    case 412: "Precondition Failed"
    case 503: "Service Unavailable"
    default: status < 400 ? "OK" : "Error"
    }
  }
}
