import ArgumentParser
import CommandLineKit
import HealthLedger
import HealthModel
import HealthSources
import StreamDays

/// What a person can choose (R64), the same for `people add` and `people set`.
struct ChoiceOptions: ParsableArguments {
  @Option(
    help: .init(
      "The time zone of their days, as in the setting `timezone`. \"\" takes it away.",
      valueName: "zone"))
  var timezone: String?

  @Option(
    help: .init(
      "What to reach in a day, as in the setting `goals`, such as steps=8000. \"\" takes them away.",
      valueName: "goals"))
  var goals: String?

  @Option(
    help: .init(
      "Units of numbers on pages, as in the setting `units`, such as lb,mi.", valueName: "units"))
  var units: String?

  /// The given values; nil removes a setting.
  ///
  /// - Throws: `LedgerError` INVALID_ARGUMENTS for one that can't be used.
  var values: [PersonChoices.Name: String?] {
    get throws(LedgerError) {
      var values: [PersonChoices.Name: String?] = [:]
      for (name, text) in [
        (PersonChoices.Name.timezone, timezone), (.goals, goals), (.units, units),
      ] {
        guard let text else { continue }
        guard !text.isEmpty else {
          values[name] = .some(nil)
          continue
        }
        guard PersonChoices.isValue(text) else {
          throw LedgerError(
            .invalidArguments,
            "--\(name.rawValue) must be a text of one line, of at most 2000 bytes")
        }
        values[name] = text
      }
      if let zone = timezone, !zone.isEmpty {
        _ = try ZoneSetting(given: zone, origin: "--timezone").usable
      }
      try PersonSettings.check(goals: goals, units: units)
      return values
    }
  }
}

/// `people set`: what a person has chosen for their days and pages.
struct PeopleSetCommand: OutputCommand, ConfiguredCommand {
  static let configuration = CommandConfiguration(
    commandName: "set",
    abstract: "Set the time zone, goals and units of a person.",
    discussion: """
      A server that takes their data uses them within a minute: the zone says what today is and when \
      a day begins and ends; another one holds there from today on. Without options it prints what is \
      set. s3health takes them with --person and --people, too, unless an option or the configuration \
      sets others. import, put and collect use a zone for all dates that they publish: after a move, \
      name both zones, with the first date in the new one.

        s3health people set ann --timezone Europe/Berlin
        s3health people set ann --timezone "Europe/Berlin, America/New_York@2026-12-01"
        s3health people set ann --goals steps=8000,exercise_minutes=30 --units lb,mi
        s3health people set ann --units ""
      """)

  @Argument(help: .init("The id of the person.", valueName: "id"))
  var id: String

  @OptionGroup var choices: ChoiceOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup(title: "Store") var store: StoreOptions

  func perform() async throws(LedgerError) -> ExitCode {
    let id = try PersonID(checking: id)
    let values = try choices.values
    let opened = try OpenedStore(sharedBy: store, for: values.isEmpty ? .reading : .writing)
    let (before, chosen) = try await opened.run { ledger async throws(LedgerError) in
      let people = People(of: ledger)
      guard try await people.holds(id) else {
        throw .unknownPerson(id, in: opened.name)
      }
      guard !values.isEmpty else {
        let held = try await people.choices(of: id)
        return (held, held)
      }
      return try await people.set(values, of: id)
    }
    switch output.output {
    case .json:
      var members = chosen.values
      members["person"] = .string(id.rawValue)
      try StandardStreams.write(.object(members))
    case .text:
      for name in PersonChoices.Name.allCases {
        guard let value = chosen[name] else { continue }
        try StandardStreams.writeLine("\(name.rawValue) = \(value)".printable)
      }
      if chosen.isEmpty {
        StandardStreams.remark("s3health: \(id) has nothing set, so a server's settings hold")
      }
    }
    if let zones = Self.bothZones(before[.timezone], chosen[.timezone]) {
      StandardStreams.remark(
        "note: a server uses the new zone from today on; import, put and collect use it for all "
          + "dates that they publish. After a move: s3health people set \(id) --timezone "
          + "\"\(zones)\"")
    }
    return .success
  }

  /// The zones of somebody who has moved today; nil if the new ones are the old ones, or name a move.
  private static func bothZones(_ before: String?, _ after: String?) -> ReportingZones? {
    guard let before, let after, let old = try? ReportingZones(parsing: before),
      let new = try? ReportingZones(parsing: after), new.periods.count == 1
    else { return nil }
    let now = LedgerEnvironment.system.now()
    guard new.name(at: now) != old.name(at: now), let here = try? new.date(at: now),
      let there = try? old.date(at: now)
    else { return nil }
    return old.followed(by: after, from: max(here, there))
  }
}

extension People {
  /// Sets what a person has chosen; nil takes a choice away.
  ///
  /// - Returns: what was chosen before, and what is now.
  @discardableResult
  func set(
    _ values: [PersonChoices.Name: String?], of id: PersonID
  ) async throws(LedgerError) -> (before: PersonChoices, after: PersonChoices) {
    var before = PersonChoices()
    let after = try await change(id) { held throws(LedgerError) in
      before = held
      for (name, value) in values { held[name] = value }
    }.choices
    return (before, after)
  }
}
