import Foundation
package import HealthLedger
package import HealthModel
import ObjectStore

/// The reporting zone, or the zones by period, with their origin.
package struct ZoneSetting: Sendable {
  /// UTC if `failure` is set.
  package let zones: ReportingZones
  /// As it was given.
  package let text: String
  package let origin: String
  /// Whether a person gave it here.
  package let isGiven: Bool
  /// Whether the store keeps it; if it was not given either, it is this machine's, for want of another.
  package private(set) var isKept = false
  /// Whether a person set it, here or in the store.
  package private(set) var isSet: Bool
  /// Why no days can be made in it.
  package let failure: LedgerError?

  private static let machine = "this machine"

  /// Zones that were given, with their origin.
  ///
  /// - Parameter remedy: how others are set there, if not on the command line.
  package init(given text: String, origin: String, remedy: String? = nil) {
    (self.text, self.origin, isGiven, isSet) = (text, origin, true, true)
    do throws(LedgerError) {
      zones = try ReportingZones(parsing: text)
      failure = nil
    } catch {
      zones = ReportingZones("UTC")
      var found = error
      if let remedy {
        (found.message, found.remedy) = ("\(origin): \(error.message)", .text(remedy))
      }
      failure =
        TimeZoneDatabase.current.source == .missing
        ? LedgerError(ReportingDay.Failure.noTimeZoneDatabase) : found
    }
  }

  /// Zones that the store keeps, because a person set them there or because an input named them.
  package init(kept zones: ReportingZones, isSet: Bool) {
    (self.zones, self.isSet, text) = (zones, isSet, "\(zones)")
    (origin, isGiven, isKept, failure) = ("the store", false, true, nil)
  }

  /// This machine's zone: that of TZ, or the system's.
  ///
  /// A name in TZ is used unchanged: Foundation reads `EST` as New York, which has summer time, and
  /// `UTC` as `GMT`. If it is not a zone's name, writing days is refused. The C library would
  /// silently use UTC, and a revision would keep that forever.
  package init(machine variable: String?) {
    (isGiven, isSet) = (false, false)
    guard TimeZoneDatabase.current.source != .missing else {
      (text, origin) = (variable ?? "UTC", variable == nil ? Self.machine : "TZ")
      (zones, failure) = (
        ReportingZones("UTC"), LedgerError(ReportingDay.Failure.noTimeZoneDatabase)
      )
      return
    }
    guard let variable else {
      origin = Self.machine
      if let name = MachineZone.name {
        (text, zones, failure) = (name, ReportingZones(name), nil)
      } else {
        (text, zones) = ("unknown", ReportingZones("UTC"))
        failure = LedgerError(
          .invalidArguments,
          "the time zone of this machine can't be found: "
            + "/etc/localtime does not say which zone it is", rule: "R4",
          remedy: .input(.setZone(meant: nil)))
      }
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
      remedy: .input(.setZone(meant: meant)))
  }

  /// The database's name for the value of TZ: a name, or the path of a zone's file; nil for
  /// neither.
  static func name(in variable: String) -> String? {
    let text = variable.hasPrefix(":") ? String(variable.dropFirst()) : variable
    if ReportingZones.isKnown(text) { return text }
    guard !text.isEmpty, !text.utf8.contains(0) else { return nil }
    let path = text.hasPrefix("/") ? text : "/usr/share/zoneinfo/" + text
    guard FileManager.default.fileExists(atPath: path) else { return nil }
    return MachineZone.name(ofFile: path)
  }

  /// The zone for a name in another case, or for a city only; nil if there is none.
  private static func meant(by text: String) -> String? {
    let word = text.drop { $0 == ":" }.lowercased().replacing(" ", with: "_")
    guard !word.isEmpty else { return nil }
    let names = TimeZoneDatabase.current.names
    return names.first { $0.lowercased() == word }
      ?? names.first { $0.lowercased().hasSuffix("/" + word) }
  }
}

extension ZoneSetting {
  /// Whether the person has no zone, so that this machine's stands in.
  package var isMissing: Bool { !isGiven && !isKept }

  /// The zones, if days can be made in them.
  package var usable: ReportingZones {
    get throws(LedgerError) {
      if let failure { throw failure }
      return zones
    }
  }

  /// Refuses rows that were written in another zone, where nobody set this one: a server or a container
  /// does not know where somebody lives, and a wrong date is there for good.
  func check(_ misfit: OffsetMisfit, of name: String) throws(LedgerError) {
    guard !isSet else { return }
    throw LedgerError(
      .invalidArguments, "\(name): no time zone is set, and \(misfit.unset(isKept: isKept))",
      rule: "R19", remedy: .input(.giveZone))
  }

  /// The date at a moment, if days can be made in the zones.
  package func date(at moment: Timestamp) throws(LedgerError) -> CalendarDate {
    let zones = try usable
    do throws(ReportingDay.Failure) {
      return try zones.date(at: moment)
    } catch {
      throw LedgerError(error)
    }
  }

  /// The same zones, or if none are given those that this machine is set to now: it may have
  /// travelled.
  package var current: ZoneSetting {
    guard !isGiven, origin == Self.machine else { return self }
    let now = ZoneSetting(machine: nil)
    return now.failure == nil ? now : self
  }

  /// The zone at a moment.
  package func name(at moment: Timestamp) -> String { zones.name(at: moment) }
}

/// The zone that this machine is set to (R4).
enum MachineZone {
  /// The zone's name; nil if the machine's settings do not say which one it is.
  static var name: String? {
    #if canImport(Darwin)
      TimeZone.current.identifier
    #else
      name(localtime: "/etc/localtime", timezone: "/etc/timezone")
    #endif
  }

  /// The name that two files of a Linux machine say. `localtime` is a link into the database, or a
  /// copy of one of its files beside which `timezone` has the name. Without either it is UTC.
  static func name(localtime: String, timezone: String) -> String? {
    if let name = name(ofFile: localtime) { return name }
    if let bytes = try? SmallFile.read(timezone, maximumBytes: 255) {
      let line = bytes.prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
      let text = String(decoding: line, as: UTF8.self)
      if TimeZoneDatabase.current.knows(text) { return text }
    }
    return FileManager.default.fileExists(atPath: localtime) ? nil : "UTC"
  }

  /// The zone of a file in the database, or of a link to one.
  static func name(ofFile path: String) -> String? {
    let database = TimeZoneDatabase.current
    var path = path
    // A name can be a link to another name, so the first one counts.
    for _ in 0..<8 {
      if let name = database.name(ofFile: path) { return name }
      guard let target = try? FileManager.default.destinationOfSymbolicLink(atPath: path) else {
        break
      }
      let folder = URL(filePath: path).deletingLastPathComponent().path
      path = target.hasPrefix("/") ? target : folder + "/" + target
    }
    return database.name(ofFile: URL(filePath: path).resolvingSymlinksInPath().path)
  }
}
