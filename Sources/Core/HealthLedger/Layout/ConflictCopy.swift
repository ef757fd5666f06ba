import HealthModel

/// A file that a synchronising service has renamed because two machines wrote the same name, such
/// as `latest 2.json`, `latest (1).json`, `ID (conflicted copy 2026-02-08).json`, `ID-laptop.json`,
/// `latest.sync-conflict-20260208-101010-ABCDEFG.json` or, by `rclone bisync`, `latest.json.conflict1`.
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

  /// Whether a file has the name of another one with a mark before `.json`, or with `.conflict` after it.
  private static func copies(_ name: String, _ file: String) -> Bool {
    if file.hasPrefix(name + ".json.conflict") { return true }
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

/// A copy of a year's, month's or day's folder that a synchronising service has made, such as `08 2`
/// or `08 (1)` beside `08`. It may hold the only instance of a revision.
struct FolderCopy: Hashable, Sendable {
  /// The copy, as a path below the data.
  let folder: String
  /// The folder of which it is a copy.
  let original: String
  /// The day of the object, if its path names one.
  let date: CalendarDate?

  /// True for a copy of a day's folder, not of a folder above.
  var isOfDay: Bool { original.utf8.count == 10 }

  /// Nil if the path does not lie in a folder that looks like a copy.
  ///
  /// - Parameter path: the path of a foreign object below the data.
  init?(path: String) {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    let lengths = [4, 2, 2]
    let depth = zip(parts, lengths).prefix { $0.utf8.count == $1 }.count
    // The last part is the object's own name.
    guard depth < lengths.count, depth < parts.count - 1 else { return nil }
    let name = parts[depth].prefix(lengths[depth])
    guard Self.marks(parts[depth].dropFirst(lengths[depth])) else { return nil }
    var folders = Array(parts[..<depth])
    folders.append(String(name))
    // The first day of the folder, if there can be such a folder.
    guard Self.date(folders + ["01", "01"]) != nil else { return nil }
    folder = parts[...depth].joined(separator: "/")
    original = folders.joined(separator: "/")
    date = Self.date(folders + Array(parts[(depth + 1)...]))
  }

  private static func date(_ folders: [String]) -> CalendarDate? {
    CalendarDate(folders.prefix(3).joined(separator: "-"))
  }

  /// Only the marks of services: people name folders too, such as `08-old`.
  private static func marks(_ text: Substring) -> Bool {
    text.count > 1 && text.first.map { " (".contains($0) } == true
  }
}
