import ArgumentParser
import CommandLineKit
import Gzip
import HealthLedger
import HealthModel
import HealthStreams
import IngestServer
import PostgresTables

struct DatabaseLoadCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "load", abstract: "Fill the tables with full history.",
    discussion: """
      Metrics come from the days in the store; workouts and sleep come from --input, because the \
      store has none. Without dates, everything is loaded. Loading again stores nothing twice: the \
      newest value of a metric wins, and workouts and sleep stay as they are.
      """)

  @Option(
    name: .shortAndLong,
    help: .init(
      "Source of workouts and sleep: an Apple Health export or Health Auto Export files.",
      valueName: "source"), completion: .file())
  var input: String?

  @OptionGroup var span: SpanOptions

  @Option(
    help: .init("Reporting time zone of the source's days.", valueName: "iana-name"),
    completion: .timeZones)
  var timezone: String?

  @OptionGroup var conflict: ConflictOption
  @OptionGroup var database: DatabaseOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var store: StoreOptions

  func run() async throws {
    try await reportingErrors(output.output) { () async throws(LedgerError) in
      Diagnostics.start(store)
      let settings = try Settings(store, timeZone: timezone)
      let (from, to) = try span.ends(settings, upTo: nil)
      let tables = try database.tables(onConflict: conflict.onConflict).of(settings)
      try await tables.checked()
      var load = RowsLoad(tables)
      load = try await load.withDays(settings, from: from, to: to)
      if let input {
        try await load.loadRecords(
          input, settings, from: from, to: to)
      }
      try load.report(output.output)
      return .success
    }
  }
}

struct DatabaseRebuildCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rebuild",
    abstract: "Create the tables, and fill them with everything in the store.",
    discussion: """
      Use it when the database was lost. It loads the records that were posted, in the order in \
      which they were received, and the days. If the tables have rows already, it writes only what \
      they lack and what is newer than theirs.
      """)

  @OptionGroup var conflict: ConflictOption
  @OptionGroup var database: DatabaseOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var store: StoreOptions

  func run() async throws {
    try await reportingErrors(output.output) { () async throws(LedgerError) in
      Diagnostics.start(store)
      let settings = try Settings(store, timeZone: nil)
      let tables = try database.tables(onConflict: conflict.onConflict).of(settings)
      _ = try await worded { () async throws(PostgresError) in try await tables.create() }
      var load = RowsLoad(tables)
      let opened = try OpenedStore(settings)
      let archive = RecordArchive(try opened.streams, compression: ZlibCompression())
      load = try await opened.run { [load] _ async throws(LedgerError) in
        var load = load
        try await load.loadPosted(archive)
        return load
      }
      load = try await load.withDays(settings, from: nil, to: nil)
      try load.report(output.output)
      return .success
    }
  }
}

extension RowsLoad {
  /// With the days of the store that the settings name.
  func withDays(
    _ settings: Settings, from: CalendarDate?, to: CalendarDate?
  ) async throws(LedgerError) -> RowsLoad {
    try await OpenedStore(settings).run { ledger async throws(LedgerError) in
      var load = self
      try await load.loadDays(ledger, from: from, to: to)
      return load
    }
  }
}

extension PostgresTables {
  /// Throws if the tables are not there.
  func checked() async throws(LedgerError) {
    try await worded { () async throws(PostgresError) in try await check() }
  }
}
