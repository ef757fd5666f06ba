import Foundation
import HealthLedger
import HealthModel
import HealthSources

/// The reporting zone, or the zones by period, and who named them.
struct ZoneSetting {
  /// UTC where `failure` is set.
  let zones: ReportingZones
  /// As it was given.
  let text: String
  let origin: String
  /// False where the zone is this machine's, for want of another.
  let isGiven: Bool
  /// Why no day can be had in it.
  let failure: LedgerError?

  /// Zones that a flag, a variable or the configuration file names.
  init(given text: String, origin: String) {
    (self.text, self.origin, isGiven) = (text, origin, true)
    do throws(ReportingZones.Failure) {
      zones = try ReportingZones(parsing: text)
      failure = nil
    } catch {
      zones = ReportingZones("UTC")
      failure = error.ledgerError
    }
  }

  /// This machine's zone: TZ's, else the system's.
  ///
  /// A name in TZ is taken as it stands: Foundation takes `EST` for New York, which has summer time,
  /// and `UTC` for `GMT`. What names no zone is refused where days are written: the C library takes
  /// it for UTC without a word, and a revision would keep that for ever.
  init(machine variable: String?) {
    isGiven = false
    guard let variable else {
      (text, origin, failure) = (TimeZone.current.identifier, "this machine", nil)
      zones = ReportingZones(text)
      return
    }
    origin = "TZ"
    if let name = Self.name(in: variable) {
      (text, zones, failure) = (name, ReportingZones(name), nil)
      return
    }
    (text, zones) = (variable, ReportingZones("UTC"))
    let meant = Self.meant(by: variable)
    failure = LedgerError(
      .invalidArguments,
      "TZ is \"\(variable.prefix(64))\", which is not a name of the time zone database", rule: "R4",
      remedy: meant.map { "set TZ=\($0), or give --timezone \($0)" }
        ?? "set TZ to an IANA name such as Europe/Berlin, or give --timezone")
  }

  /// The database's name for what TZ holds: a name, or the path of a zone's file; nil for neither.
  static func name(in variable: String) -> String? {
    let text = variable.hasPrefix(":") ? String(variable.dropFirst()) : variable
    if ReportingZones.isKnown(text) { return text }
    guard !text.isEmpty, !text.contains("\0") else { return nil }
    let path = text.hasPrefix("/") ? text : "/usr/share/zoneinfo/" + text
    guard FileManager.default.fileExists(atPath: path) else { return nil }
    // /etc/localtime is a link into the database.
    return name(ofFile: path) ?? name(ofFile: URL(filePath: path).resolvingSymlinksInPath().path)
  }

  private static func name(ofFile path: String) -> String? {
    guard let folder = path.range(of: "/zoneinfo/") else { return nil }
    let name = path[folder.upperBound...]
    let plain = name.hasPrefix("posix/") ? name.dropFirst(6) : name
    return ReportingZones.isKnown(String(plain)) ? String(plain) : nil
  }

  /// The zone that a name in another case, or a city alone, stands for; nil where there is none.
  private static func meant(by text: String) -> String? {
    let word = text.drop { $0 == ":" }.lowercased().replacing(" ", with: "_")
    guard !word.isEmpty else { return nil }
    let names = TimeZone.knownTimeZoneIdentifiers.filter(ReportingZones.isKnown)
    return names.first { $0.lowercased() == word }
      ?? names.first { $0.lowercased().hasSuffix("/" + word) }
  }
}

extension ReportingZones.Failure {
  /// The failure in the ledger's terms.
  var ledgerError: LedgerError {
    let form = "write the first zone alone and each further one with its first day, as in "
    let example = "Europe/Paris, America/New_York@2024-03-02"
    return switch self {
    case .unknown(let name): ReportingDay.Failure.unknownTimeZone(name).ledgerError
    case .badDate(let text):
      LedgerError(
        .invalidArguments, "\"\(text.prefix(40))\" is not a date from which a time zone holds",
        rule: "R1", remedy: form + example)
    case .needsFirst:
      LedgerError(
        .invalidArguments, "the time zones lack the one that holds before the first date",
        rule: "R4", remedy: form + example)
    case .needsDate(let name):
      LedgerError(
        .invalidArguments, "the time zone \(name) lacks the date from which it holds", rule: "R4",
        remedy: form + example)
    case .twice(let date):
      LedgerError(
        .invalidArguments, "two time zones begin on \(date)", rule: "R4",
        remedy: "give each date one zone")
    }
  }
}

extension ReportingDay.Failure {
  /// The failure in the ledger's terms.
  var ledgerError: LedgerError {
    switch self {
    case .unknownTimeZone(let name):
      LedgerError(
        .invalidArguments, "the time zone database has no \"\(name)\"", rule: "R4",
        remedy: "use an IANA name such as Europe/Berlin (--timezone)")
    case .skippedDate(let date, let zone):
      LedgerError(
        .invalidArguments, "\(zone) skipped \(date): that day did not exist there", rule: "R4",
        remedy: "leave the date out, or name another zone")
    }
  }
}
