import HealthModel

/// A revision of the Model Context Protocol that the server speaks (R53).
package enum ProtocolVersion: String, CaseIterable, Comparable, Sendable {
  case november2024 = "2024-11-05"
  case march2025 = "2025-03-26"
  case june2025 = "2025-06-18"
  case november2025 = "2025-11-25"
  case july2026 = "2026-07-28"

  /// The newest that `initialize` can agree on.
  static let latestWithHandshake = ProtocolVersion.november2025

  /// True where every request names its version and capabilities itself, and no `initialize` is.
  var isPerRequest: Bool { self >= .july2026 }

  /// `annotations` of a tool.
  var hasAnnotations: Bool { self >= .march2025 }

  /// `structuredContent` of a result; `outputSchema` and `title` of a tool.
  var hasStructuredContent: Bool { self >= .june2025 }

  /// All versions, newest first, as clients get them.
  static var newestFirst: JSONValue { .strings(allCases.reversed().map(\.rawValue)) }

  /// The older version is the lesser.
  package static func < (a: ProtocolVersion, b: ProtocolVersion) -> Bool {
    a.rawValue < b.rawValue
  }
}

/// The id of a request: a string, or an integer that a double can hold exactly.
///
/// Compared by its JSON text: `1` and `"1"` differ, and so do strings that are equivalent in
/// Unicode.
package struct RequestID: Hashable, Sendable {
  /// As it was received.
  let value: JSONValue
  let text: [UInt8]

  /// Nil for any other kind of value, for fractions, and for integers above 2^53 - 1, which this
  /// server could not send back unchanged.
  init?(_ value: JSONValue) {
    switch value {
    case .string: break
    case .number(let number):
      guard let whole = Int(exactly: number), whole.magnitude < 1 << 53 else { return nil }
    default: return nil
    }
    (self.value, text) = (value, value.canonicalBytes)
  }

  package static func == (a: RequestID, b: RequestID) -> Bool { a.text == b.text }

  package func hash(into hasher: inout Hasher) { hasher.combine(text) }
}

/// An invalid message, with the error codes of JSON-RPC and of the protocol (R53).
///
/// A failure inside a tool is not such an error but a result of the tool (R52).
struct ProtocolError: Error {
  private let code: Int
  /// One sentence. Text from the client is quoted only in part.
  private let message: String
  private let data: JSONValue?

  private init(_ code: Int, _ message: String, data: JSONValue? = nil) {
    (self.code, self.message, self.data) = (code, message, data)
  }

  /// The line is not JSON that the server can read.
  static func parse(_ reason: String) -> Self { .init(-32700, "Parse error: \(reason)") }

  /// The JSON is not a request.
  static func invalidRequest(_ reason: String) -> Self {
    .init(-32600, "Invalid request: \(reason)")
  }

  static func methodNotFound(_ method: String) -> Self {
    .init(-32601, "Method not found: \(method.prefix(80))")
  }

  static func invalidParams(_ reason: String) -> Self { .init(-32602, "Invalid params: \(reason)") }

  /// There is no such resource; since 2026-07-28 as a wrong parameter (R62).
  static func resourceNotFound(_ uri: String, _ version: ProtocolVersion) -> Self {
    .init(
      version.isPerRequest ? -32602 : -32002, "Resource not found",
      data: ["uri": "\(uri.prefix(80))"])
  }

  /// A tool failed on the way to a resource or prompt. `fault` is its error (R52).
  static func failed(_ fault: JSONValue?) -> Self {
    .init(-32603, "Internal error: \(fault?["message"]?.stringValue ?? "no answer")", data: fault)
  }

  /// More calls wait than the server keeps.
  static let overloaded = ProtocolError(
    -32603, "Internal error: too many calls wait; send this one again when others are answered")

  /// The calls of a request took longer than they may (HTTP alone).
  static let late = ProtocolError(
    -32603, "Internal error: the store took too long; ask again, or for fewer days")

  /// The server does not support the version that a request names in this way.
  static func unsupportedVersion(_ requested: String) -> Self {
    // A version that begins with `initialize` is known, but can't be used in this way.
    let isKnown = ProtocolVersion(rawValue: requested) != nil
    return .init(
      -32022, "Unsupported protocol version",
      data: [
        "requested": "\(requested.prefix(80))",
        "supported": isKnown
          ? [.string(ProtocolVersion.july2026.rawValue)] : ProtocolVersion.newestFirst,
      ])
  }

  /// A header field does not say what the body says (HTTP alone).
  static func headerMismatch(_ reason: String) -> Self {
    .init(-32020, "Header mismatch: \(reason)")
  }

  /// The answer to a request. JSON-RPC's null stands for an id that could not be read.
  func response(to id: RequestID?) -> JSONValue {
    var error: [String: JSONValue] = ["code": .number(Double(code)), "message": .string(message)]
    error["data"] = data
    return ["jsonrpc": "2.0", "id": id?.value ?? .null, "error": .object(error)]
  }
}
