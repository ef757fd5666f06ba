package import HealthExports
package import HealthLedger
package import HealthModel
import Synchronization

/// Keeps the rows of days those of their newest revisions (R56). A day whose rows could not be written
/// is asked for again by whoever keeps its markers.
package final class PublishedRows: Sendable {
  /// What became of the rows of a day.
  package struct Report: Hashable, Sendable {
    package let isStored: Bool
    /// How many days' rows are not what the ledger says.
    package let waiting: Int
    /// For the log: that a day is not in the database, or is again.
    package let line: String?
  }

  private struct State {
    /// The days whose rows are not what the ledger says.
    var waiting: Set<CalendarDate> = []
    /// Why the database could not be used, and until when nobody asks it again.
    var failure: (error: LedgerError, until: ContinuousClock.Instant)?
  }

  private let ledger: HealthLedger
  private let tables: any RecordTables
  private let report: @Sendable (Report) -> Void
  private let state = Mutex(State())

  /// How long the rows of one day may take, in seconds.
  private static let seconds = 10
  /// How long other days do not wait behind a database that is away.
  private static let pause: Duration = .seconds(2)

  package init(
    _ ledger: HealthLedger, _ tables: any RecordTables,
    report: @escaping @Sendable (Report) -> Void
  ) {
    (self.ledger, self.tables, self.report) = (ledger, tables, report)
  }

  /// Writes the rows of a day's newest revision. Doing it again changes nothing.
  ///
  /// - Throws: `LedgerError` if the rows may not be there.
  package func store(_ date: CalendarDate) async throws(LedgerError) {
    do throws(LedgerError) {
      if let failure = state.withLock({ $0.failure }), .now < failure.until { throw failure.error }
      let late = LedgerError(
        .storageUnavailable, "its rows were not written within \(Self.seconds) seconds", rule: "R56"
      )
      let isDamaged = try await TimeLimit.run(Self.seconds, orThrow: late) {
        [self] () async throws(LedgerError) in try await write(date)
      }
      if isDamaged {
        let line = "day \(date) is damaged in the store: a number in its rows may be wrong"
        report(Report(isStored: true, waiting: state.withLock(\.waiting.count), line: line))
      }
    } catch {
      note(date, error)
      throw error
    }
    note(date, nil)
  }

  /// Returns whether the revision is damaged (R60).
  private func write(_ date: CalendarDate) async throws(LedgerError) -> Bool {
    guard let latest = try await ledger.resolve(date).latest else { return false }
    do throws(LedgerError) {
      let since = try await ledger.sameNumberSince(latest, beside: tables.posted(on: date))
      try await tables.store(latest.revision, latest.id, since: since)
    } catch {
      state.withLock { $0.failure = (error, .now + Self.pause) }
      throw error
    }
    return latest.isDamaged
  }

  private func note(_ date: CalendarDate, _ error: LedgerError?) {
    let (isNews, count) = state.withLock { state in
      if error == nil {
        state.failure = nil
        return (state.waiting.remove(date) != nil, state.waiting.count)
      }
      return (state.waiting.insert(date).inserted, state.waiting.count)
    }
    let line =
      error.map { "day \(date) is not in the database yet: \($0)" }
      ?? "day \(date) is in the database"
    report(Report(isStored: error == nil, waiting: count, line: isNews ? line : nil))
  }
}

