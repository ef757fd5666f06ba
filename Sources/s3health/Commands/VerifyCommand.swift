import ArgumentParser
import HealthLedger
import HealthModel

/// `verify`: every date of a range, what is missing and what breaks the rules.
struct VerifyCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify",
    abstract: "Check a range of dates for missing days, broken documents and pointer faults.",
    discussion: """
      Reads only. Exits with 1 if anything was found, so that cron and CI notice.

        s3health verify --from 2026-01-01 --to yesterday
        s3health verify --from 2026-01-01 --to 2026-01-31 --output json
      """)

  @Option(help: .init("First date: today, yesterday or YYYY-MM-DD.", valueName: "date"))
  var from: DayArgument

  @Option(help: .init("Last date, inclusive.", valueName: "date"))
  var to: DayArgument

  @Option(help: .init("Longest range allowed.", valueName: "n"))
  var maxDays = DateRange.defaultMaximumDays

  @Flag(help: "Missing dates are told, but do not count.")
  var allowMissing = false

  @Option(help: .init("Days read at once.", valueName: "n"))
  var concurrency = HealthLedger.defaultConcurrency

  @Option(help: .init("Time zone that decides what today is.", valueName: "iana-name"))
  var timezone: String?

  @OptionGroup var output: OutputOptions
  @OptionGroup var store: StoreOptions

  func validate() throws {
    if from == .all || to == .all { throw ValidationError("verify takes two dates, not `all`") }
    if !(1...256).contains(concurrency) {
      throw ValidationError("--concurrency must be 1 to 256")
    }
    if !(1...100_000).contains(maxDays) {
      throw ValidationError("--max-days must be 1 to 100000")
    }
  }

  func run() async throws {
    try await reportingErrors(output.output) { () async throws(LedgerError) in
      Diagnostics.start(verbose: store.verbose)
      let settings = try Settings(store, timeZone: timezone)
      let range = try DateRange(
        from: try settings.date(from), to: try settings.date(to), maximumDays: maxDays)
      let opened = try OpenedStore(settings)
      var verdicts: [DayVerdict] = []
      var progress = ProgressLine("verifying", total: range.count)
      defer { progress.clear() }
      try await opened.run { ledger async throws(LedgerError) in
        try await ledger.verify(range, concurrency: concurrency) {
          verdict async throws(LedgerError) in
          verdicts.append(verdict)
          progress.advance()
        }
      }
      progress.clear()
      let report = VerifyReport(
        storeName: opened.name, range: range, verdicts: verdicts, allowsMissing: allowMissing)
      switch output.output {
      case .json: try StandardStreams.write(report.document)
      case .text:
        try StandardStreams.writeLine(report.text(.standardOutput()).joined(separator: "\n"))
      }
      return report.foundSomething ? foundSomething : .success
    }
  }
}
