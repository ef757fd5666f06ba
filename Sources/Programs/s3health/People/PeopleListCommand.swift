import ArgumentParser
import CommandLineKit
import HealthLedger
import HealthModel

/// `people ls`: who there is.
struct PeopleListCommand: OutputCommand, ConfiguredCommand {
  static let configuration = CommandConfiguration(
    commandName: "ls",
    abstract: "List the people of the store.",
    discussion: """
      It costs one request for a thousand people. --long also lists what each of them has, and \
      costs at least one more for each.

        s3health people ls
        s3health people ls --long
        s3health people ls -o json
      """)

  @Flag(name: .shortAndLong, help: "Also how many days each has, and from when to when.")
  var long = false

  @OptionGroup var output: OutputOptions
  @OptionGroup(title: "Store") var store: StoreOptions

  func perform() async throws(LedgerError) -> ExitCode {
    if long { return try await listDays() }
    let opened = try OpenedStore(sharedBy: store, for: .reading)
    let found = try await opened.counting("listing person", .entries) {
      ledger, advance async throws(LedgerError) in
      try await People(of: ledger).list(progress: advance)
    }
    found.remarkForeign()
    if found.ids.isEmpty, format == .text {
      StandardStreams.remark("s3health: no people in \(opened.name)")
    }
    for id in found.ids { try ListedPerson(person: id).print(format) }
    return .success
  }

  private struct ListedPerson: CommandResult, Encodable {
    let person: PersonID

    func lines(_ terminal: Terminal) -> [String] { [person.rawValue] }
  }

  /// A line for each person, with the days.
  private func listDays() async throws(LedgerError) -> ExitCode {
    let run = try PeopleRun(PeopleOptions.everybody, store, timeZone: nil, output.output)
    return try await run.run(
      "listing", columns: ["days", "first", "last"], allowsNobody: true, needing: nil
    ) {
      _, _, ledger async throws(LedgerError) in
      try await ledger.holdings()
    } line: { _, holdings in
      let extent = holdings.extent
      let (first, last) = (extent?.lowerBound, extent?.upperBound)
      return PersonLine(
        result: extent == nil ? .noData : .ok,
        cells: [
          holdings.days.grouped, first?.description ?? "", last?.description ?? "",
        ],
        members: [
          "days": holdings.days, "revisions": holdings.revisions, "from": first, "to": last,
        ])
    }
  }
}
