import ArgumentParser
import CommandLineKit
import Foundation
import HealthLedger
import HealthModel
import HealthReport
import ObjectStore

/// `report`: shows a range of dates as one self-contained page.
struct ReportCommand: ConfiguredCommand {
  static let configuration = CommandConfiguration(
    commandName: "report",
    abstract: "Write an HTML page: metrics, coverage and findings.",
    discussion: """
      The page is one HTML file without scripts that loads nothing from the network. Only its owner \
      can read it. The command reads the same data as `verify`, and as many days before the range, \
      with which the page compares it. It exits with 0 once the page is written, whatever it found. \
      If the store can't be read, no page is written. Without dates the page shows the last 366 \
      days, beginning with the first that the store holds.

        s3health report
        s3health report --html health.html
        s3health report 12w --html quarter.html
        s3health report 12w --for doctor --name "Ann Example"
        s3health report 2026 --html health.html
        s3health report all --html ten.html
        s3health report --people --out pages
      """)

  @OptionGroup var span: SpanOptions
  @OptionGroup var people: PeopleOptions

  @Option(
    help: .init("With --people, the folder for a page of each person.", valueName: "folder"),
    completion: .directory)
  var out: String?

  @Option(
    help: .init(
      "The page to write or replace; - is stdout.",
      discussion: "Default: \(Self.usualPage) in this folder.", valueName: "file"),
    completion: .file(extensions: ["html"]))
  var html: String?

  private static let usualPage = "health-report.html"

  /// Where the page goes.
  private var target: String { html ?? output.page ?? Self.usualPage }

  @Option(
    name: .customLong("for"),
    help: .init(
      "Who reads the page: me, or a doctor, with averages and readings on the first page.",
      valueName: "reader"))
  var reader: ReportReader.Kind = .me

  @Option(help: "Your name, if the page should have it.")
  var name: String?

  @Option(help: .init("Your date of birth, if the page should have it.", valueName: "date"))
  var born: String?

  @OptionGroup var bound: MaxDaysOption

  @OptionGroup var parallel: ConcurrencyOption

  @OptionGroup var zone: ZoneOption

  @Option(
    name: [.short, .long],
    help: "How to print what was written: text or json; or the page to write, such as x.html.")
  var output = ReportOutput()

  @OptionGroup(title: "Store") var store: StoreOptions

  var format: OutputFormat { output.format }

  func validate() throws {
    if let born, CalendarDate(born) == nil {
      throw ValidationError("--born: \(born) is not a valid date (YYYY-MM-DD)")
    }
    if let name, !(1...200).contains(name.count) {
      throw ValidationError("--name must have 1 to 200 characters")
    }
    try validatePeople()
    if html != nil, output.page != nil { throw ValidationError("the page is named twice") }
    if case .unreadable(let text)? = span.day, text.hasSuffix(".html") {
      throw ValidationError("\(text) is a file, and no date; use --html \(text)")
    }
    if target == "-", output.format == .json {
      throw ValidationError("--html - and --output json would both be on stdout: name a file")
    }
  }

  func perform() async throws(LedgerError) -> ExitCode {
    if people.people, let out { return try await reportPeople(to: out) }
    let settings = try await Settings(store, timeZone: zone.timezone).ofPerson(.pages)
    let today = try settings.today
    let asked = try await span.range(settings, upTo: today, maximumDays: bound.maxDays)
    if target == Self.usualPage, html == nil { try refuseForeignPage() }
    let file = target == "-" ? nil : try PrivateFile(target, for: "the page")
    let opened = try OpenedStore(settings)
    let range =
      if let asked { asked } else { try await lastYear(in: opened, to: today, settings) }
    let report = try await opened.run { ledger async throws(LedgerError) in
      try await Self.gather(range, of: opened.name, in: ledger, settings, parallel.concurrency)
    }
    if report.newest == nil { try await opened.sayHeldDays(outside: range, settings) }
    let page = try ReportPage(
      report, for: ReportReader(reader, name: name, born: born.flatMap { CalendarDate($0) }),
      words: \.words
    ).bytes
    let summary = PageSummary(report: report, path: file?.path, bytes: page.count)
    if let file {
      try file.replace(with: page)
      try summary.print(output.format)
    } else {
      try StandardStreams.write(page)
      StandardStreams.remark("s3health: \(summary.line)")
    }
    return .success
  }

  /// Refuses to replace a file of the usual name that is not a page of this program: nobody named
  /// it.
  private func refuseForeignPage() throws(LedgerError) {
    guard access(Self.usualPage, F_OK) == 0 else { return }
    let head = try? SmallFile.readTrusted(Self.usualPage, maximumBytes: 2047)
    guard head.map({ ReportPage.begins($0) }) != true else { return }
    throw LedgerError(
      .invalidArguments, "\(Self.usualPage) is there already, and is not a page of s3health",
      remedy: "move it, or name the page: s3health report --html FILE")
  }

  /// The days that a page shows if no dates were given.
  private func lastYear(
    in opened: OpenedStore, to today: CalendarDate, _ settings: Settings
  ) async throws(LedgerError) -> DateRange {
    let held = try await opened.read(settings) { ledger async throws(LedgerError) in
      try await ledger.heldDates()
    }
    let range = try Self.lastYear(from: held, to: today)
    StandardStreams.remark(
      "note: no dates given: the page shows \(range.from) to \(range.to)"
    )
    return range
  }

