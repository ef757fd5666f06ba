import ContentDigests
import HealthModel

/// The header fields of a POST that repeat what its body says, for servers on the way that do not read
/// the body (R53). Several fields of one name are joined by commas, and then equal nothing.
package struct RoutingFields: Hashable, Sendable {
  private let version: String?
  private let method: String?
  private let name: String?
  /// What a client speaks that names no version: clients of that revision send no such field.
  package var usual = ProtocolVersion.march2025

  /// - Parameters:
  ///   - version: the value of `MCP-Protocol-Version`; nil if it is absent.
  ///   - method: the value of `Mcp-Method`.
  ///   - name: the value of `Mcp-Name`.
  package init(version: String?, method: String?, name: String?) {
    (self.version, self.method, self.name) = (version, method, name)
  }

  /// Whether the client speaks a revision whose requests stand alone.
  package var isPerRequest: Bool {
    version.flatMap(ProtocolVersion.init(rawValue:))?.isPerRequest ?? false
  }

  /// Whether the server speaks the version that is named, if any is.
  package var isServed: Bool { version.map { ProtocolVersion(rawValue: $0) != nil } ?? true }

  /// The version that a message is sent in.
  ///
  /// - Throws: `unsupportedVersion` for one that is not served; since 2026-07-28 `headerMismatch`
  ///   where a field differs from the body.
  func version(of message: JSONValue) throws(ProtocolError) -> ProtocolVersion {
    let named = message["params"]?["_meta"]?[RequestMetadata.versionKey]
    guard let version else {
      if named != nil { throw .headerMismatch("MCP-Protocol-Version is missing") }
      return usual
    }
    guard let served = ProtocolVersion(rawValue: version) else {
      if let named, named != .string(version) {
        throw .headerMismatch("MCP-Protocol-Version differs from `_meta`")
      }
      throw .unsupportedVersion(version)
    }
    guard served.isPerRequest else {
      if named != nil { throw .headerMismatch("MCP-Protocol-Version differs from `_meta`") }
      return served
    }
    guard message.objectValue != nil else {
      throw .invalidRequest("a message is an object")
    }
    // Notifications need not name anything.
    if message["id"] != nil { try check(message, named) }
    return served
  }

  private func check(_ message: JSONValue, _ named: JSONValue?) throws(ProtocolError) {
    guard let named else {
      throw .invalidParams("`_meta` must have `\(RequestMetadata.versionKey)`")
    }
    guard named.stringValue == version else {
      throw .headerMismatch("MCP-Protocol-Version differs from `_meta`")
    }
    let requested = message["method"]?.stringValue
    guard requested == method else { throw .headerMismatch("Mcp-Method is not the method") }
    guard let member = Self.members[requested ?? ""],
      let value = message["params"]?[member]?.stringValue
    else { return }
    guard name.flatMap(Self.decoded) == value else {
      throw .headerMismatch("Mcp-Name is not `\(member)`")
    }
  }

  /// The member that `Mcp-Name` repeats, by method.
  private static let members = [
    "tools/call": "name", "prompts/get": "name", "resources/read": "uri",
  ]

  /// A field's value, which is `=?base64?...?=` if the text fits no field; nil for a broken one.
  private static func decoded(_ value: String) -> String? {
    let (start, end) = ("=?base64?", "?=")
    guard value.hasPrefix(start), value.hasSuffix(end), value.utf8.count >= 11 else { return value }
    let inner = value.dropFirst(start.count).dropLast(end.count)
    guard let bytes = Base64.decode(inner.utf8), Base64.encode(bytes) == inner else { return nil }
    return String(validating: bytes, as: UTF8.self)
  }
}