/// The tables of records (R56). A program that has a database gives the server an implementation.
package protocol RecordTables: Sendable {
  /// The same tables for the rows of one person (R65).
  func of(_ person: PersonID) -> any RecordTables

  /// Whether rows could be written now.
  func state() async -> TablesState

  /// The next place in the order of all receipts, of every server that shares the database: a moment
  /// not before `moment`, and later than all that were given before.
  ///
  /// - Throws: `LedgerError` if the database does not answer as it should.
  func order(from moment: PreciseMoment) async throws(LedgerError) -> PreciseMoment

  /// Stores the rows of a posted batch, all or none. Storing it again changes nothing.
  ///
  /// - Throws: `LedgerError` if the rows may not be there. It contains no secret, and no value of a row.
  func store(
    _ batch: RecordBatch, of receipt: RecordReceipt
  ) async throws(LedgerError) -> RowCounts

  /// The numbers that were posted for a date, by the ids of their rows.
  ///
  /// - Throws: as `store` of a batch.
  func posted(on date: CalendarDate) async throws(LedgerError) -> [String: PostedNumber]

  /// Makes the rows of a day those of a revision, unless they are those of a newer one. Storing it
  /// again changes nothing.
  ///
  /// - Parameter since: by type, since when the ledger has had this number.
  /// - Throws: as `store` of a batch.
  func store(
    _ revision: DailyRevision, _ id: RevisionID, since: [String: PreciseMoment]
  ) async throws(LedgerError)
}

/// Whether the tables can be used.
package enum TablesState: String, Hashable, Sendable {
  case ok
  /// Nothing answers, or nothing can be written.
  case unreachable
  /// The database is there, and has no tables of this program, or not all.
  case missing
}

/// What the rows of a posted batch go by.
package struct RecordReceipt: Hashable, Sendable {
  /// When it was received first.
  package let receivedAt: PreciseMoment
  /// 64 lower-case hex digits.
  package let batchID: String

  package init(receivedAt: PreciseMoment, batchID: String) {
    (self.receivedAt, self.batchID) = (receivedAt, batchID)
  }
}

extension StoredRevision {
  /// When its numbers were known at the latest (R56). A derived day is made some time after its samples
  /// were received: what was posted in between is newer.
  fileprivate var knownAt: PreciseMoment { Self.knownAt(revision, id) }

  fileprivate static func knownAt(_ revision: DailyRevision, _ id: RevisionID) -> PreciseMoment {
    let made = PreciseMoment(id.timestamp)
    let said = revision.allWords.all.lazy.filter { $0.source == .streams }.map(\.capturedAt)
    guard revision.isDerived, let captured = said.max() else { return made }
    // `captured_at` has no fraction of a second.
    return min(made, PreciseMoment(captured).adding(microseconds: 999_999))
  }
}

extension HealthLedger {
  /// Since when the ledger has had the numbers of a day's newest revision, by type (R56). Where another
  /// number was posted before that revision, this is the time of the first of the successive
  /// revisions with the ledger's number.
  ///
  /// A revision repeats its whole day, also numbers that are older than what was posted in between.
  /// Revisions are read back only until it is known which of the two came first.
  ///
  /// - Parameter posted: the posted numbers, by the ids of their rows.
  package func sameNumberSince(
    _ latest: StoredRevision, beside posted: [String: PostedNumber]
  ) async throws(LedgerError) -> [String: PreciseMoment] {
    func numbers(_ revision: DailyRevision) -> [String: Double] {
      MetricRecord.records(of: revision).reduce(into: [:]) { $0[$1.type] = $1.value }
    }
    let (date, said) = (latest.revision.date, numbers(latest.revision))
    var since = said.mapValues { _ in latest.knownAt }
    var asked: [String: PreciseMoment] = [:]
    for (type, number) in said {
      guard let other = posted[MetricRecord.id(date, type)], other.number != number,
        other.receivedAt < latest.knownAt
      else { continue }
      asked[type] = other.receivedAt
    }
    if asked.isEmpty { return since }
    for id in try await history(date).reversed() where id < latest.id {
      guard let revision = try await self.revision(date, id).decoded.revision else { continue }
      let (before, knownAt) = (numbers(revision), StoredRevision.knownAt(revision, id))
      for (type, receivedAt) in asked {
        if before[type] == said[type] { since[type] = knownAt }
        if before[type] != said[type] || knownAt <= receivedAt { asked[type] = nil }
      }
      if asked.isEmpty { break }
    }
    return since
  }
}
