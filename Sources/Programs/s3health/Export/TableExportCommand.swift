import ArgumentParser
import CommandLineKit
import Foundation
import HealthExports
import HealthLedger
import HealthModel
import HealthSources

/// `export csv|json`: days, workouts or sleep as a table that other programs open (docs/EXPORT.md).
struct TableExportCommand: OutputCommand, ConfiguredCommand {
  static let configuration = CommandConfiguration(
    commandName: "table",
    abstract:
      "Write days, workouts or sleep as a table in CSV or JSON lines.",
    discussion: """
      pandas, DuckDB and spreadsheets open the tables. They have one header, ISO dates, times in \
      UTC, and the unit at the end of each column's name. A value that is missing is empty, or null \
      in JSON. Days are read from the store, or with --input from a source. Workouts and sleep are \
      read from --input or the configured source. Without dates it writes everything.

        s3health export csv 365d > days.csv
        s3health export csv 2025 --metrics weight,steps
        s3health export csv --table workouts --input export.zip --out workouts.csv
        s3health export json --table sleep --input export.zip > sleep.jsonl
        s3health export csv --people --out days
      """)

  enum Table: String, ExpressibleByArgument, CaseIterable {
    case days, workouts, sleep
  }

  @Argument(help: .init("csv, or json for one JSON object per line.", valueName: "format"))
  var format: TableFormat

  @Option(help: .init("What the rows are.", valueName: "table"))
  var table: Table = .days

  @OptionGroup var span: SpanOptions
  @OptionGroup var people: PeopleOptions

  @Option(
    name: .shortAndLong,
    help: .init(
      "Source to read instead of the store: an Apple Health export or Health Auto Export files.",
      valueName: "source"), completion: .file())
  var input: String?

  @Option(
    help: .init(
      "File to write or replace; with --people a folder. Default: stdout.", valueName: "file"),
    completion: .file(extensions: ["csv", "json", "jsonl"]))
  var out: String?

  @Option(
    help: .init(
      "Columns of the days: all, v0 for the required ones, or keys: steps,weight.",
      discussion: "Default: the required ones, and the optional ones that any of the days has.",
      valueName: "keys"), completion: .metrics,
    transform: MetricSelection.argument)
  var metrics: MetricSelection?

  @Option(
    help: .init(
      "Source to prefer where several recorded the same time. Repeat it for the next best.",
      discussion:
        "The name as Health shows it. Default order: by hand, watch, phone, other apps.",
      valueName: "name"))
  var sourcePriority: [String] = []

  @OptionGroup var zone: ZoneOption

  @OptionGroup var output: OutputOptions
  @OptionGroup(title: "Store") var store: StoreOptions

  func validate() throws {
    try validatePeople()
    if table != .days, metrics != nil {
      throw ValidationError("--metrics chooses columns of --table days")
    }
    if table == .days, input == nil, !sourcePriority.isEmpty {
      throw ValidationError("--source-priority needs --input: the store's days are counted already")
    }
  }

  func perform() async throws(LedgerError) -> ExitCode {
    if people.people, let out { return try await exportPeople(to: out) }
    let given = try Settings(store, timeZone: zone.timezone)
    let settings =
      input == nil ? try await given.ofPerson() : try await given.completed(asksStore: false)
    let output = try TableOutput(out)
    switch table {
    case .days:
      let rows = if input == nil { try await held(settings) } else { try read(settings) }
      if let note = rows.note { StandardStreams.remark("note: \(note)") }
      output.write(rows.bytes(format))
    case .workouts, .sleep: try export(settings, to: output)
    }
    try output.finish()
    return .success
  }

  private func held(_ settings: Settings) async throws(LedgerError) -> DayRows {
    var rows = DayRows(metrics: metrics?.metrics, at: settings.now)
    try await OpenedStore(settings).days(of: span, metrics?.metrics, settings) { revision in
      if let revision { rows.add(revision) } else { rows.missing += 1 }
    }
    return rows
  }

  private func read(_ settings: Settings) throws(LedgerError) -> DayRows {
    let (imported, span) = try imported(settings, records: nil)
    var rows = DayRows(metrics: metrics?.metrics, at: settings.now)
    // What a store would show of it, but nobody collects it.
    let drafts = try SelectedDays(imported, span).drafts(
      collector: .derivation, in: imported.zone.zones, at: settings.now)
    for draft in drafts { rows.add(draft.revision(at: settings.now)) }
    rows.missing = span.days.count - drafts.count
    StandardStreams.remark(notes: imported.allNotes.map(\.words), allIn: nil)
    return rows
  }

  /// Workouts or sleep of a source, written as they are read.
  private func export(_ settings: Settings, to output: TableOutput) throws(LedgerError) {
    let table = table
    let encoder = TableEncoder(
      format, table == .workouts ? WorkoutsTable.columns : SleepTable.columns)
    output.write(encoder.header)
    let (imported, _) = try imported(settings) { day in
      var bytes: [UInt8] = []
      switch table {
      case .workouts:
        for workout in day.workouts {
          encoder.append(
            WorkoutsTable.row(workout, on: day.date, timeZoneName: day.timeZoneName), to: &bytes)
        }
      case .sleep:
        for segment in day.sleep {
          encoder.append(
            SleepTable.row(segment, on: day.date, timeZoneName: day.timeZoneName), to: &bytes)
        }
      case .days: break
      }
      output.write(bytes)
    }
    // They are not counted by kind: better to name a record that is not of this table than to pass one
    // over that is.
    let losses = imported.export?.losses { reason in
      switch reason {
      case .duplicate, .unit, .unpaired: false
      default: table == .workouts || !reason.isOfWorkouts
      }
    }
    StandardStreams.remark(notes: imported.notes.map(\.words) + (losses ?? []), allIn: nil)
  }

