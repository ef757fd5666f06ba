import HTTPClient

/// A request's line and fields, checked: anything unclear is refused, never guessed.
struct RequestHead: Hashable, Sendable {
  let method: HTTPRequest.Method
  let target: String
  /// All except those of the connection.
  let fields: [HTTPField]
  let contentLength: Int
  let closes: Bool
  /// `Expect: 100-continue`.
  let waitsForContinue: Bool

  static let maximumFields = 128

  /// Parses all lines before the empty one.
  init(_ bytes: some Collection<UInt8>) throws(RequestRefusal) {
    let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      .map { $0.last == UInt8(ascii: "\r") ? $0.dropLast() : $0 }
    guard let first = lines.first else { throw .malformed }
    let isOld: Bool
    (method, target, isOld) = try Self.requestLine(first)
    guard lines.count - 1 <= Self.maximumFields else { throw .headTooLarge }
    var all: [HTTPField] = []
    for line in lines.dropFirst() { all.append(try Self.field(line)) }
    func values(_ name: String) -> [String] {
      all.filter { $0.name.lowercased() == name }.map(\.value)
    }
    guard values("host").count == 1 else { throw .malformed }
    guard values("transfer-encoding").isEmpty else { throw .lengthRequired }
    contentLength = try Self.length(values("content-length"))
    let connection = values("connection").joined(separator: ",").lowercased()
      .split { $0 == "," || $0 == " " || $0 == "\t" }.map(String.init)
    closes = isOld || connection.contains("close")
    waitsForContinue = values("expect").contains { $0.lowercased() == "100-continue" }
    fields = all.filter { field in
      let name = field.name.lowercased()
      return !Self.ofConnection.contains(name) && !connection.contains(name)
    }
    // The transport sends no body with these methods, and S3 defines none.
    if contentLength > 0, method != .put, method != .post { throw .malformed }
  }

  /// Fields of one connection, and those that the next sender writes itself.
  static let ofConnection: Set<String> = [
    "connection", "keep-alive", "proxy-connection", "proxy-authorization", "te", "trailer",
    "transfer-encoding", "upgrade", "expect", "content-length",
  ]

  private static func requestLine(
    _ line: some Collection<UInt8>
  ) throws(RequestRefusal) -> (HTTPRequest.Method, String, isOld: Bool) {
    let words = line.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
    guard words.count == 3, words[0].allSatisfy(\.isTokenByte), !words[0].isEmpty,
      words[1].first == UInt8(ascii: "/"),
      words[1].allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "#") })
    else { throw .malformed }
    let version = String(decoding: words[2], as: UTF8.self)
    guard version == "HTTP/1.1" || version == "HTTP/1.0" else {
      throw version.hasPrefix("HTTP/") ? .version : .malformed
    }
    guard let method = HTTPRequest.Method(rawValue: String(decoding: words[0], as: UTF8.self))
    else { throw .notImplemented }
    return (method, String(decoding: words[1], as: UTF8.self), version == "HTTP/1.0")
  }

  private static func field(_ line: some Collection<UInt8>) throws(RequestRefusal) -> HTTPField {
    guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { throw .malformed }
    let name = line[..<colon]
    let value = Array(line[line.index(after: colon)...])
    guard !name.isEmpty, name.allSatisfy(\.isTokenByte),
      value.allSatisfy({ ($0 >= 0x20 && $0 != 0x7F) || $0 == 0x09 })
    else { throw .malformed }
    func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
    let start = value.firstIndex { !isBlank($0) } ?? value.endIndex
    let end = value.lastIndex { !isBlank($0) }.map { $0 + 1 } ?? start
    // Bytes that are not text can't be passed on unchanged.
    guard let text = String(validating: value[start..<end], as: UTF8.self) else { throw .malformed }
    return HTTPField(String(decoding: name, as: UTF8.self), text)
  }

  private static func length(_ values: [String]) throws(RequestRefusal) -> Int {
    guard let value = values.first else { return 0 }
    guard values.count == 1, !value.isEmpty,
      value.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
    else { throw .malformed }
    guard let length = Int(value) else { throw .bodyTooLarge }
    return length
  }
}

extension UInt8 {
  /// A character of RFC 9110's `token`.
  fileprivate var isTokenByte: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: "!#$%&'*+-.^_`|~".utf8.contains(self)
    }
  }
}

/// Why a proxy refuses a request: the status that it answers before it closes.
struct RequestRefusal: Error, Hashable, Sendable {
  let status: Int
  let reason: String

  static let malformed = RequestRefusal(status: 400, reason: "Bad Request")
  static let lengthRequired = RequestRefusal(status: 411, reason: "Length Required")
  static let bodyTooLarge = RequestRefusal(status: 413, reason: "Content Too Large")
  static let headTooLarge = RequestRefusal(status: 431, reason: "Request Header Fields Too Large")
  static let notImplemented = RequestRefusal(status: 501, reason: "Not Implemented")
  static let version = RequestRefusal(status: 505, reason: "HTTP Version Not Supported")
  static let tooSlow = RequestRefusal(status: 408, reason: "Request Timeout")
}
