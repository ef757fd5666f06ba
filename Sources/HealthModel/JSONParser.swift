/// What is wrong with a text that should be JSON, and where.
public struct JSONError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Zero-based offset of the offending byte.
  public let offset: Int
  /// A sentence's worth of reason, without the offset.
  public let reason: String

  public var description: String { "\(reason) at byte \(offset)" }
}

extension JSONValue {
  /// Parses one JSON text strictly: UTF-8, no duplicate keys, no trailing bytes, finite numbers.
  ///
  /// - Parameters:
  ///   - bytes: the whole text; a byte-order mark is refused.
  ///   - maximumDepth: nesting beyond this is refused, so that hostile input can't exhaust the stack.
  /// - Throws: `JSONError` with the byte offset.
  public init(parsing bytes: [UInt8], maximumDepth: Int = 64) throws(JSONError) {
    throw JSONError(offset: 0, reason: "not yet parsed")
  }

  /// The canonical bytes (RFC 8785): keys sorted, no blanks, shortest numbers; equal values give
  /// equal bytes on every machine.
  public var canonicalBytes: [UInt8] { [] }
}
