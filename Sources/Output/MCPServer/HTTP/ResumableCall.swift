package import HealthModel

/// A request whose answer can be resumed after its stream was lost (R53). All calls only read, so any
/// server can make the call again. Pure.
package struct ResumableCall: Hashable, Sendable {
  /// The revision that the answer is in.
  package let version: ProtocolVersion
  /// The request, with what the answer needs and nothing else.
  package let message: JSONValue

  /// Nil unless it is one request.
  init?(_ request: JSONValue, _ version: ProtocolVersion) {
    guard case .object(var members) = request, members["id"] != nil else { return nil }
    members = members.filter { ["jsonrpc", "id", "method", "params"].contains($0.key) }
    if case .object(var params)? = members["params"] {
      params["_meta"] = params["_meta"]?["progressToken"].map { .object(["progressToken": $0]) }
      members["params"] = .object(params)
    }
    (self.version, message) = (version, .object(members))
  }

  /// What was written as `version` and `message`; nil for anything else.
  package init?(version: String, message: [UInt8]) {
    guard let version = ProtocolVersion(rawValue: version), !version.isPerRequest,
      let message = try? JSONValue(parsing: message, maximumDepth: 64)
    else { return nil }
    (self.version, self.message) = (version, message)
  }

  /// Whether streams of its revision begin with an event that has an id alone, so that a client can
  /// resume before anything was said. Earlier clients take every event for a message.
  package var isPrimed: Bool { version >= .november2025 }
}
