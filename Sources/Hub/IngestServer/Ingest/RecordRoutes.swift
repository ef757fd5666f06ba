import HealthExports
import HealthLedger
import HealthModel
import ObjectStore

/// The routes of records (R56): a batch is in the bucket first, then in
/// the tables, then it is acknowledged.
enum RecordRoutes {
  static func routes(_ hub: Hub) -> [Route] {
    RecordKind.allCases.map { kind in
      Route(.post, "/api/ingest/\(kind.endpoint)", for: .records) {
        (request) async throws(RequestFailure) in
        try await receive(request, kind, hub)
      }
    }
  }

  private static func receive(
    _ request: AuthenticatedRequest, _ kind: RecordKind, _ hub: Hub
  ) async throws(RequestFailure) -> Answer {
    let part = try hub.part(of: request.device)
    guard let tables = part.tables else {
      throw RequestFailure(
        404, "no_database", "this server has no database, so it takes no records")
    }
    let batch: RecordBatch
    do throws(IngestRefusal) {
      batch = try RecordBatch(
        parsing: request.body, of: kind, in: RecordBounds(now: request.receivedAt))
    } catch {
      throw RequestFailure(error, code: "invalid_records", isNot: "valid records")
    }
    guard batch.count > 0 else { return answer(RowCounts()) }
    let posted = PostedRecords(
      batch, from: request.device.deviceID, session: try session(request),
      receivedAt: request.order)
    let receipt: RecordReceipt
    do throws(StoreError) {
      receipt = try await RecordArchive(part.streams, compression: hub.compression).store(posted)
    } catch {
      throw .unavailable(
        "the records could not be stored; send the same again later",
        retryAfter: error.cause == .full ? 300 : 30,
        cause: error.message + (error.key.map { " (\($0))" } ?? ""))
    }
    do throws(LedgerError) {
      return answer(try await tables.store(batch, of: receipt))
    } catch {
      let lack =
        part.person == nil
        ? "the database lacks tables: once `s3healthd db create` was run, send the same again"
        : "the database lacks tables, or their column for people: once `s3healthd db create` was run "
          + "for people, send the same again"
      throw .unavailable(
        error.code == .dataNotFound
          ? lack : "the database could not store the records; send the same again later",
        retryAfter: 30, cause: "\(error)")
    }
  }

  /// A client names what it repeats by `Idempotency-Key`. What comes without one is news: a value may
  /// come back, and to store the newest value again changes nothing.
  private static func session(_ request: AuthenticatedRequest) throws(RequestFailure) -> String {
    try request.idempotencyKey.map { "key \($0)" } ?? "received \(request.order)"
  }

  private static func answer(_ counts: RowCounts) -> Answer {
    var members: [String: JSONValue] = [
      "received": .number(Double(counts.received)), "inserted": .number(Double(counts.inserted)),
      "duplicates": .number(Double(counts.duplicates)),
    ]
    if counts.updated > 0 { members["updated"] = .number(Double(counts.updated)) }
    var answer = Answer(200, json: .object(members))
    (answer.counts.received, answer.counts.inserted) = (counts.received, counts.inserted)
    answer.counts.duplicates = counts.duplicates
    return answer
  }
}
