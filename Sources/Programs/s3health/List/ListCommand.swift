import ArgumentParser
import CommandLineKit
import HealthLedger
import HealthModel

/// `ls`: lists the days that the store holds and the gaps between them.
struct ListCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "ls",
    abstract: "List the days in the store and the gaps between them.",
    discussion: """
      Lists object names only and reads no documents, so it is fast. Use `verify` to check whether \
      days are readable. Without dates it lists the whole store.

        s3health ls
        s3health ls 12w
        s3health ls 2026 --output json
        s3health ls --people
      """)

  @OptionGroup var span: SpanOptions
  @OptionGroup var people: PeopleOptions

  @Option(
    help: .init("Time zone that determines today.", valueName: "iana-name"), completion: .timeZones)
  var timezone: String?

  @OptionGroup var output: OutputOptions
  @OptionGroup(title: "Store") var store: StoreOptions

  func run() async throws {
    try await reportingErrors(output.output) { () async throws(LedgerError) in
      Diagnostics.start(store)
      if people.people { return try await listPeople() }
      let settings = try await Settings(store, timeZone: timezone).ofPerson()
      let today = try settings.today
      let (from, to) = try span.ends(settings, upTo: nil)
      if let from, let to { _ = try DateRange(from: from, to: to, maximumDays: .max) }
      let opened = try OpenedStore(settings)
      var progress = ProgressLine("listing day", total: nil)
      defer { progress.clear() }
      let holdings = try await opened.run { ledger async throws(LedgerError) in
        try await ledger.holdings(from: from, to: to) { progress.advance(to: $0) }
      }
      progress.clear()
      if holdings.runs.isEmpty { _ = try await opened.held(settings) }
      let report = HoldingsReport(
        storeName: opened.name, from: from, to: to, today: today, holdings: holdings)
      switch output.output {
      case .json: try StandardStreams.write(report.document)
      case .text:
        try StandardStreams.writeLine(report.lines(.standardOutput()).joined(separator: "\n"))
      }
      return .success
    }
  }
}

extension ListCommand {
  /// `ls --people`: a line for each person.
  func listPeople() async throws(LedgerError) -> ExitCode {
    let run = try PeopleRun(people, store, timeZone: timezone, output.output)
    let (span, store) = (span, run.opened.name)
    return try await run.run(
      "listing", columns: ["days", "missing", "revisions", "newest"], allowsNobody: true
    ) {
      _, settings, ledger async throws(LedgerError) in
      let today = try settings.today
      let (from, to) = try span.ends(settings, upTo: nil)
      if let from, let to { _ = try DateRange(from: from, to: to, maximumDays: .max) }
      return HoldingsReport(
        storeName: store, from: from, to: to, today: today,
        holdings: try await ledger.holdings(from: from, to: to))
    } line: { _, report in
      let holdings = report.holdings
      var members = report.members
      members["store"] = nil
      return PersonLine(
        result: holdings.days == 0 ? .noData : .ok,
        cells: [
          holdings.days.grouped, report.missingDays.grouped, holdings.revisions.grouped,
          holdings.newest.map { "\($0.date)" } ?? "",
        ],
        members: members)
    }
  }
}
