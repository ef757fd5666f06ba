public import HealthModel
import ObjectStore

/// The state of a day at a moment (R36).
public struct HistoricalResolution: Hashable, Sendable {
  /// The date asked for.
  public let date: CalendarDate
  /// The moment asked for.
  public let asOf: Timestamp
  /// The greatest readable revision whose id is not later than the moment; nil if there is none.
  public let revision: StoredRevision?
  /// Revisions up to that moment that were skipped because they are not readable, newest first.
  public let rejected: [RejectedRevision]
  /// Ids of the day's revisions that are later than the moment, oldest first.
  public let later: [RevisionID]
}

extension HealthLedger {
  /// Finds the greatest readable revision of a date whose id is not later than a moment (R36), with
  /// one listing and usually one read.
  ///
  /// - Throws: `LedgerError` if the store failed. A day without such a revision is not an error.
  public func resolve(
    _ date: CalendarDate, asOf moment: Timestamp
  ) async throws(LedgerError) -> HistoricalResolution {
    let listed = try await listedHistory(date)
    let known = DayKnowledge(listed: listed.filter { $0.id.timestamp <= moment })
    let resolution = try await resolve(date, known: known)
    return HistoricalResolution(
      date: date, asOf: moment, revision: resolution.latest, rejected: resolution.rejected,
      later: listed.map(\.id).filter { $0.timestamp > moment })
  }

  /// Finds the greatest readable revision of a date below an id (R37). Ignores the pointer.
  ///
  /// - Throws: `LedgerError` if the store failed. A day without such a revision is not an error.
  public func resolve(
    _ date: CalendarDate, before id: RevisionID
  ) async throws(LedgerError) -> Resolution {
    let listed = try await listedHistory(date).filter { $0.id < id }
    return try await resolve(date, known: DayKnowledge(listed: listed))
  }
}
