import ArgumentParser
import CommandLineKit
import Gzip
import HealthLedger
import HealthModel
import HealthStreams
import IngestServer
import PostgresTables

struct DatabaseLoadCommand: ResultCommand {
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

  func result() async throws(LedgerError) -> any CommandResult {
    Diagnostics.start(store)
    let settings = try Settings(store, timeZone: timezone)
    let (from, to) = try span.ends(settings, upTo: nil)
    let tables = try database.tables(onConflict: conflict.onConflict).of(settings)
    try await worded { () async throws(PostgresError) in try await tables.check() }
    var load = try await RowsLoad(tables).withDays(settings, from: from, to: to)
    if let input { try await load.loadRecords(input, settings, from: from, to: to) }
    return load
  }
}

struct DatabaseRebuildCommand: ResultCommand {
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

  func result() async throws(LedgerError) -> any CommandResult {
    Diagnostics.start(store)
    let settings = try Settings(store, timeZone: nil)
    let tables = try database.tables(onConflict: conflict.onConflict).of(settings)
    _ = try await worded { () async throws(PostgresError) in try await tables.create() }
    let opened = try OpenedStore(settings)
    let archive = RecordArchive(try opened.streams, compression: ZlibCompression())
    let posted = try await opened.run { _ async throws(LedgerError) in
      var load = RowsLoad(tables)
      try await load.loadPosted(archive)
      return load
    }
    return try await posted.withDays(settings, from: nil, to: nil)
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

/// `db`: the tables of records in a person's PostgreSQL (R56).
struct DatabaseCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "db", abstract: "Create, fill and check the tables in PostgreSQL.",
    discussion: """
      The database is named by --postgres or S3HEALTH_POSTGRES, such as \
      postgresql://me@db.home/health, or by libpq's own variables and service files. The password \
      comes from PGPASSFILE, ~/.pgpass or S3HEALTH_POSTGRES, and never from the command line, where \
      other users of the machine can see it. A server on another machine must show a certificate \
      for its name, unless the URL sets sslmode.

        s3healthd db create
        s3healthd db load --input export.zip
        s3healthd db load --from 2026-01-01 --to 2026-01-31
        s3healthd db compare --days 14
        s3healthd db rebuild
      """,
    subcommands: [
      DatabaseCreateCommand.self, DatabaseLoadCommand.self, DatabaseRebuildCommand.self,
      DatabaseCompareCommand.self,
    ])
}

struct DatabaseCreateCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "create", abstract: "Create the tables and indexes that do not exist yet.",
    discussion: """
      Creates the three tables for records with their indexes, and two more: one holds which value \
      of a metric is the newest, the other the version of the schema. Running it again changes \
      nothing. The role needs only the right to create tables in its schema.
      """)

  @Flag(
    help: .init(
      "Give each row a person, for a server of many people.",
      discussion: "Rows that are there stay, with an empty person. Stop the servers before."))
  var people = false

  @Flag(help: "Print the statements, and contact no database.")
  var printStatements = false

  @OptionGroup var database: DatabaseOptions
  @OptionGroup var output: OutputOptions

  func validate() throws {
    if people, printStatements {
      throw ValidationError("--people and --print-statements can't be used together")
    }
  }

  func run() async throws {
    try await reportingErrors(output.output) { () async throws(LedgerError) in
      if printStatements {
        try StandardStreams.write(Array(SchemaDefinition.script.utf8))
        return .success
      }
      let tables = try database.tables()
      let change = try await worded { () async throws(PostgresError) in
        try await tables.create(forPeople: people)
      }
      try CreatedTables(created: change.created, present: change.present).print(output.output)
      return .success
    }
  }

  private struct CreatedTables: CommandResult, Encodable {
    let created, present: [String]

    func lines(_ terminal: Terminal) -> [String] {
      created.map { "created  \($0)" } + present.map { "present  \($0)" }
    }
  }
}
