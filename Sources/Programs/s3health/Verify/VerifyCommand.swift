import ArgumentParser
import CommandLineKit
import HealthLedger
import HealthModel

/// `verify`: checks every date of a range for missing data and broken rules.
struct VerifyCommand: PeopleStoreCommand {
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
        s3health verify 2026-01-01..yesterday
        s3health verify yesterday..today --allow-missing --max-age 36h
        s3health verify 2026 --repair
        s3health verify --people
      """)

  @OptionGroup var span: SpanOptions
  @OptionGroup var people: PeopleOptions
  @OptionGroup var bound: MaxDaysOption

  @Flag(help: "Report missing dates and silent sources without failing.")
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

  @OptionGroup var parallel: ConcurrencyOption

  @OptionGroup var zone: ZoneOption
  var timezone: String? { zone.timezone }

  @OptionGroup var output: OutputOptions
  @OptionGroup(title: "Store") var store: StoreOptions

  func validate() throws {
    if yes, !repair { throw ValidationError("--yes needs --repair") }
  }

  var options: VerifyOptions {
    VerifyOptions(
      isDeep: deep, repair: repair ? (yes ? .apply : .dryRun) : .no, maximumAge: maxAge?.seconds)
  }

  static let doing = "verifying"
  static let columns = ["days", "complete", "missing", "errors", "warnings"]
  static var showsFaultsAlone: Bool { Diagnostics.isQuiet }

  func report(
    _ opened: OpenedStore, _ settings: Settings
  ) async throws(LedgerError) -> VerifyReport {
    let isOneOfMany = OneOfMany.isInside
    let ledger = isOneOfMany ? try await opened.ledger.listedWhole() : opened.ledger
    var report = VerifyReport(
      storeName: opened.name, options: options, allowsMissing: allowMissing, isStrict: strict,
      maximumFindings: isOneOfMany ? Self.mostFindings : VerifyReport.maximumFindings)
    let ranges: [DateRange]
    do throws(LedgerError) {
      ranges = try await self.ranges(opened, ledger, settings)
    } catch  where isOneOfMany && error.code == .dataNotFound && allowMissing {
      return report
    }
    report.dates = (ranges.first?.from).flatMap { first in ranges.last.map { first...$0.to } }
    var progress = ProgressLine(
      "verifying", total: ranges.reduce(0) { $0 + $1.count }, terminal: OneOfMany.progress)
    defer { progress.clear() }
    try await opened.run { _ async throws(LedgerError) in
      for range in ranges {
        let rest = try await ledger.verify(range, options, concurrency: parallel.concurrency) {
          verdict async throws(LedgerError) in
          // Reported immediately, because it stays written even if something fails afterwards.
          if case .moved(_, let to) = verdict.repair, !isOneOfMany {
            progress.clear()
            StandardStreams.remark("s3health: moved latest.json of \(verdict.date) to \(to)")
          }
          report.add(verdict, at: settings.now)
          progress.advance()
        }
        // What is outside the days is the same each time, and the last days have the newest one.
        if range == ranges.last { report.add(rest) }
      }
    }
    report.whyNoPointer = opened.whyNoPointer
    return report
  }

  /// The most findings of a person of many that are kept: enough to name what is wrong.
  private static let mostFindings = 1000

  /// The dates to verify; without dates from the first day of the store to yesterday, or to its last day if
  /// that is later. What was before the store is not missing, unless somebody asks for its dates.
  private func ranges(
    _ opened: OpenedStore, _ ledger: HealthLedger, _ settings: Settings
  ) async throws(LedgerError) -> [DateRange] {
    let yesterday = try settings.yesterday
    if !span.isGiven || span.isAll, !OneOfMany.isInside {
      let ranges = try await opened.read(settings) { ledger async throws(LedgerError) in
        try await ledger.heldRanges(upTo: yesterday)
      }
      let words = ranges.map { "\($0.from) to \($0.to)" }.joined(separator: ", ")
      if !span.isAll {
        StandardStreams.remark("note: no dates given: verifying all days of the store, \(words)")
      }
      return ranges
    }
    let asked = try await span.ranges(
      of: ledger, settings, upTo: yesterday, reaching: yesterday, maximumDays: bound.maxDays)
    guard span.count != nil else { return asked }
    let range = try await ledger.sinceFirst(asked[0])
    if range != asked[0], !OneOfMany.isInside {
      StandardStreams.remark(
        "s3health: the store begins on \(range.from); \(asked[0].from).. checks the days before")
    }
    return [range]
  }
}
