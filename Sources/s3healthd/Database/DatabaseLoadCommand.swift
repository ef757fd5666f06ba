import ArgumentParser
import Gzip
import HealthLedger
import HealthModel
import HealthStreams
import IngestServer
import PostgresTables
import StoreAccess

struct DatabaseLoadCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "load", abstract: "Fill the tables with full history.",
    discussion: """
      Metrics are the days of the store; workouts and sleep are read from --input, because the store \
      has none. Without dates all of it is loaded. Loading again doubles nothing: the newest value \
      of a metric wins, workouts and sleep stay as they are.
      """)

  @Option(
    name: .shortAndLong,
    help: .init(
      "Source of workouts and sleep: an Apple Health export or Health Auto Export files.",
      valueName: "source"), completion: .file())
  var input: String?

  @Option(help: .init("First date.", valueName: "date"), transform: dateArgument)
  var from: CalendarDate?

  @Option(help: .init("Last date, inclusive.", valueName: "date"), transform: dateArgument)
  var to: CalendarDate?

  @OptionGroup var conflict: ConflictOption
  @OptionGroup var database: DatabaseOptions
  @OptionGroup var ledger: LedgerOptions

  func validate() throws {
    if let from, let to, from > to { throw ValidationError("--from is after --to") }
  }

  func run() async throws {
    try await Console.reporting(database.output) { () async throws(LedgerError) in
      let settings = try ledger.settings()
      let tables = try database.tables(onConflict: conflict.onConflict)
      try await tables.checked()
      var load = RowsLoad(tables)
      load = try await load.withDays(settings, from: from, to: to)
      if let input {
        try await load.loadRecords(
          input, in: settings.zone, at: LedgerEnvironment.system.now(), from: from, to: to)
      }
      load.report(database.output)
      return .success
    }
  }
}

struct DatabaseRebuildCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rebuild",
    abstract: "Create the tables, and fill them with all that is in the store.",
    discussion: """
      For a database that was lost: the records that were posted, in the order in which they were \
      received, and the days. Into tables that have rows already only what is missing or older is \
      written.
      """)

  @OptionGroup var conflict: ConflictOption
  @OptionGroup var database: DatabaseOptions
  @OptionGroup var ledger: LedgerOptions

  func run() async throws {
    try await Console.reporting(database.output) { () async throws(LedgerError) in
      let settings = try ledger.settings()
      let tables = try database.tables(onConflict: conflict.onConflict)
      _ = try await worded { () async throws(PostgresError) in try await tables.create() }
      var load = RowsLoad(tables)
      let opened = try OpenedStore(reading: settings)
      guard let layout = StreamLayout(prefix: opened.ledger.layout.prefix) else {
        throw LedgerError(
          .invalidArguments, "the store's prefix is too long for the keys of streams",
          remedy: "use a shorter prefix")
      }
      let streams = StreamStore(
        store: opened.ledger.store, layout: layout, compression: ZlibCompression())
      load = try await opened.run { [load] _ async throws(LedgerError) in
        var load = load
        try await load.loadPosted(RecordArchive(streams, compression: ZlibCompression()))
        return load
      }
      load = try await load.withDays(settings, from: nil, to: nil)
      load.report(database.output)
      return .success
    }
  }
}

extension RowsLoad {
  /// With the days of the store that the settings name.
  func withDays(
    _ settings: StoreSettings, from: CalendarDate?, to: CalendarDate?
  ) async throws(LedgerError) -> RowsLoad {
    try await OpenedStore(reading: settings).run { ledger async throws(LedgerError) in
      var load = self
      try await load.loadDays(ledger, from: from, to: to)
      return load
    }
  }
}

extension OpenedStore {
  init(reading settings: StoreSettings) throws(LedgerError) {
    do throws(SettingsError) {
      try self.init(settings, for: .reading, userAgent: "s3healthd")
    } catch {
      throw error.failure
    }
  }
}

extension PostgresTables {
  /// Throws if the tables are not there.
  func checked() async throws(LedgerError) {
    try await worded { () async throws(PostgresError) in try await check() }
  }
}
