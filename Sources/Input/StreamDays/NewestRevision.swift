import HealthCollector
import HealthLedger
import HealthModel
import ObjectStore

/// The newest readable revision of a day, as a deriver needs it (R49).
struct NewestRevision: Sendable {
  let id: RevisionID
  let revision: DailyRevision
  /// Whether a damaged one stands above it, which has to be replaced.
  var isObstructed = false

  /// Reads it, unless it is the one that is known; nil if the day has none.
  ///
  /// - Throws: if it is damaged, and no deriver made it: nothing is derived beside numbers of which one is
  ///   wrong (R60).
  static func read(
    _ ids: Set<RevisionID>, of date: CalendarDate, in ledger: HealthLedger,
    known: NewestRevision?
  ) async throws(LedgerError) -> NewestRevision? {
    var isObstructed = false
    for id in ids.sorted(by: >) {
      if let known, known.id == id {
        return NewestRevision(id: id, revision: known.revision, isObstructed: isObstructed)
      }
      guard let read = try await ledger.decodedRevision(date, id), let revision = read.revision
      else { continue }
      guard read.isDamaged else {
        return NewestRevision(id: id, revision: revision, isObstructed: isObstructed)
      }
      guard revision.isDerived else {
        throw .damaged(id, of: date, key: ledger.layout.revisionKey(date, id).rawValue)
      }
      isObstructed = true
    }
    return nil
  }

  /// Whether the streams have ever said a number of the day.
  var hasStreamNumber: Bool {
    revision.allWords.all.contains { $0.source == .streams && $0.hasNumber }
  }

  /// Whether the streams have ever said anything of it.
  var hasStreamWord: Bool { revision.allWords.all.contains { $0.source == .streams } }

  /// The zone that another source gave the day, because a person set it.
  var setZone: String? {
    let set = revision.allWords.filter { $0.source != .streams && $0.isZoneSet }
    return Fold(set).zone
  }
}

extension LedgerError {
  /// Deriving beside a damaged revision would give its wrong number a right digest (R49, R60).
  fileprivate static func damaged(
    _ id: RevisionID, of date: CalendarDate, key: String
  ) -> LedgerError {
    LedgerError(
      .storageUnavailable,
      "revision \(id) of \(date) is damaged or was changed: nothing is derived from it", key: key,
      rule: "R60", remedy: .publish(date))
  }
}