  /// The last 366 days, or fewer if the store's first day is later. If the store has no data in those
  /// days, the 366 days up to its newest day.
  static func lastYear(
    from held: ClosedRange<CalendarDate>, to today: CalendarDate
  ) throws(LedgerError) -> DateRange {
    func year(to last: CalendarDate) throws(LedgerError) -> DateRange {
      let first = last.adding(days: 1 - DateRange.defaultMaximumDays) ?? last
      return try DateRange(from: min(last, max(held.lowerBound, first)), to: last)
    }
    let range = try year(to: today)
    return held.upperBound < range.from ? try year(to: held.upperBound) : range
  }

  /// One verification of the range and of the days before it that it is compared with, with the
  /// same requests as `verify`.
  private static func gather(
    _ range: DateRange, of storeName: String, in ledger: HealthLedger, _ settings: Settings,
    _ concurrency: Int
  ) async throws(LedgerError) -> RangeReport {
    var report = RangeReport(
      storeName: storeName, range: range, madeAt: settings.now, today: try settings.today,
      maker: "s3health \(Program.version)")
    report.units = settings.units
    let span = RangeReport.span(of: range)
    var progress = ProgressLine("reading", total: span.count, terminal: OneOfMany.progress)
    defer { progress.clear() }
    let rest = try await ledger.verify(span, concurrency: concurrency) {
      verdict async throws(LedgerError) in
      report.add(verdict)
      progress.advance()
    }
    report.add(rest)
    return report
  }
}

/// The output of `report` about the page that it wrote: a line, or the document of docs/OUTPUT.md.
struct PageSummary: CommandResult {
  let report: RangeReport
  /// Nil if the page went to stdout.
  let path: String?
  /// The page's size in bytes.
  let bytes: Int

  var line: String {
    let days = report.range.count
    let found = [
      report.count(.complete) + report.count(.partial), report.count(.noData),
      report.count(.missing), report.count(.faulty), report.count(.invalid),
    ]
    let words = ["with data", "without data", "missing", "faulty", "without a valid revision"]
    let parts = zip(found, words).filter { $0.0 > 0 }.map { "\($0.0.grouped) \($0.1)" }
    return "\((path ?? "page").printable)  \(days.grouped) \(days == 1 ? "day" : "days"): "
      + "\(parts.joined(separator: ", "))  (\(bytes.inBytes))"
  }

  func lines(_ terminal: Terminal) -> [String] { [line] }

  var document: any Encodable { members }

  fileprivate var members: Document {
    var members: Document = [
      "store": report.storeName, "from": report.range.from, "to": report.range.to, "html": path,
      "bytes": bytes, "days": report.range.count, "days_with_numbers": report.daysWithNumbers,
      "revisions": report.days.reduce(0) { $0 + ($1.revisions ?? 0) },
      "newest_date": report.newest?.date, "generated_at": report.newest?.generatedAt,
      "age_seconds": report.age,
    ]
    for coverage in DayCoverage.allCases {
      members["\(coverage.rawValue)_days"] = report.count(coverage)
    }
    for severity in Finding.Severity.allCases {
      members["\(severity.rawValue)s"] = report.findings.count(severity)
    }
    return members
  }
}

extension ReportReader.Kind: ExpressibleByArgument {}

/// `-o` of `report`: a format, as of other commands, or the page.
struct ReportOutput: ExpressibleByArgument {
  var format = OutputFormat.text
  var page: String?

  init() {}

  init?(argument: String) {
    if let format = OutputFormat(rawValue: argument) {
      self.format = format
    } else if argument.hasSuffix(".html") {
      page = argument
    } else {
      return nil
    }
  }

  var defaultValueDescription: String { format.rawValue }
}

extension ReportCommand {
  /// Refuses what `--people` can't do.
  func validatePeople() throws {
    guard people.people else {
      if out != nil { throw ValidationError("--out needs --people; --html names one page") }
      return
    }
    guard out != nil else {
      throw ValidationError("--people needs --out FOLDER, for a page of each person")
    }
    if html != nil || output.page != nil || name != nil || born != nil {
      throw ValidationError("--html, --name and --born are about one person: leave them out")
    }
  }

  /// `report --people`: a page for each person, and a line about it.
  func reportPeople(to path: String) async throws(LedgerError) -> ExitCode {
    let run = try PeopleRun(people, store, timeZone: zone.timezone, output.format)
    let store = run.opened.name
    let folder = try PeopleFolder(path, ending: "html", content: "the page")
    let (span, maximumDays, concurrency) = (span, bound.maxDays, parallel.concurrency)
    let reader = ReportReader(reader, name: nil, born: nil)
    let columns = ["days", "data", "missing", "faulty", "invalid"]
    return try await run.run("reporting", columns: columns, needing: .pages) {
      id, settings, ledger async throws(LedgerError) -> PageSummary in
      let today = try settings.today
      let ledger = try await ledger.listedWhole()
      let range =
        if span.isGiven {
          try await span.ranges(
            of: ledger, settings, upTo: today, reaching: nil, maximumDays: maximumDays)[0]
        } else {
          try Self.lastYear(from: try await ledger.heldDates(), to: today)
        }
      let report = try await Self.gather(
        range, of: "\(store.hasSuffix("/") ? store : store + "/")people/\(id)", in: ledger,
        settings, concurrency)
      let page = try ReportPage(report, for: reader, words: \.words).bytes
      let file = try folder.write(page, of: id)
      return PageSummary(report: report, path: file, bytes: page.count)
    } line: { _, summary in
      let report = summary.report
      let data = report.count(.complete) + report.count(.partial)
      var members = summary.members
      members["store"] = nil
      return PersonLine(
        cells: [
          report.range.count, data, report.count(.missing), report.count(.faulty),
          report.count(.invalid),
        ].map(\.grouped), words: (summary.path ?? "").printable, members: members)
    }
  }
}
