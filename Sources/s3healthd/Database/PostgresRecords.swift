import HealthLedger
import HealthModel
import HealthRecords
import IngestServer
import PostgresTables

/// The tables of records in PostgreSQL, for the routes of the server (R56).
struct PostgresRecords: RecordTables {
  let tables: PostgresTables

  init(_ options: DatabaseOptions) throws(LedgerError) {
    tables = try options.tables(connections: 8)
  }

  func check() async throws { try await tables.check() }

  func store(_ batch: RecordBatch, of receipt: RecordReceipt) async throws -> RowCounts {
    try await tables.store(
      batch, order: MetricOrder(moment: receipt.receivedAt, id: receipt.batchID))
  }

  func store(_ revision: DailyRevision, _ id: RevisionID) async throws {
    _ = try await asking { () async throws(PostgresError) in
      try await tables.store(MetricChange.changes(revision, id: id), from: .revision)
    }
  }
}
