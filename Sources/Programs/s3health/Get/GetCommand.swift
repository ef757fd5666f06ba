import ArgumentParser
import CommandLineKit
import HealthLedger
import HealthModel
import MCPServer
import ObjectStore

/// `get`: prints the resolved revision of a date, one revision by its id, a list of all revisions, what
/// changed between two, the days of a range, or their summary.
struct GetCommand: StoreCommand {
  static let configuration = CommandConfiguration(
    commandName: "get",
    abstract: "Print a day, its history, a range of days or its summary.",
    discussion: """
      Without dates it prints the newest day. Text output is for people; --output json prints the exact \
      bytes of the stored document. Dates without data are shown as missing.

        s3health get yesterday
        s3health get 2026-02-08 --output json | jq .metrics.steps
        s3health get 30d
        s3health get 2026-02 --output json
        s3health get 90d --metrics weight,steps
        s3health get 2026-02-08 --history
        s3health get 2026-02-08 --explain
        s3health get 2026-02-08 --as-of 2026-02-09T06:00:00Z
        s3health get 2026-02-08 --diff
        s3health get 28d --summary --compare
        s3health get 2026 --summary --by month

      A summary counts only days that are over and have a number; the others are named below it.
      """)

  @OptionGroup var span: SpanOptions
  @OptionGroup var bound: MaxDaysOption

  @Option(
    help: .init(
      "Print this revision instead of the latest; two of them for --diff, the older one first.",
      valueName: "id"))
  var revision: [String] = []

  @Option(
    help: .init(
      "Show the day as it was at this time: a timestamp, or a date for the end of that date.",
      valueName: "time"))
  var asOf: MomentArgument?

  @Flag(
    help: .init(
      "With --output json: print the revision's id and key, too.",
      discussion: "The stored document is then the member `document`."))
  var withId = false

  @Flag(help: "List all revisions of the day.")
  var history = false

  @Flag(help: "Show where each number comes from, and what the other sources say.")
  var explain = false

  @Flag(
    help: .init(
      "Show what changed between two revisions of the day.",
      discussion: "Default: the newest day that has two, and its two newest."))
  var diff = false

  @Flag(help: "With --diff: exit with 1 if the data differ, as git does.")
  var exitCode = false

  @Flag(
    help: .init(
      "Print means, medians and extremes of the range.", discussion: "Default: of the last 28 days."
    ))
  var summary = false

  @Flag(help: "With --summary: compare with as many days directly before.")
  var compare = false

  @Option(help: "With --summary: also by week, from Monday, or by month.")
  var by: SummaryPeriod?

  @OptionGroup var zone: ZoneOption
  var timezone: String? { zone.timezone }

  @Option(
    help: .init(
      "What to show: all, v0 for the required ones, or keys: steps,weight.",
      discussion: "Default: of a day all that it has, of a range the required ones.",
      valueName: "keys"), completion: .metrics, transform: MetricSelection.argument)
  var metrics: MetricSelection?

  @OptionGroup var output: OutputOptions
  @OptionGroup(title: "Store") var store: StoreOptions

  /// Whether a table of days is asked for.
  private var isRange: Bool { span.isGiven && span.day == nil }

  func validate() throws {
    if withId, output.output != .json { throw ValidationError("--with-id needs --output json") }
    let ways = [
      ("--history", history), ("--explain", explain), ("--diff", diff),
      ("--revision", !diff && !revision.isEmpty), ("--as-of", asOf != nil), ("--summary", summary),
    ].filter(\.1).map(\.0)
    if ways.count > 1 {
      throw ValidationError("\(ways.joined(separator: " and ")) can't be used together")
    }
    if isRange, let way = ways.first, !summary {
      throw ValidationError("\(way) needs a single date")
    }
    if ![diff ? 2 : 1, 0].contains(revision.count) {
      throw ValidationError(
        diff
          ? "--diff takes two revision ids (--revision, twice), or none to compare the two newest"
          : "--revision can be given once, or twice with --diff")
    }
    if exitCode, !diff { throw ValidationError("--exit-code needs --diff") }
    if !summary, compare || by != nil {
      throw ValidationError("--compare and --by need --summary")
    }
    guard metrics != nil else { return }
    if history || explain || diff {
      throw ValidationError("--metrics can't be used with --history, --explain or --diff")
    }
    if output.output == .json, !summary {
      throw ValidationError(
        "--metrics can't be used with --output json, which prints documents as they are stored")
    }
  }

  static let need = Settings.Need.pages

