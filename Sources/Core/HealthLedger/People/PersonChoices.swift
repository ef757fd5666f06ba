package import HealthModel

/// A person's settings for days and pages (R64): the object `settings.json` below their prefix. Each
/// value has the form of the setting with the same name. Pure.
package struct PersonChoices: Hashable, Sendable {
  /// What can be chosen.
  package enum Name: String, CaseIterable, Hashable, Sendable {
    /// The reporting zone, or zones by period.
    case timezone
    /// What to reach in a day.
    case goals
    /// The units of numbers on pages.
    case units
  }

  /// All members but the format, also those of a newer version (R14).
  private var members: [String: JSONValue] = [:]

  private static let format = "person_settings.v0"
  /// The most bytes of the document, and of one value.
  static let (maximumBytes, maximumValueBytes) = (65_536, 2000)

  /// Nothing was chosen.
  package init() {}

  /// What was chosen; nil for nothing.
  package subscript(name: Name) -> String? {
    get { members[name.rawValue]?.stringValue }
    set { members[name.rawValue] = newValue.map { .string($0) } }
  }

  /// Whether no setting that s3health knows is there.
  package var isEmpty: Bool { Name.allCases.allSatisfy { self[$0] == nil } }

  /// What was chosen, by name.
  package var values: [String: JSONValue] {
    var values: [String: JSONValue] = [:]
    for name in Name.allCases { values[name.rawValue] = self[name].map { .string($0) } }
    return values
  }

  /// The object as canonical JSON.
  package var document: [UInt8] {
    var members = members
    members["format"] = .string(Self.format)
    return JSONValue.object(members).canonicalBytes
  }

  /// Parses a document; nil if it is not one, or if a value can't be read. That must not be treated as an
  /// absent setting.
  package init?(parsing bytes: [UInt8]) {
    guard bytes.count <= Self.maximumBytes,
      var members = (try? JSONValue(parsing: bytes, maximumDepth: 8))?.objectValue,
      members.removeValue(forKey: "format")?.stringValue == Self.format
    else { return nil }
    for name in Name.allCases {
      guard let value = members[name.rawValue] else { continue }
      guard let text = value.stringValue, Self.isValue(text) else { return nil }
    }
    self.members = members
  }

  /// Whether a text is a valid value: not empty, not too long, and one line.
  package static func isValue(_ text: String) -> Bool {
    (1...maximumValueBytes).contains(text.utf8.count)
      && text.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }
  }
}
