public import HealthModel

/// The two newest readable revisions of a day, which R37 compares if no ids are given.
public struct NewestPair: Hashable, Sendable {
  /// The date asked for.
  public let date: CalendarDate
  /// The newest readable revision (R30); nil if the day has none.
  public let new: StoredRevision?
  /// The greatest readable revision below `new`; nil if there is none.
  public let old: StoredRevision?
  /// Revisions that were skipped because they are not readable, newest first.
  public let rejected: [RejectedRevision]

  /// Both revisions.
  ///
  /// - Throws: `LedgerError` DATA_NOT_FOUND if the day has fewer than two readable revisions.
  public func both() throws(LedgerError) -> (old: StoredRevision, new: StoredRevision) {
    guard let new else {
      throw LedgerError(
        .dataNotFound, "\(date) has no readable revision", rule: "R37",
        remedy: .listRevisions(of: date))
    }
    guard let old else {
      throw LedgerError(
        .dataNotFound,
        "\(date) has only one readable revision, \(new.id): there is nothing to compare it with",
        rule: "R37", remedy: .listRevisions(of: date))
    }
    return (old, new)
  }
}

extension HealthLedger {
  /// Finds the two newest readable revisions of a day (R37).
  ///
  /// Ids are compared as a whole. So of two revisions made in the same second, the one with the
  /// greater suffix is the newer. Revisions that are not readable are skipped and reported in
  /// `rejected`.
  ///
  /// - Throws: `LedgerError` if the store failed. A day with one revision or none is not an error.
  public func newestPair(_ date: CalendarDate) async throws(LedgerError) -> NewestPair {
    let newest = try await resolve(date)
    guard let new = newest.latest else {
      return NewestPair(date: date, new: nil, old: nil, rejected: newest.rejected)
    }
    let earlier = try await resolve(date, before: new.id)
    return NewestPair(
      date: date, new: new, old: earlier.latest, rejected: newest.rejected + earlier.rejected)
  }
}
