import Foundation
import HealthCollector
import HealthLedger
import HealthModel
import ObjectStore

/// The revisions of a day that its derived figures depend on (R49).
struct KnownRevisions {
  /// The newest readable one of all.
  private(set) var newest: DerivedFigures.Other?
  /// The newest readable one that was derived.
  private(set) var own: DerivedFigures.Other?
  /// The newest readable one of each other collector, newest first.
  private(set) var others: [DerivedFigures.Other] = []

  /// Reads revisions, newest first. All of them: only its content says whose a revision is.
  init(
    _ ids: Set<RevisionID>, of date: CalendarDate, in ledger: HealthLedger
  ) async throws(LedgerError) {
    var seen: Set<UUID?> = []
    for id in ids.sorted(by: >) {
      guard let revision = try await ledger.readableRevision(date, id) else { continue }
      let found = DerivedFigures.Other(id: id, revision: revision)
      if newest == nil { newest = found }
      let collector = revision.collector?.collectorID
      if collector == Collector.derivation.collectorID {
        if own == nil { own = found }
      } else if seen.insert(collector).inserted {
        others.append(found)
      }
    }
  }
}
