package import HealthLedger
import HealthModel
package import HealthSources
package import StreamDays

/// The zone of a person (R43): the one that they set; else the one that the store keeps; else this
/// machine's, and then whatever shows or takes data says so.
extension Settings {
  /// These settings with the zone that the store keeps, if a person set none.
  package func withKeptZone(of ledger: HealthLedger) async throws(LedgerError) -> Settings {
    guard zone.isMissing, let object = ZonesObject(of: ledger) else { return self }
    do throws(LedgerError) {
      guard let kept = try await object.read(), kept.isKept else { return self }
      var settings = self
      settings.zone = ZoneSetting(kept: kept.zones, isSet: kept.isSet)
      return settings
    } catch {
      // Who may not read below streams/v0 goes on without.
      guard error.code == .notAuthorized else { throw error }
      return self
    }
  }

  /// Keeps the zones that an input names in the store, if the person has none yet.
  ///
  /// - Returns: what to say about it; nil if there is nothing to say.
  package func keepZone(
    _ named: ReportingZones?, in opened: OpenedStore, isDryRun: Bool
  ) async throws(LedgerError) -> String? {
    guard !zone.isGiven else { return nil }
    guard let named, named.areOfPlace else {
      return missingZone.map { "\($0): \(settingZone())" }
    }
    let command = "`s3health raw zones \"\(named)\"`"
    guard zone.isMissing, let object = ZonesObject(of: opened.ledger) else {
      guard named.name(at: now) != zone.name(at: now) else { return nil }
      return "the store keeps \(zone.text) as your time zone, and the input names \(named); if you "
        + "moved, or that one is wrong: \(command)"
    }
    guard !isDryRun else { return "the store would keep \(named) as your time zone" }
    do throws(LedgerError) {
      let kept = try await opened.run { _ async throws(LedgerError) in
        try await object.keep(named: named)
      }
      if kept.isKept, kept.zones.isSame(as: named) {
        return "the store keeps \(named) as your time zone from now on; to change it: "
          + settingZone()
      }
      return "the store's days of raw data are in \(kept.zones)"
        + (kept.isKept ? "" : ", the zone of a machine")
        + ", and the input names \(named); to keep "
        + "that one: \(command)"
    } catch {
      guard error.code == .notAuthorized else { throw error }
      return "these credentials may not keep \(named) in the store as your time zone; to set it: "
        + settingZone("\"\(named)\"")
    }
  }

  /// Says that the person has no zone, if that is so, and an input has named none either.
  package func sayMissingZone(besides named: ReportingZones? = nil) {
    if named == nil, let missingZone {
      StandardStreams.remark("note: \(missingZone): \(settingZone())")
    }
  }

  /// That this machine's zone stands in for one that nobody has set; nil if there is one, or if this machine's
  /// can't be used either.
  private var missingZone: String? {
    guard zone.isMissing, zone.failure == nil else { return nil }
    return "no time zone is set, so days begin and end by this machine's, \(zone.text)"
  }

  /// The command that sets the zone of whoever is meant.
  package func settingZone(_ name: String = "NAME") -> String {
    store.personID.map { "s3health people set \($0) --timezone \(name)" }
      ?? "s3health config set timezone \(name)"
  }
}

extension ReportingZones {
  /// Whether the newest zone is where somebody can be: apps name UTC wherever a person is.
  fileprivate var areOfPlace: Bool {
    guard let name = periods.last?.name else { return false }
    return name.utf8.contains(UInt8(ascii: "/")) && !name.hasPrefix("Etc/")
  }
}

extension ZoneDecision {
  /// What to say to the person about it; nil if nothing changes.
  ///
  /// - Parameter person: whose store it is; nil for a store without people.
  package func words(of person: String?) -> String? {
    let command = "s3health raw zones" + (person.map { " --person \($0)" } ?? "")
    switch self {
    case .keep: return nil
    case .differ(let own, let stored):
      let all = "if the other was wrong, run `\(command) \"\(own)\"`"
      guard own.periods.count == 1 else {
        return "days are made in \(stored), as before, not in \(own): \(all)"
      }
      return "days are made in \(stored), as before, not in \(own): \(all); after a move, "
        + "`\(command) \"\(stored), \(own)@DATE\"` with the first date there"
    case .correct(let new, let before):
      guard !new.zones.isSame(as: before) else { return nil }
      return
        "days are made in \(new.zones) from now on; those that were made in \(before) are made "
        + "again"
    case .move(let zones, let from):
      let name = zones.zones.name(on: from)
      return
        "days from \(from) on are made in \(name), those before it as they were; if their zone "
        + "was wrong, run `\(command) \(name)`"
    }
  }
}