  /// Reads the source that was named, else the configured one.
  private func imported(
    _ settings: Settings, records: ((DayRecords) -> Void)?
  ) throws(LedgerError) -> (ImportedSource, ImportSpan) {
    let source = settings.store.source.flatMap { $0.isStreams ? nil : $0.path }
    guard let path = input ?? source else {
      throw LedgerError(
        .invalidArguments, "there is nothing to read: workouts and sleep are not in the store",
        remedy: "add --input SOURCE, such as an export.zip; or set S3HEALTH_SOURCE")
    }
    let (from, to) = try span.ends(settings, upTo: nil)
    return try reading(settings) { request throws(LedgerError) in
      var request = request
      (request.from, request.to) = (from, to)
      request.priority = sourcePriority
      request.metrics = metrics?.withRequired ?? request.metrics
      request.records = records
      let imported = try Input(path).read(request)
      settings.sayMissingZone(besides: imported.zone.evidence)
      return (imported, try imported.span(from: from, to: to))
    }
  }
}

extension TableFormat: ExpressibleByArgument {}

extension TableExportCommand {
  /// Refuses what `--people` can't do.
  func validatePeople() throws {
    guard people.people else {
      if output.output == .json {
        throw ValidationError("--output json needs --people: `export json` writes JSON lines")
      }
      return
    }
    if table != .days || input != nil {
      throw ValidationError("--people exports the days of the store: leave out --input and --table")
    }
    if out == nil || out == "-" {
      throw ValidationError("--people needs --out FOLDER, for a file of each person")
    }
  }

  /// `export --people`: a file for each person, and a line about it.
  func exportPeople(to path: String) async throws(LedgerError) -> ExitCode {
    let run = try PeopleRun(people, store, timeZone: zone.timezone, output.output)
    let folder = try PeopleFolder(
      path, ending: format == .csv ? "csv" : "jsonl", content: "the table")
    let (span, format, metrics) = (span, format, metrics?.metrics)
    return try await run.run("exporting", columns: ["days", "missing", "unread", "damaged"]) {
      id, settings, ledger async throws(LedgerError) -> PersonTable in
      let today = try settings.today
      let ledger = try await ledger.listedWhole()
      let ranges = try await span.ranges(
        of: ledger, settings, upTo: today, reaching: nil, maximumDays: DateRange.mostDays)
      var rows = DayRows(metrics: metrics, at: settings.now)
      var (unread, damaged) = (0, 0)
      for range in ranges {
        try await ledger.resolve(range) { resolution async throws(LedgerError) in
          if let latest = resolution.latest {
            rows.add(latest.revision)
            if latest.isDamaged { damaged += 1 }
          } else {
            rows.missing += 1
            if !resolution.rejected.isEmpty { unread += 1 }
          }
        }
      }
      return PersonTable(
        days: rows.count, missing: rows.missing, unread: unread, damaged: damaged,
        path: try folder.write(rows.bytes(format), of: id))
    } line: { _, table in
      PersonLine(
        cells: [table.days, table.missing, table.unread, table.damaged].map(\.grouped),
        words: table.path.printable,
        members: [
          "days": table.days, "missing_days": table.missing, "unread_days": table.unread,
          "damaged_days": table.damaged, "file": table.path,
        ])
    }
  }
}

/// A person's table, once it is written.
private struct PersonTable: Sendable {
  let days: Int
  /// Dates of the range without a row.
  let missing: Int
  /// Of these, dates that have revisions, none of them readable.
  let unread: Int
  let damaged: Int
  let path: String
}

/// Where a table goes: stdout as it is made, or a file that is there whole or not at all.
final class TableOutput {
  private let file: PrivateFile?
  private var pending: [UInt8] = []
  private var failure: LedgerError?

  /// Bytes that are gathered before they are written to stdout.
  private static let blockSize = 1 << 20

  /// - Parameter path: nil or `-` for stdout.
  init(_ path: String?) throws(LedgerError) {
    file = if let path, path != "-" { try PrivateFile(path, for: "the table") } else { nil }
  }

  /// Takes the next bytes; a failure to write them shows in `finish`.
  func write(_ bytes: [UInt8]) {
    pending += bytes
    guard file == nil, pending.count >= Self.blockSize, failure == nil else { return }
    do throws(LedgerError) {
      try StandardStreams.write(pending)
    } catch {
      failure = error
    }
    pending = []
  }

  /// Ends the table.
  func finish() throws(LedgerError) {
    if let failure { throw failure }
    if let file {
      try file.replace(with: pending)
      StandardStreams.remark("s3health: wrote \(file.path)")
    } else {
      try StandardStreams.write(pending)
    }
  }
}