  func result(
    _ opened: OpenedStore, _ settings: Settings
  ) async throws(LedgerError) -> any CommandResult {
    if summary { return try await rangeSummary(opened, settings) }
    if diff { return try await difference(opened, settings) }
    // A date that is written out needs no zone, so an invalid TZ does not matter.
    if isRange,
      let range = try await span.range(
        settings, upTo: try settings.today, maximumDays: bound.maxDays)
    {
      return try await listing(range, opened, settings)
    }
    let asked = try span.day.map { day throws(LedgerError) in try settings.date(day, orSpan: true) }
    let today = if let asked { asked } else { try settings.today }
    let moment = try asOf.map { argument throws(LedgerError) in try settings.moment(argument) }
    let revision = try revision.first.map { text throws(LedgerError) in
      try RevisionID(text, of: asked ?? today)
    }
    return try await opened.read(settings) {
      ledger async throws(LedgerError) -> any CommandResult in
      let date = if let asked { asked } else { try await ledger.newestDay(around: today) }
      if history { return try await revisions(ledger, date) }
      if let moment { return try await state(ledger, date, at: moment, in: settings.units) }
      if let revision { return try await named(ledger, date, revision, in: settings.units) }
      return try await latest(ledger, date, in: settings.units)
    }
  }

  private func listing(
    _ range: DateRange, _ opened: OpenedStore, _ settings: Settings
  ) async throws(LedgerError) -> RangeListing {
    var listing = RangeListing(
      storeName: opened.name, range: range, at: settings.now, metrics?.metrics, in: settings.units)
    listing.keepsDocuments = output.output == .json
    listing.heading = heading(range, today: try settings.today)
    var progress = ProgressLine("reading", total: range.count)
    defer { progress.clear() }
    try await opened.run { ledger async throws(LedgerError) in
      try await ledger.resolve(range) { resolution async throws(LedgerError) in
        try listing.add(resolution)
        progress.advance()
      }
    }
    progress.clear()
    if listing.hasNothing { try await opened.sayHeldDays(outside: range, settings) }
    StandardStreams.remark(notes: listing.notes, allIn: Self.verification(of: range))
    return listing
  }

  /// What `30d` means here: days that are over, and today.
  private func heading(_ range: DateRange, today: CalendarDate) -> [String] {
    guard let count = span.count, range.to == today else { return [] }
    let days =
      count == 1 ? "the last day that is over" : "the last \(count.grouped) days that are over"
    return ["\(range.from) to \(range.to): \(days), and today"]
  }

  private func latest(
    _ ledger: HealthLedger, _ date: CalendarDate, in units: PersonalUnits
  ) async throws(LedgerError) -> any CommandResult {
    let resolution = try await ledger.resolve(date)
    Self.say(resolution.rejected.map { $0.note(on: date) })
    guard let latest = resolution.latest else {
      throw LedgerError(
        .dataNotFound,
        resolution.rejected.isEmpty
          ? "no data for \(date)" : "no revision of \(date) is readable",
        key: ledger.layout.dayPrefix(date),
        remedy: resolution.rejected.isEmpty
          ? Self.publishing(date)
          : .text("list them: s3health get \(date) --history"))
    }
    Self.say(latest.nonconformities(on: date))
    sayUndone(latest.revision)
    guard !explain else {
      return SourcesReport(revision: latest.revision, id: latest.id, units: units)
    }
    return PrintedRevision(
      body: latest.body, id: latest.id, key: ledger.layout.revisionKey(date, latest.id),
      isWrapped: withId, table: table(latest.revision, latest.id, in: units))
  }

  /// Says which undone runs had spoken of a day, where that leaves it without a number.
  private func sayUndone(_ revision: DailyRevision) {
    guard !revision.readings.hasNumber else { return }
    let words = revision.allWords
    for run in words.undone.keys.filter({ words.isUndone($0) }).sorted() {
      StandardStreams.remark(
        "note: what run \(run) said of \(revision.date) is undone; s3health undo \(run) --restore brings it back"
      )
    }
  }

  private func table(
    _ revision: DailyRevision, _ id: RevisionID,
    at now: Timestamp = LedgerEnvironment.system.now(), in units: PersonalUnits
  ) -> RevisionTable {
    RevisionTable(
      revision: revision, id: id, now: now, units: units, metrics: metrics?.metrics)
  }

