import ArgumentParser
import CommandLineKit
import HealthLedger
import HealthModel
import MCPServer
import ObjectStore

/// `get`: prints the resolved revision of a date, one revision by its id, a list of all revisions, what
/// changed between two, the days of a range, or their summary.
struct GetCommand: AsyncParsableCommand {
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

  @Option(
    help: .init("Time zone that determines today.", valueName: "iana-name"), completion: .timeZones)
  var timezone: String?

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

  func run() async throws {
    try await reportingErrors(output.output) { () async throws(LedgerError) in
      Diagnostics.start(store)
      let settings = try await Settings(store, timeZone: timezone).ofPerson(.pages)
      if summary { return try await printSummary(settings) }
      if diff { return try await printDifference(settings) }
      // A date that is written out needs no zone, so an invalid TZ does not matter.
      if isRange,
        let range = try await span.range(
          settings, upTo: try settings.today, maximumDays: bound.maxDays)
      {
        return try await printRange(range, settings)
      }
      let asked = try span.day.map { day throws(LedgerError) in try settings.date(day) }
      let today = if let asked { asked } else { try settings.today }
      let moment = try asOf.map { argument throws(LedgerError) in try settings.moment(argument) }
      let revision = try revision.first.map { text throws(LedgerError) in
        try RevisionID(text, of: asked ?? today)
      }
      let (opened, units) = (try OpenedStore(settings), settings.units)
      return try await opened.read(settings) { ledger async throws(LedgerError) in
        let date = if let asked { asked } else { try await ledger.newestDay(around: today) }
        if history { return try await printHistory(ledger, date) }
        if let moment { return try await printState(ledger, date, at: moment, in: units) }
        if let revision { return try await printRevision(ledger, date, revision, in: units) }
        return try await printLatest(ledger, date, in: units)
      }
    }
  }

  private func printRange(
    _ range: DateRange, _ settings: Settings
  ) async throws(LedgerError) -> ExitCode {
    let opened = try OpenedStore(settings)
    var listing = RangeListing(storeName: opened.name, range: range, at: settings.now)
    listing.keepsDocuments = output.output == .json
    var progress = ProgressLine("reading", total: range.count)
    defer { progress.clear() }
    try await opened.run { ledger async throws(LedgerError) in
      try await ledger.resolve(range) { resolution async throws(LedgerError) in
        try listing.add(resolution)
        progress.advance()
      }
      progress.clear()
    }
    if listing.isEmpty { try await opened.sayHeldDays(outside: range, settings) }
    StandardStreams.remark(notes: listing.notes, allIn: Self.verification(of: range))
    switch output.output {
    case .json: try StandardStreams.write(listing.document)
    case .text:
      try StandardStreams.writeLine(
        (heading(range, today: try settings.today)
          + listing.lines(metrics?.metrics, in: settings.units, .standardOutput())).joined(
            separator: "\n"))
    }
    return .success
  }

  /// What `30d` means here: days that are over, and today.
  private func heading(_ range: DateRange, today: CalendarDate) -> [String] {
    guard let count = span.count, range.to == today else { return [] }
    let days =
      count == 1 ? "the last day that is over" : "the last \(count.grouped) days that are over"
    return ["\(range.from) to \(range.to): \(days), and today"]
  }

  private func printLatest(
    _ ledger: HealthLedger, _ date: CalendarDate, in units: PersonalUnits
  ) async throws(LedgerError) -> ExitCode {
    let resolution = try await ledger.resolve(date)
    Self.say(resolution.rejected.map { $0.note(on: date) })
    guard let latest = resolution.latest else {
      throw LedgerError(
        .dataNotFound,
        resolution.rejected.isEmpty
          ? "there is no data for \(date)" : "no revision of \(date) is readable",
        key: ledger.layout.dayPrefix(date),
        remedy: resolution.rejected.isEmpty
          ? Self.publishing(date)
          : .text("list them: s3health get \(date) --history"))
    }
    Self.say(latest.nonconformities(on: date))
    if explain {
      let report = SourcesReport(revision: latest.revision, id: latest.id, units: units)
      switch output.output {
      case .json: try StandardStreams.write(report.document)
      case .text:
        try StandardStreams.writeLine(report.lines(.standardOutput()).joined(separator: "\n"))
      }
      return .success
    }
    switch output.output {
    case .json: try write(latest.body, latest.id, ledger.layout.revisionKey(date, latest.id))
    case .text:
      let table = RevisionTable(
        revision: latest.revision, id: latest.id, now: LedgerEnvironment.system.now(), units: units,
        metrics: metrics?.metrics)
      try StandardStreams.writeLine(
        table.lines(.standardOutput()).joined(separator: "\n"))
    }
    return .success
  }

