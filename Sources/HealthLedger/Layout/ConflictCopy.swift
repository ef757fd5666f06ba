import HealthModel

/// A file that a synchronising service has renamed because two machines wrote the same name, such
/// as `latest 2.json`, `latest (1).json`, `ID (conflicted copy 2026-02-08).json`, `ID-laptop.json`
/// or `latest.sync-conflict-20260208-101010-ABCDEFG.json`.
struct ConflictCopy: Hashable, Sendable {
  /// The object of which it is a copy, as a path below the day's folder.
  let original: String

  /// Nil if the path does not look like a conflict copy.
  ///
  /// - Parameter path: the path of a foreign object below its day's folder.
  init?(path: String) {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    switch parts.count {
    case 1:
      guard Self.copies("latest", parts[0]) else { return nil }
      original = "latest.json"
    case 2 where parts[0] == "revisions":
      let digits = parts[1].dropFirst(17).prefix { $0.isASCII && $0.isHexDigit }
      let id = String(parts[1].prefix(17) + digits)
      guard RevisionID(id) != nil, Self.copies(id, parts[1]) else { return nil }
      original = "revisions/\(id).json"
    case 2 where parts[0].hasPrefix("revisions"):
      guard Self.marks(parts[0].dropFirst("revisions".count)) else { return nil }
      original = "revisions/\(parts[1])"
    default: return nil
    }
  }

  /// Whether a file is named like another one with a mark between the name and `.json`.
  private static func copies(_ name: String, _ file: String) -> Bool {
    guard file.hasPrefix(name), file.hasSuffix(".json"),
      file.utf8.count > name.utf8.count + 5
    else { return false }
    return marks(file.dropFirst(name.count).dropLast(5))
  }

  /// A mark begins with a character that does not occur in that place in a name of the layout.
  private static func marks(_ text: Substring) -> Bool {
    text.count > 1 && text.first.map { " (-._".contains($0) } == true
  }
}
