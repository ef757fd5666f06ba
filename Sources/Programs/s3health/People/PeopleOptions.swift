import ArgumentParser
import CommandLineKit
import HealthLedger

/// `--people`: all people of the store, the same for every command that has it.
struct PeopleOptions: ParsableArguments {
  @Flag(help: "Each person of the store (docs/PEOPLE.md).")
  var people = false

  @Option(
    help: .init(
      "With --people, begin after this person: where a run was interrupted.", valueName: "id"))
  var after: String?

  /// For what is about all people in any case.
  static var everybody: PeopleOptions {
    var options = PeopleOptions()
    (options.people, options.after) = (true, nil)
    return options
  }

  func validate() throws {
    if after != nil, !people { throw ValidationError("--after needs --people") }
  }

  /// The person after whom the run begins.
  var start: PersonID? {
    get throws(LedgerError) {
      try after.map { id throws(LedgerError) in try PersonID(checking: id) }
    }
  }
}

enum PersonResult: String {
  /// Nothing to report.
  case ok
  case findings
  /// The person has no days.
  case noData = "no_data"
  case failed

  /// - Parameter error: why it could not be done.
  init(_ error: LedgerError) { self = error.code == .dataNotFound ? .noData : .failed }
}

extension ExitCode {
  /// The graver of two codes of R40: what is internal, then the store, then rights, then what was
  /// given, then what is not there, then findings.
  func orGraver(_ other: ExitCode) -> ExitCode {
    let order: [Int32] = [0, 1, 66, 64, 77, 69, 70]
    func gravity(_ code: ExitCode) -> Int { order.firstIndex(of: code.rawValue) ?? order.count }
    return gravity(other) > gravity(self) ? other : self
  }
}
