import Foundation
import HTTPClient
package import HealthExports
import HealthLedger
public import HealthModel
import HealthStreams
import Outbox
public import Secrets
import URLSessionTransport

/// A hub's records: rows of days, workouts and sleep, which it keeps in a database (R56).
///
/// Posting is an upsert by each record's `healthkit_uuid`: the same records may be posted any number
/// of times, and the newest value wins. A batch is taken whole or not at all. Batches are sent one
/// after another, 500 records each; after a failure those before it are stored.
///
/// ```swift
/// func backfill(_ days: [DailyRevision], token: Secret) async throws {
///   let records = try RecordClient("https://hub.example", token: token)
///   let counts = try await records.post(days)
///   print(counts.inserted, "rows are new,", counts.received - counts.inserted, "were known")
/// }
/// ```
public struct RecordClient: Sendable {
  /// The kinds of records, by the last part of their endpoints.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// A number of a day, such as `Weight/Body Mass (lb)`.
    case metrics
    /// A workout with its figures.
    case workouts
    /// A period of sleep.
    case sleep
  }

  /// What a server has stored.
  public struct Counts: Hashable, Sendable {
    /// Records that it was sent.
    public internal(set) var received = 0
    /// Those whose rows are new.
    public internal(set) var inserted = 0
    /// Rows that were there with another value.
    public internal(set) var updated = 0
  }

  private let receiver: RecordReceiver
  private let schedule: RetrySchedule
  private let run = UUID().uuidString

  /// - Parameters:
  ///   - url: the hub's, as for `IngestClient`.
  ///   - token: the device's.
  ///   - timeout: of one request, connecting included.
  ///   - attempts: how often a batch is sent while the server fails, with waits of 1, 2, 4, ... s
  ///     between; 1 for a background run.
  /// - Throws: `ClientError` `invalid`; it quotes neither.
  public init(
    _ url: String, token: Secret, timeout: Duration = .seconds(60), attempts: Int = 4
  ) throws(ClientError) {
    let (endpoint, token) = try IngestClient.place(url, token)
    receiver = RecordReceiver(
      endpoint, token: token, transport: URLSessionTransport(), timeout: timeout)
    schedule = RetrySchedule(attempts: max(1, attempts))
  }

  /// Posts the numbers of days: up to 28 rows each. A metric without a number has no row.
  ///
  /// - Throws: `ClientError` of the first batch that was not stored.
  public func post(_ days: [DailyRevision]) async throws(ClientError) -> Counts {
    try await post(.metrics(days.flatMap(MetricRecord.records(of:))))
  }

  /// Posts workouts, a row each.
  ///
  /// - Parameters:
  ///   - workouts: as a source has them.
  ///   - timeZoneName: the zone of the days on which they begin.
  /// - Throws: `ClientError` of the first batch that was not stored.
  public func post(
    _ workouts: [Workout], timeZoneName: String
  ) async throws(ClientError) -> Counts {
    try await post(.workouts(workouts.map { WorkoutRecord($0, timeZoneName: timeZoneName) }))
  }

  /// Posts periods of sleep, a row each.
  ///
  /// - Throws: `ClientError` of the first batch that was not stored.
  public func post(_ sleep: [SleepSegment]) async throws(ClientError) -> Counts {
    try await post(.sleep(sleep.map(SleepRecord.init)))
  }

  /// Posts records as the protocol spells them, such as
  /// `{"healthkit_uuid": ..., "type": ..., "start_time": ..., "end_time": ..., "metrics": {...}}`.
  ///
  /// They are checked before anything is sent, by the rules that the server has (R56).
  /// - Parameters:
  ///   - records: at most 10,000.
  ///   - kind: what they all are.
  /// - Throws: `ClientError` `invalid` with the first fault and its place; else as above.
  public func post(
    _ records: [JSONValue], as kind: Kind
  ) async throws(ClientError) -> Counts {
    let checked: RecordBatch
    do throws(IngestRefusal) {
      checked = try RecordBatch(
        json: .object(["records": .array(records)]), of: RecordKind(kind),
        in: RecordBounds(now: .now))
    } catch {
      let first = error.faults.first.map { "\($0.pointer): \($0.message)" } ?? "no record"
      throw ClientError(.invalid, "\(error.count) faults; the first: \(first)")
    }
    return try await post(checked)
  }

  /// Posts the records that a server takes, and says what is wrong with the others: what no living
  /// person has would hold up the records beside it (R56).
  package func post(
    whatCountsOf batch: RecordBatch
  ) async throws(ClientError) -> (counts: Counts, refused: [RequestFault]) {
    let (batch, refused) = batch.acceptable(in: RecordBounds(now: .now))
    return (try await post(batch), refused)
  }

  private func post(_ batch: RecordBatch) async throws(ClientError) -> Counts {
    var counts = Counts()
    for piece in batch.pieces(of: RecordBatch.usualCount) {
      let stored = try await send(piece)
      counts.received += stored.received
      counts.inserted += stored.inserted
      counts.updated += stored.updated
    }
    return counts
  }

  private func send(_ batch: RecordBatch) async throws(ClientError) -> RowCounts {
    // The same bytes have the same key in every attempt. From another client they are news: a number, or that
    // there is none, may come back after something else was said in between (R56).
    let key = "\(run)-\(SealedBatch.digest(of: batch.body))"
    var failures = 0
    while true {
      switch await receiver.post(batch, key: key) {
      case .stored(let counts): return counts
      case .failed(let failure):
        failures += 1
        guard !Task.isCancelled, let wait = schedule.wait(after: failures, of: failure),
          (try? await Task.sleep(for: .seconds(wait))) != nil
        else { throw ClientError(failure) }
      }
    }
  }
}

extension RecordKind {
  init(_ kind: RecordClient.Kind) {
    self =
      switch kind {
      case .metrics: .metrics
      case .workouts: .workouts
      case .sleep: .sleep
      }
  }
}
