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

#if canImport(Darwin)
  import Foundation
#endif

/// The UTC offsets of one zone, and from them when its days begin (R4).
enum TimeZoneRules: Sendable {
  /// Rules of the system's database.
  case file(ZoneFile)
  #if canImport(Darwin)
    /// Rules that Foundation finds.
    case foundation(TimeZone)
  #endif

  /// Seconds east of UTC that hold at a moment.
  func offset(at seconds: Int) -> Int {
    switch self {
    case .file(let file): return file.offset(at: seconds)
    #if canImport(Darwin)
      case .foundation(let zone):
        return zone.secondsFromGMT(for: Date(timeIntervalSince1970: TimeInterval(seconds)))
    #endif
    }
  }

  /// The moment with the offset that holds there.
  func localMoment(at seconds: Int) -> ReportingDay.LocalMoment {
    .init(timestamp: Timestamp(secondsSince1970: seconds), offsetSeconds: offset(at: seconds))
  }

  /// The first moment at which the zone's clocks show the midnight that begins a day, or later.
  ///
  /// It is the first occurrence of a midnight that comes twice, and the end of the gap for one
  /// that never comes. `day` counts from 1970-01-01.
  func start(ofDay day: Int) -> Int {
    let midnight = day * 86_400
    // No zone ever was further than this from UTC, so the moment lies between these two.
    var low = midnight - Self.widestOffset
    let last = midnight + Self.widestOffset
    while low < last {
      let high = min(low + Self.step, last)
      if let moment = first(showing: midnight, from: low, to: high) { return moment }
      low = high
    }
    return last
  }

  /// The first moment of `low...high` that shows at least `local`, if there is one.
  private func first(showing local: Int, from low: Int, to high: Int) -> Int? {
    let offset = self.offset(at: low)
    if low + offset >= local { return low }
    if self.offset(at: high) == offset {
      return high + offset >= local ? local - offset : nil
    }
    let change = firstChange(after: low, upTo: high, from: offset)
    if change - 1 + offset >= local { return local - offset }
    if change + self.offset(at: change) >= local { return change }
    return change < high ? first(showing: local, from: change, to: high) : nil
  }

  /// The moment in `low+1...high` at which the offset stops being `offset`.
  private func firstChange(after low: Int, upTo high: Int, from offset: Int) -> Int {
    var (low, high) = (low, high)
    while high - low > 1 {
      let middle = low + (high - low) / 2
      if self.offset(at: middle) == offset { low = middle } else { high = middle }
    }
    return high
  }

  /// Seconds; the widest local mean times are just under 16 hours from UTC.
  private static let widestOffset = 57_600

  /// Seconds; shorter than any two changes that cancel each other ever were apart.
  private static let step = 21_600
}
