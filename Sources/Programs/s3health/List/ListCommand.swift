import ArgumentParser
import CommandLineKit
import HealthLedger
import HealthModel

/// `ls`: lists the days that the store holds and the gaps between them.
struct ListCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "ls",
    abstract: "List the days in the store, the gaps between them, and the newest.",
    discussion: """
      Lists object names only and reads no documents, so it is fast. Use `verify` to check whether \
      days are readable. Without dates it lists the whole store.

        s3health ls
        s3health ls --last 12w
        s3health ls --from 2026-01-01 --output json
        s3health ls --people
      """)

  @OptionGroup var span: SpanOptions
  @OptionGroup var people: PeopleOptions

  @Option(help: .init("Time zone that determines today.", valueName: "iana-name"))
  var timezone: String?

  @OptionGroup var output: OutputOptions
  @OptionGroup var store: StoreOptions

  func run() async throws {
    try await reportingErrors(output.output) { () async throws(LedgerError) in
      Diagnostics.start(store)
      if people.people { return try await listPeople() }
      let settings = try await Settings(store, timeZone: timezone).ofPerson()
      let today = try settings.today
      let (from, to) = try span.ends(settings, upTo: span.last == nil ? nil : today)
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
