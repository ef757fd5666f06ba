/// Names of time zones as strings, one for each and not one for each record.
struct ZoneNames {
  /// No identifier of the time zone database, nor any locale or date, is as long.
  static var maximumBytes: Int { 255 }

  private var lastText: [UInt8] = []
  private var lastName = ""

  /// The name that an attribute holds; nil if it is absent, empty or too long.
  mutating func name(_ text: RawText) -> String? {
    guard text.count > 0, text.count <= Self.maximumBytes else { return nil }
    if text.count == lastText.count, text.bytes.elementsEqualBytes(lastText) { return lastName }
    lastText = Array(text.bytes)
    lastName = AttributeText(text).string
    return lastName
  }
}
