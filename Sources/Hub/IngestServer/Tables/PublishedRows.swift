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
      let result = await TimeLimit.run(Self.seconds) { [self] in await write(date) }
      if try (result ?? .failure(Self.late)).get() {
        let line = "day \(date) is damaged in the store: a number in its rows may be wrong"
        report(Report(isStored: true, waiting: state.withLock(\.waiting.count), line: line))
      }
    } catch {
      note(date, error)
      throw error
    }
    note(date, nil)
  }

  /// `store` as what follows a recompute.
  package var storing: @Sendable (CalendarDate) async throws(LedgerError) -> Void {
    { (date) async throws(LedgerError) in try await self.store(date) }
  }

  /// Returns whether the revision is damaged (R60).
  private func write(_ date: CalendarDate) async -> Result<Bool, LedgerError> {
    do throws(LedgerError) {
      guard let latest = try await ledger.resolve(date).latest else { return .success(false) }
      do {
        let since = try await ledger.sameNumberSince(latest, beside: tables.posted(on: date))
        try await tables.store(latest.revision, latest.id, since: since)
      } catch {
        let error =
          error as? LedgerError ?? LedgerError(.storageUnavailable, "\(error)", rule: "R56")
        state.withLock { $0.failure = (error, .now + Self.pause) }
        throw error
      }
      return .success(latest.isDamaged)
    } catch {
      return .failure(error)
    }
  }

  private static var late: LedgerError {
    LedgerError(
      .storageUnavailable, "its rows were not written within \(seconds) seconds", rule: "R56")
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
