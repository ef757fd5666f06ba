import HealthExports
import HealthLedger
import HealthModel
import IngestServer
import PostgresTables

/// The tables of records in PostgreSQL, for the routes of the server (R56).
struct PostgresRecords: RecordTables {
  let tables: PostgresTables
  /// A connection of their own: places in the order don't wait behind rows.
  private let orders: PostgresTables

  init(
    _ options: DatabaseOptions, onConflict rule: PostgresTables.ConflictRule
  ) throws(LedgerError) {
    tables = try options.tables(onConflict: rule)
    orders = try options.tables()
  }

  private init(_ tables: PostgresTables, orders: PostgresTables) {
    (self.tables, self.orders) = (tables, orders)
  }

  func of(_ person: PersonID) -> any RecordTables {
    PostgresRecords(tables.of(person.rawValue), orders: orders)
  }

  func state() async -> TablesState {
    do throws(PostgresError) {
      try await tables.check()
      return .ok
    } catch {
      return error.code == .tablesMissing ? .missing : .unreachable
    }
  }

  func order(from moment: PreciseMoment) async throws -> PreciseMoment {
    try await worded { () async throws(PostgresError) in try await orders.order(from: moment) }
  }

  func store(_ batch: RecordBatch, of receipt: RecordReceipt) async throws -> RowCounts {
    try await worded { () async throws(PostgresError) in
      try await tables.store(
        batch, order: MetricOrder(moment: receipt.receivedAt, id: receipt.batchID))
    }
  }

  func posted(on date: CalendarDate) async throws -> [String: PostedNumber] {
    try await worded { () async throws(PostgresError) in try await tables.posted(on: [date]) }
  }

  func store(_ revision: DailyRevision, _ id: RevisionID, since: [String: PreciseMoment])
    async throws
  {
    _ = try await worded { () async throws(PostgresError) in
      try await tables.store(
        MetricChange.changes(revision, id: id, since: since), from: .revision)
    }
  }
}