  /// The exact bytes of a stored document, or the document with the id and key of its revision.
  private func write(
    _ body: [UInt8], _ id: RevisionID, _ key: ObjectKey
  ) throws(LedgerError) {
    guard withId else { return try StandardStreams.write(body + [UInt8(ascii: "\n")]) }
    guard let document = try? JSONValue(parsing: body) else {
      throw LedgerError(
        .invalidArguments, "revision \(id) is not JSON", key: key.rawValue, rule: "R13",
        remedy: "leave out --with-id to see its bytes")
    }
    try StandardStreams.write(
      .object([
        "revision_id": .string(id.rawValue), "key": .string(key.rawValue), "document": document,
      ]))
  }

  private func printState(
    _ ledger: HealthLedger, _ date: CalendarDate, at moment: Timestamp, in units: PersonalUnits
  ) async throws(LedgerError) -> ExitCode {
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
    switch output.output {
    case .json: try write(found.body, found.id, ledger.layout.revisionKey(date, found.id))
    case .text:
      let terminal = Terminal.standardOutput()
      let table = RevisionTable(
        revision: found.revision, id: found.id, now: moment, units: units, metrics: metrics?.metrics
      )
      let later = state.later.count
      let note = "as of \(moment), \(later) later \(later == 1 ? "revision" : "revisions")"
      let lines = table.lines(terminal) + [terminal.styled(note, .faint)]
      try StandardStreams.writeLine(lines.joined(separator: "\n"))
    }
    return .success
  }

  private func printRevision(
    _ ledger: HealthLedger, _ date: CalendarDate, _ id: RevisionID, in units: PersonalUnits
  ) async throws(LedgerError) -> ExitCode {
    let (body, decoded) = try await ledger.revision(date, id)
    switch (output.output, decoded.revision) {
    case (.text, let revision?):
      let table = RevisionTable(
        revision: revision, id: id, now: LedgerEnvironment.system.now(), units: units,
        metrics: metrics?.metrics)
      try StandardStreams.writeLine(
        table.lines(.standardOutput()).joined(separator: "\n"))
    case (.text, nil):
      try StandardStreams.writeLine(String(decoding: body, as: UTF8.self).printableLines)
    case (.json, _):
      try write(body, id, ledger.layout.revisionKey(date, id))
    }
    for violation in decoded.violations {
      StandardStreams.remark("note: \(violation.line)")
    }
    return decoded.violations.isEmpty ? .success : foundSomething
  }

  private func printHistory(
    _ ledger: HealthLedger, _ date: CalendarDate
  ) async throws(LedgerError) -> ExitCode {
    let ids = try await ledger.history(date)
    let latest = try await ledger.resolve(date).latest?.id
    guard !ids.isEmpty else {
      throw LedgerError(
        .dataNotFound, "there is no data for \(date)", key: ledger.layout.dayPrefix(date),
        remedy: Self.publishing(date))
    }
    switch output.output {
    case .text:
      let lines = ids.map { id in
        "\(id)  \(ledger.layout.revisionKey(date, id))".printable
          + (id == latest ? "  latest" : "")
      }
      try StandardStreams.writeLine(lines.joined(separator: "\n"))
    case .json:
      try StandardStreams.write(
        .object([
          "date": .string(date.description),
          "latest": latest.map { .string($0.rawValue) } ?? .null,
          "revisions": .array(
            ids.map { id in
              .object([
                "revision_id": .string(id.rawValue),
                "key": .string(ledger.layout.revisionKey(date, id).rawValue),
              ])
            }),
        ]))
    }
    return .success
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
