package import HealthModel

/// An invalid message, with the error codes of JSON-RPC and of the protocol (R53).
///
/// A failure inside a tool is not such an error but a result of the tool (R52).
package struct ProtocolError: Error, Hashable, Sendable {
  package let code: Int
  /// One sentence. Text from the client is quoted only in part.
  package let message: String
  package let data: JSONValue?

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
      data: ["uri": .string(String(uri.prefix(80)))])
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

  /// The answers to a batch are larger than the server keeps.
  static let batchTooLarge = ProtocolError(
    -32603, "Internal error: the answers to the batch are too large; send this request alone")

  /// The server does not support the version that a request names in this way.
  static func unsupportedVersion(_ requested: String) -> Self {
    // A version that begins with `initialize` is known, but can't be used in this way.
    let supported = ProtocolVersion(rawValue: requested).map { _ in [ProtocolVersion.july2026] }
    return .init(
      -32022, "Unsupported protocol version",
      data: [
        "requested": .string(String(requested.prefix(80))),
        "supported": .array(
          (supported ?? ProtocolVersion.newestFirst).map { .string($0.rawValue) }),
      ])
  }

  /// A header field does not say what the body says (HTTP alone).
  static func headerMismatch(_ reason: String) -> Self {
    .init(-32020, "Header mismatch: \(reason)")
  }

  /// The answer to a request. JSON-RPC's null stands for an id that could not be read.
  func response(to id: RequestID?) -> JSONValue {
    var error: [String: JSONValue] = [
      "code": .number(Double(code)), "message": .string(message),
    ]
    error["data"] = data
    return ["jsonrpc": "2.0", "id": id?.value ?? .null, "error": .object(error)]
  }
}
