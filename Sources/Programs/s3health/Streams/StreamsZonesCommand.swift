import ArgumentParser
import CommandLineKit
import HealthLedger
import HealthModel
import HealthSources
import StreamDays

/// `raw zones`: shows or sets the time zones of the days that are made of streams (R49).
struct StreamsZonesCommand: OutputCommand, ConfiguredCommand {
  static let configuration = CommandConfiguration(
    commandName: "zones",
    abstract: "Show or set the time zones of the days that are made of streams.",
    discussion: """
      The days that servers and `collect --from-streams` make are in the zones that the store names, \
      whatever zone is set where they run. So every moment counts on one day. The first that makes a day \
      names its own zone. This command changes it, and makes again the days that change by it.

        s3health raw zones
        s3health raw zones Asia/Singapore
        s3health raw zones "Asia/Singapore, Europe/Berlin@2026-11-21"

      The second corrects a wrong zone on all days. The third says that somebody moved, with the first \
      date in the new zone. What `put` and `import` have published keeps the zone that they gave it. \
      Change the setting `timezone` too, or a server uses it again when it next starts.
      """)

  @Argument(
    help: .init(
      "The new zones: a name, then for each move NAME@DATE.", valueName: "zones"))
  var zones: String?

  @OptionGroup(title: "Store") var collector: CollectorOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup(title: "Store") var store: StoreOptions

  func perform() async throws(LedgerError) -> ExitCode {
    let settings = try Settings(store, timeZone: nil)
    guard let text = zones else {
      try await show(settings)
      return .success
    }
    return try await set(try Self.zones(text), settings)
  }

  private static func zones(_ text: String) throws(LedgerError) -> ReportingZones {
    do throws(LedgerError) {
      return try ZoneSetting(given: text, origin: "the argument").usable
    } catch {
      var reported = error
      reported.remedy = "use a name such as Europe/Berlin, and NAME@YYYY-MM-DD for each move"
      throw reported
    }
  }

  private func show(_ settings: Settings) async throws(LedgerError) {
    let opened = try OpenedStore(settings, for: .reading)
    let deriver = try deriver(opened, settings)
    let stored = try await opened.run { _ async throws(LedgerError) in
      try await deriver.storedZones()
    }
    try ZonesReport(
      store: opened.name, zones: stored.map { "\($0.zones)" }, set: stored?.isSet,
      isChosen: stored.map { $0.isSet || $0.isNamed } ?? false
    ).print(output.output)
  }

  private func set(
    _ zones: ReportingZones, _ given: Settings
  ) async throws(LedgerError) -> ExitCode {
    let opened = try OpenedStore(given, for: .writing)
    let settings = given.inZone("\(zones)")
    let deriver = try deriver(opened, settings)
    try await opened.run { _ async throws(LedgerError) in
      try await deriver.setZones(zones)
    }
    StandardStreams.remark("note: days of streams are made in \(zones) now")
    if let note = try await Self.note(zones, given, opened) { StandardStreams.remark(note) }
    let run = StreamRun(
      opened: opened, settings: settings, collector: try collector.collector(settings))
    do throws(LedgerError) {
      let report = try await run.report(catchUpDays: 0)
      try report.print(output.output)
      return report.exitCode
    } catch {
      // There was nothing to make again.
      guard error.code == .dataNotFound else { throw error }
      if output.output == .json { try await show(settings) }
      return .success
    }
  }

  /// That a setting would undo the new zones when a server next starts; nil if none would.
  private static func note(
    _ zones: ReportingZones, _ given: Settings, _ opened: OpenedStore
  ) async throws(LedgerError) -> String? {
    let (own, what, how): (ReportingZones, String, String)
    if let person = given.store.personID,
      let text = try await opened.run({ ledger async throws(LedgerError) in
        try await ledger.choices()
      })[.timezone]
    {
      guard let chosen = try? ReportingZones(parsing: text) else { return nil }
      (own, what) = (chosen, "the time zone of \(person)")
      how = "`s3health people set \(person) --timezone \"\(zones)\"`"
    } else if given.zone.isGiven, let set = try? given.zone.usable {
      (own, what) = (set, "the setting timezone")
      how =
        given.store[.timezone]?.origin == "S3HEALTH_TIMEZONE"
        ? "S3HEALTH_TIMEZONE" : "`s3health config set timezone \"\(zones)\"`"
    } else {
      return nil
    }
    let decision = ZoneDecision(
      stored: StoredZones(zones, isSet: true), own: StoredZones(own, isSet: true), now: given.now,
      mayChange: true)
    guard decision != .keep else { return nil }
    return "note: \(what) is \(own), and a server that starts with it uses it from that day on: "
      + "change it too, with \(how)"
  }

  private func deriver(
    _ opened: OpenedStore, _ settings: Settings
  ) throws(LedgerError) -> DayDeriver {
    DayDeriver(
      ledger: opened.ledger, streams: try opened.streams, zones: settings.zone.zones,
      areZonesSet: settings.zone.isGiven)
  }
}

private struct ZonesReport: CommandResult, Encodable {
  let store: String
  let zones: String?
  let set: Bool?
  @TextOnly var isChosen: Bool

  func lines(_ terminal: Terminal) -> [String] {
    guard let zones else { return ["none yet: the first to make a day of streams names its zone"] }
    return [isChosen ? zones : "\(zones) (a machine's: nobody has set them)"]
  }
}
