import HealthModel

/// What a request declares about itself in `_meta`, since 2026-07-28.
enum RequestMetadata {
  static let versionKey = "io.modelcontextprotocol/protocolVersion"
  static let capabilitiesKey = "io.modelcontextprotocol/clientCapabilities"
  static let serverInfoKey = "io.modelcontextprotocol/serverInfo"

  /// The version that the request names; nil if it names none, as before 2026-07-28.
  ///
  /// - Throws: `unsupportedVersion`, or `invalidParams` if a required member is missing.
  static func version(
    of params: [String: JSONValue]
  ) throws(ProtocolError) -> ProtocolVersion? {
    guard let meta = params["_meta"] else { return nil }
    guard let members = meta.objectValue else {
      throw .invalidParams("`_meta` must be an object")
    }
    guard let named = members[versionKey] else { return nil }
    guard let text = named.stringValue else {
      throw .invalidParams("`\(versionKey)` in `_meta` must be a string")
    }
    guard let version = ProtocolVersion(rawValue: text), version.isPerRequest else {
      throw .unsupportedVersion(text)
    }
    guard members[capabilitiesKey]?.objectValue != nil else {
      throw .invalidParams("`_meta` must have `\(capabilitiesKey)`, an object")
    }
    return version
  }
}
