import Foundation
import Synchronization

/// The IANA time zone database, from where this machine has it (R4).
///
/// On Linux that is the folder that the variable `TZDIR` names, or the system's zoneinfo folder,
/// which updates of the system keep current. Foundation's own copy is not used there: a statically
/// linked program would carry it unchanged for ever, and it has 40 MB. On Apple's systems it is the
/// system's, as Foundation has it.
package final class TimeZoneDatabase: Sendable {
  /// Where the rules come from.
  package enum Source: Hashable, Sendable {
    /// A folder of TZif files (RFC 9636).
    case folder(String)
    #if canImport(Darwin)
      /// What Foundation finds.
      case foundation
    #endif
    /// Nothing: a Linux machine without zone files. No zone is known.
    case missing
  }

  /// Where the rules come from.
  package let source: Source
  private let known = Mutex<[String: TimeZoneRules]>([:])

  /// The database in this place; nothing is read yet.
  package init(_ source: Source) {
    self.source = source
  }

  /// The one that this machine goes by.
  package static let current: TimeZoneDatabase = {
    #if canImport(Darwin)
      return TimeZoneDatabase(.foundation)
    #else
      return onLinux(named: ProcessInfo.processInfo.environment["TZDIR"])
    #endif
  }()

  /// The database of a Linux machine.
  ///
  /// - Parameter variable: the value of `TZDIR`; where it is the path of a folder, no other folder
  ///   is looked into, as the C library has it.
  static func onLinux(named variable: String?) -> TimeZoneDatabase {
    var folders = ["/usr/share/zoneinfo", "/usr/lib/zoneinfo", "/etc/zoneinfo"]
    if let variable, variable.hasPrefix("/") { folders = [variable] }
    for folder in folders where FileManager.default.fileExists(atPath: folder + "/Etc/UTC") {
      return TimeZoneDatabase(.folder(folder))
    }
    return TimeZoneDatabase(.missing)
  }

  /// The names of the zones in the database, sorted.
  package var names: [String] {
    switch source {
    #if canImport(Darwin)
      case .foundation: return TimeZone.knownTimeZoneIdentifiers.filter(knows)
    #endif
    case .folder(let folder):
      let files = (try? FileManager.default.subpathsOfDirectory(atPath: folder)) ?? []
      return files.filter(knows).sorted()
    case .missing: return []
    }
  }

  /// The name under which the database has the file at a path; nil if the path is not in a zoneinfo
  /// folder.
  package func name(ofFile path: String) -> String? {
    guard let folder = path.firstRange(of: "/zoneinfo/") else { return nil }
    let name = path[folder.upperBound...]
    let plain = String(name.hasPrefix("posix/") ? name.dropFirst(6) : name)
    return knows(plain) ? plain : nil
  }

  /// Whether the database has a zone of exactly this name.
  package func knows(_ name: String) -> Bool { rules(named: name) != nil }

  /// Whether a text could be the name of a zone, in this database or a newer one (R3): 1 to 64
  /// ASCII letters, digits, `_`, `+`, `-` and `/`.
  static func hasFormOfName(_ text: String) -> Bool {
    (1...maximumNameBytes).contains(text.utf8.count)
      && text.utf8.allSatisfy { nameBytes.contains($0) || $0 == UInt8(ascii: "/") }
  }

  /// Most bytes of a zone's name; the longest of the database has 32.
  private static let maximumNameBytes = 64

  /// The rules of the zone that the database knows by exactly this name; nil for any other text.
  func rules(named name: String) -> TimeZoneRules? {
    // Beyond ASCII two spellings can be equal strings (K and the Kelvin sign): not in names.
    guard name.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
    if let rules = known.withLock({ $0[name] }) { return rules }
    guard Self.isZoneName(name), let rules = load(name) else { return nil }
    // Only real names are kept, so hostile documents can't grow the table.
    known.withLock { $0[name] = rules }
    return rules
  }

  private func load(_ name: String) -> TimeZoneRules? {
    switch source {
    #if canImport(Darwin)
      case .foundation: return TimeZone(identifier: name).map(TimeZoneRules.foundation)
    #endif
    case .folder(let folder):
      guard let data = FileManager.default.contents(atPath: "\(folder)/\(name)") else { return nil }
      return ZoneFile([UInt8](data)).map(TimeZoneRules.file)
    case .missing: return nil
    }
  }

  /// Whether a text has the form of a zone's name, so that it can't lead out of the folder.
  ///
  /// It also keeps out what Foundation takes beyond the database (`GMT+5`, `PST`) and what a folder
  /// holds beside it (`posix/`, `right/`, `localtime`).
  private static func isZoneName(_ name: String) -> Bool {
    guard name.utf8.count <= maximumNameBytes, name.utf8.contains(UInt8(ascii: "/")) else {
      return namesWithoutArea.contains(name)
    }
    return !name.hasPrefix("SystemV/") && name != "Etc/Unknown"
      && name.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        .allSatisfy { part in
          part.first.map(capitals.contains) ?? false && part.allSatisfy(nameBytes.contains)
        }
  }

  private static let capitals = UInt8(ascii: "A")...UInt8(ascii: "Z")
  private static let nameBytes = Set(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_+-".utf8)

  private static let namesWithoutArea: Set<String> = [
    "CET", "CST6CDT", "Cuba", "EET", "EST", "EST5EDT", "Egypt", "Eire", "Factory", "GB", "GB-Eire",
    "GMT", "GMT+0", "GMT-0", "GMT0", "Greenwich", "HST", "Hongkong", "Iceland", "Iran", "Israel",
    "Jamaica", "Japan", "Kwajalein", "Libya", "MET", "MST", "MST7MDT", "NZ", "NZ-CHAT", "Navajo",
    "PRC", "PST8PDT", "Poland", "Portugal", "ROC", "ROK", "Singapore", "Turkey", "UCT", "UTC",
    "Universal", "W-SU", "WET", "Zulu",
  ]
}
