import ArgumentParser
import CommandLineKit
import HealthLedger
import HealthModel

/// `verify`: checks every date of a range for missing data and broken rules.
struct VerifyCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify",
    abstract: "Check a range of dates for missing days, broken documents and pointer faults.",
    discussion: """
      Without dates it checks everything in the store, from the first day to yesterday, or to the \
      last day if that is later. --to is yesterday if it is not given. --last begins no earlier than \
      the store. It only reads, unless --repair --yes is given. Exits with 1 if there are findings, so that cron and CI notice. \
      docs/FINDINGS.md lists all findings.

        s3health verify
        s3health verify --last 30d
        s3health verify --from 2026-01-01 --to yesterday
        s3health verify --from yesterday --to today --allow-missing --max-age 36h
        s3health verify --from 2026-01-01 --to today --repair
        s3health verify --people
      """)

  @OptionGroup var span: SpanOptions
  @OptionGroup var people: PeopleOptions
  @OptionGroup var bound: MaxDaysOption

  @Flag(help: "Report missing dates without failing.")
  var allowMissing = false

  @Flag(help: "Treat warnings as errors.")
  var strict = false

  @Flag(help: "Read every revision of each day, not only the one that readers get.")
  var deep = false

  @Option(
    help: .init(
      "Report an error if the newest revision in the range is older than this, such as 36h or 2d.",
      valueName: "duration"))
  var maxAge: DurationArgument?

  @Flag(help: "Show which latest.json files would move forward; with --yes, move them.")
  var repair = false

  @Flag(help: "Allow --repair to write.")
  var yes = false

  @Option(help: .init("How many days to read at once.", valueName: "n"))
  var concurrency = HealthLedger.defaultConcurrency

  @Option(help: .init("Time zone that determines today.", valueName: "iana-name"))
  var timezone: String?

  @OptionGroup var output: OutputOptions
  @OptionGroup var store: StoreOptions

  func validate() throws {
    if !(1...256).contains(concurrency) {
      throw ValidationError("--concurrency must be 1 to 256")
    }
    if yes, !repair { throw ValidationError("--yes needs --repair") }
  }

  var options: VerifyOptions {
    VerifyOptions(
      isDeep: deep, repair: repair ? (yes ? .apply : .dryRun) : .no, maximumAge: maxAge?.seconds)
  }

  func run() async throws {
    try await reportingErrors(output.output) { () async throws(LedgerError) in
      Diagnostics.start(store)
      if people.people { return try await verifyPeople() }
      let settings = try await Settings(store, timeZone: timezone).ofPerson()
      let asked = try await span.range(
        settings, upTo: try settings.yesterday, maximumDays: bound.maxDays)
      let opened = try OpenedStore(settings)
      let ranges =
        if let asked { [try await begun(asked, in: opened)] } else {
          try await everything(in: opened, settings)
        }
      guard let first = ranges.first, let last = ranges.last else { return .success }
      var report = VerifyReport(
        storeName: opened.name, dates: first.from...last.to, options: options,
        allowsMissing: allowMissing, isStrict: strict)
      var progress = ProgressLine("verifying", total: ranges.reduce(0) { $0 + $1.count })
      defer { progress.clear() }
      try await opened.run { ledger async throws(LedgerError) in
        for range in ranges {
          let rest = try await ledger.verify(range, options, concurrency: concurrency) {
            verdict async throws(LedgerError) in
            // Reported immediately, because it stays written even if something fails afterwards.
            if case .moved(_, let to) = verdict.repair {
              progress.clear()
              StandardStreams.remark("s3health: moved latest.json of \(verdict.date) to \(to)")
            }
            report.add(verdict, at: settings.now)
            progress.advance()
          }
          // What is outside the days is the same each time, and the last days have the newest one.
          if range == last { report.add(rest) }
        }
      }
      progress.clear()
      if report.hasOnlyMissingDays { _ = try await opened.held(settings) }
      if let reason = report.whyNotMoved(opened.whyNoPointer) { StandardStreams.remark(reason) }
      try print(report)
      return report.foundSomething ? foundSomething : .success
    }
  }

  /// What was before the store is not missing, unless somebody asks for its dates.
  private func begun(
    _ asked: DateRange, in opened: OpenedStore
  ) async throws(LedgerError) -> DateRange {
    guard span.last != nil else { return asked }
    let range = try await opened.run { ledger async throws(LedgerError) in
      try await ledger.sinceFirst(asked)
    }
    if range != asked {
      StandardStreams.remark(
        "s3health: the store begins on \(range.from); --from \(asked.from) checks the days before")
    }
    return range
  }

  /// From the first day of the store to yesterday, or to its last day if that is later.
  private func everything(
    in opened: OpenedStore, _ settings: Settings
  ) async throws(LedgerError) -> [DateRange] {
    let yesterday = try settings.yesterday
    let ranges = try await opened.read(settings) { ledger async throws(LedgerError) in
      try await ledger.heldRanges(upTo: yesterday)
    }
    let words = ranges.map { "\($0.from) to \($0.to)" }.joined(separator: ", ")
    StandardStreams.remark("s3health: no dates given: verifying all days of the store, \(words)")
    return ranges
  }

  private func print(_ report: VerifyReport) throws(LedgerError) {
    switch output.output {
    case .text:
      guard !Diagnostics.isQuiet || report.foundSomething else { return }
      let lines = VerifyText(report: report, terminal: .standardOutput()).lines
      try StandardStreams.writeLine(lines.joined(separator: "\n"))
    case .json: try StandardStreams.write(report.document)
    }
  }
}
