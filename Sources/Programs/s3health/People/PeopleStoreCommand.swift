import ArgumentParser
import CommandLineKit
import HealthLedger

/// A result that can be a person's of many: a line with numbers (R64).
protocol PersonReport: CommandResult, Sendable {
  /// The numbers of the columns, and what else the line says.
  var cells: [String] { get }
  var words: String { get }

  var personResult: PersonResult { get }

  /// The members of the person's document.
  var members: any Encodable { get }
}

extension PersonReport {
  var words: String { "" }
  var personResult: PersonResult { isEmpty ? .noData : exitCode == .success ? .ok : .findings }
  var members: any Encodable { document }
}

/// A command about a store that takes `--people`. Then the function is called for each person.
protocol PeopleStoreCommand: StoreCommand, Sendable {
  associatedtype Report: PersonReport

  /// What is done, for the progress, such as `listing`.
  static var doing: String { get }
  /// The titles of the numbers in a person's line.
  static var columns: [String] { get }
  /// Whether text shows only people with faults.
  static var showsFaultsAlone: Bool { get }

  var people: PeopleOptions { get }

  func report(_ opened: OpenedStore, _ settings: Settings) async throws(LedgerError) -> Report
}

extension PeopleStoreCommand {
  static var showsFaultsAlone: Bool { false }

  func result(
    _ opened: OpenedStore, _ settings: Settings
  ) async throws(LedgerError) -> any CommandResult { try await report(opened, settings) }

  func perform() async throws(LedgerError) -> ExitCode {
    guard people.people else { return try await printed() }
    let run = try PeopleRun(people, store, timeZone: timezone, output.output)
    return try await run.run(
      Self.doing, columns: Self.columns, onlyFaults: Self.showsFaultsAlone, needing: Self.need
    ) { id, settings, _ async throws(LedgerError) in
      try await report(try run.opened.person(id), settings)
    } line: { _, report throws(LedgerError) in
      var members = try Document(report.members)
      members["store"] = nil
      return PersonLine(
        result: report.personResult, code: report.exitCode, cells: report.cells,
        words: report.words, members: members)
    }
  }
}
