import ArgumentParser
import CommandLineKit
import HealthLedger
import HealthModel

/// `verify`: checks every date of a range for missing data and broken rules.
struct VerifyCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify",
    abstract: "Find missing days, broken documents, pointer faults.",
    discussion: """
      Without dates it checks everything in the store, from the first day to yesterday, or to the \
      last day if that is later. Days that are not over are checked only if you name them. 30d begins no \
      earlier than the store. It only reads, unless --repair --yes is given. Exits with 1 if there are findings, so that cron and CI notice. \
      docs/FINDINGS.md lists all findings.

        s3health verify
        s3health verify 30d
        s3health verify --from 2026-01-01 --to yesterday
        s3health verify yesterday..today --allow-missing --max-age 36h
        s3health verify 2026 --repair
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

  @Option(
    help: .init("Time zone that determines today.", valueName: "iana-name"), completion: .timeZones)
  var timezone: String?

  @OptionGroup var output: OutputOptions
  @OptionGroup(title: "Store") var store: StoreOptions

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
      let asked =
        span.isAll
        ? nil
        : try await span.range(
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
    guard span.count != nil else { return asked }
    let range = try await opened.run { ledger async throws(LedgerError) in
      try await ledger.sinceFirst(asked)
    }
    if range != asked {
      StandardStreams.remark(
        "s3health: the store begins on \(range.from); \(asked.from).. checks the days before")
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

extension VerifyCommand {
  /// The most findings of a person that are kept: enough to name what is wrong.
  private static let mostFindings = 1000

  /// `verify --people`: a line for each person.
  func verifyPeople() async throws(LedgerError) -> ExitCode {
    let run = try PeopleRun(
      people, store, timeZone: timezone, output.output)
    let store = run.opened.name
    let (span, maximumDays, options) = (span, bound.maxDays, options)
    let (concurrency, allowMissing, strict) = (concurrency, allowMissing, strict)
    let columns = ["days", "complete", "missing", "errors", "warnings"]
    return try await run.run(
      "verifying", columns: columns, onlyFaults: Diagnostics.isQuiet
    ) {
      _, settings, ledger async throws(LedgerError) -> VerifyReport? in
      let yesterday = try settings.yesterday
      let ledger = try await ledger.listedWhole()
      var ranges: [DateRange]
      do throws(LedgerError) {
        ranges = try await span.ranges(
          of: ledger, settings, upTo: yesterday, reaching: yesterday, maximumDays: maximumDays)
        if span.count != nil {
          ranges = [try await ledger.sinceFirst(ranges[0])]
        }
      } catch  where error.code == .dataNotFound && allowMissing {
        return nil
      }
      guard let first = ranges.first, let last = ranges.last else { return nil }
      var report = VerifyReport(
        storeName: store, dates: first.from...last.to, options: options,
        allowsMissing: allowMissing, isStrict: strict, maximumFindings: Self.mostFindings)
      for range in ranges {
        let rest = try await ledger.verify(range, options, concurrency: concurrency) {
          report.add($0, at: settings.now)
        }
        if range == last { report.add(rest) }
      }
      return report
    } line: { _, report in
      report?.personLine ?? PersonLine(result: .noData, cells: columns.map { _ in "" })
    }
  }
}

extension VerifyReport {
  /// What is printed about a person of many.
  fileprivate var personLine: PersonLine {
    let (errors, warnings) = (severities[.error] ?? 0, severities[.warning] ?? 0)
    let codes = self.codes
    var line = PersonLine(
      result: foundSomething ? .findings : .ok,
      code: foundSomething ? CommandLineKit.foundSomething : .success,
      cells: [
        days.count.grouped, count(.ok).grouped, count(.missing).grouped, errors.grouped,
        warnings.grouped,
      ])
    let counted = codes.filter { $0.counts }.map { "\($0.count.grouped) \($0.code)" }
    line.words = counted.joined(separator: ", ") + (omittedFindings > 0 ? " at least" : "")
    line.members = [
      "from": .string("\(dates.lowerBound)"), "to": .string("\(dates.upperBound)"),
      "days": .count(days.count), "ok_days": .count(count(.ok)),
      "missing_days": .count(count(.missing)), "faulty_days": .count(count(.faulty)),
      "invalid_days": .count(count(.invalid)), "revisions_read": .count(revisionsRead),
      "errors": .count(errors), "warnings": .count(warnings),
      "notes": .count(severities[.note] ?? 0), "findings_omitted": .count(omittedFindings),
      "codes": .object(
        Dictionary(uniqueKeysWithValues: codes.map { ($0.code, JSONValue.count($0.count)) })),
      "repairs": .object(
        Dictionary(grouping: repairs, by: { $0.repair.word }).mapValues { .count($0.count) }),
    ]
    return line
  }

  /// The codes of the findings that are kept, with their numbers: those that count first.
  private var codes: [(code: String, count: Int, counts: Bool)] {
    Dictionary(grouping: findings, by: \.code).map { code, found in
      (code, found.count, found.contains(where: counts))
    }.sorted { ($0.counts ? 0 : 1, $0.code) < ($1.counts ? 0 : 1, $1.code) }
  }
}
