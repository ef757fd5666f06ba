import Foundation
import Synchronization

/// The IANA time zone database, from where this machine has it (R4).
///
/// On Linux that is the system's zoneinfo folder, which updates of the system keep current;
/// elsewhere, and where there is no such folder, the copy that Foundation knows. A statically
/// linked program carries that copy unchanged for ever, so it is second choice where it is not the
/// system's own.
package final class TimeZoneDatabase: Sendable {
  /// Where the rules come from.
  package enum Source: Hashable, Sendable {
    /// A folder of TZif files (RFC 9636).
    case folder(String)
    /// What Foundation carries or finds.
    case foundation
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
    #if os(Linux)
      let folders = ["/usr/share/zoneinfo", "/usr/lib/zoneinfo", "/etc/zoneinfo"]
      for folder in folders where FileManager.default.fileExists(atPath: folder + "/Etc/UTC") {
        return TimeZoneDatabase(.folder(folder))
      }
    #endif
    return TimeZoneDatabase(.foundation)
  }()

  /// The database's version, such as `2025b`; nil where it does not say.
  package var version: String? {
    switch source {
    case .foundation: return TimeZone.timeZoneDataVersion
    case .folder(let folder):
      guard let file = FileHandle(forReadingAtPath: folder + "/tzdata.zi"),
        let head = try? file.read(upToCount: 64),
        let line = String(decoding: head, as: UTF8.self).split(separator: "\n").first,
        line.hasPrefix("# version ")
      else { return nil }
      return String(line.dropFirst(10))
    }
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
    case .foundation:
      return TimeZone(identifier: name).map(TimeZoneRules.foundation)
    case .folder(let folder):
      guard let data = FileManager.default.contents(atPath: "\(folder)/\(name)") else { return nil }
      return ZoneFile([UInt8](data)).map(TimeZoneRules.file)
    }
  }

  /// Whether a text has the form of a zone's name, so that it can't lead out of the folder.
  ///
  /// It also keeps out what Foundation takes beyond the database (`GMT+5`, `PST`) and what a folder
  /// holds beside it (`posix/`, `right/`, `localtime`).
  private static func isZoneName(_ name: String) -> Bool {
    guard name.utf8.count <= maximumNameBytes, name.contains("/") else {
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
