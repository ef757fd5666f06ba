import ArgumentParser
import CommandLineKit
import HealthLedger
import HealthModel
import HealthSources

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
      _ = try PersonSettings(
        goals: goals.map { Sourced($0, by: "--goals") },
        units: units.map { Sourced($0, by: "--units") }, displayName: nil)
      return values
    }
  }
}

/// `people set`: what a person has chosen for their days and pages.
struct PeopleSetCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "set",
    abstract: "Set the time zone, goals and units of a person.",
    discussion: """
      A server that takes their data uses them within a minute: the zone says what today is and when \
      a day begins and ends; another one holds from today on. Without options it prints what is set. \
      s3health takes them with --person and --people, too, unless an option or the configuration sets \
      others.

        s3health people set ann --timezone Europe/Berlin
        s3health people set ann --timezone "Europe/Berlin, America/New_York@2026-12-01"
        s3health people set ann --goals steps=8000,exercise_minutes=30 --units lb,mi
        s3health people set ann --units ""
      """)

  @Argument(help: .init("The id of the person.", valueName: "id"))
  var id: String

  @OptionGroup var choices: ChoiceOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var store: StoreOptions

  func run() async throws {
    try await reportingErrors(output.output) { () async throws(LedgerError) in
      Diagnostics.start(store)
      let id = try PersonID(checking: id)
      let values = try choices.values
      let opened = try OpenedStore(sharedBy: store, for: values.isEmpty ? .reading : .writing)
      let chosen = try await opened.run { ledger async throws(LedgerError) in
        let people = People(of: ledger)
        guard try await people.holds(id) else {
          throw .unknownPerson(id, in: opened.name)
        }
        guard !values.isEmpty else { return try await people.choices(of: id) }
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
      return .success
    }
  }
}

extension People {
  /// Sets what a person has chosen; nil takes a choice away.
  func set(
    _ values: [PersonChoices.Name: String?], of id: PersonID
  ) async throws(LedgerError) -> PersonChoices {
    try await change(id) { held throws(LedgerError) in
      for (name, value) in values { held[name] = value }
    }.choices
  }
}