  private func state(
    _ ledger: HealthLedger, _ date: CalendarDate, at moment: Timestamp, in units: PersonalUnits
  ) async throws(LedgerError) -> PrintedRevision {
    let state = try await ledger.resolve(date, asOf: moment)
    Self.say(state.rejected.map { $0.note(on: date) })
    guard let found = state.revision else {
      let first = state.later.first.map { "; the next is \($0)" } ?? ""
      throw LedgerError(
        .dataNotFound, "\(date) had no readable revision at \(moment)\(first)",
        key: ledger.layout.dayPrefix(date), rule: "R36",
        remedy: "list the day's revisions: s3health get \(date) --history")
    }
    Self.say(found.nonconformities(on: date))
    return PrintedRevision(
      body: found.body, id: found.id, key: ledger.layout.revisionKey(date, found.id),
      isWrapped: withId, table: table(found.revision, found.id, at: moment, in: units),
      note: "as of \(moment), \(state.later.count.counted("later revision"))")
  }

  private func named(
    _ ledger: HealthLedger, _ date: CalendarDate, _ id: RevisionID, in units: PersonalUnits
  ) async throws(LedgerError) -> PrintedRevision {
    let (body, decoded) = try await ledger.revision(date, id)
    return PrintedRevision(
      body: body, id: id, key: ledger.layout.revisionKey(date, id), isWrapped: withId,
      table: decoded.revision.map { table($0, id, in: units) },
      violations: decoded.violations.map(\.line))
  }

  private func revisions(
    _ ledger: HealthLedger, _ date: CalendarDate
  ) async throws(LedgerError) -> RevisionList {
    let ids = try await ledger.history(date)
    let latest = try await ledger.resolve(date).latest?.id
    guard !ids.isEmpty else {
      throw LedgerError(
        .dataNotFound, "no data for \(date)", key: ledger.layout.dayPrefix(date),
        remedy: Self.publishing(date))
    }
    return RevisionList(
      date: date, latest: latest,
      revisions: ids.map {
        .init(revisionId: $0, key: ledger.layout.revisionKey(date, $0).rawValue)
      })
  }

  /// How a day comes into the store.
  private static func publishing(_ date: CalendarDate) -> LedgerError.Remedy {
    .text(
      "publish it: s3health import export.zip, s3health collect, or "
        + "s3health put --date \(date) --input FILE")
  }

  /// The command that lists everything that is wrong with a range, which no output of `get` does.
  private static func verification(of range: DateRange) -> String {
    let bound =
      range.count > DateRange.defaultMaximumDays ? " --max-days \(range.count)" : ""
    return "s3health verify \(range.from)..\(range.to)\(bound) --output json"
  }

  /// Says what is wrong with one day's revisions: all of it, without the date that was asked for.
  private static func say(_ notes: [DayNote]) {
    for note in notes { StandardStreams.remark("note: \(note.text)") }
  }
}

private struct PrintedRevision: CommandResult {
  let body: [UInt8]
  let id: RevisionID
  let key: ObjectKey
  /// Whether the document comes with its id and key.
  let isWrapped: Bool
  /// Nil if it is not readable.
  let table: RevisionTable?
  var note: String?
  var violations: [String] = []

  var exitCode: ExitCode { violations.isEmpty ? .success : foundSomething }

  func remark(_ format: OutputFormat) {
    for violation in violations { StandardStreams.remark("note: \(violation)") }
  }

  func lines(_ terminal: Terminal) -> [String] {
    guard let table else { return [String(decoding: body, as: UTF8.self).printableLines] }
    return table.lines(terminal) + (note.map { [terminal.styled($0, .faint)] } ?? [])
  }

  var document: any Encodable {
    ["revision_id": id, "key": key.rawValue, "document": try? JSONValue(parsing: body)] as Document
  }

  /// The exact bytes of the stored document, or the document with the id and key of its revision.
  func json() throws(LedgerError) -> [UInt8] {
    guard isWrapped else { return body }
    guard (try? JSONValue(parsing: body)) != nil else {
      throw LedgerError(
        .invalidArguments, "revision \(id) is not JSON", key: key.rawValue, rule: "R13",
        remedy: "leave out --with-id to see its bytes")
    }
    return try JSONValue(encoding: document).canonicalBytes
  }
}

private struct RevisionList: CommandResult, Encodable {
  let date: CalendarDate
  let latest: RevisionID?
  let revisions: [Revision]

  struct Revision: Encodable {
    let revisionId: RevisionID
    let key: String
  }

  func lines(_ terminal: Terminal) -> [String] {
    revisions.map { "\($0.revisionId)" + ($0.revisionId == latest ? "  latest" : "") }
  }
}
