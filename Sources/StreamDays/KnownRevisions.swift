import Foundation
import HealthCollector
import HealthLedger
import HealthModel
import ObjectStore

/// The revisions of a day that its derived figures depend on (R49).
struct KnownRevisions: Sendable {
  /// The newest readable one of all.
  private(set) var newest: DerivedFigures.Other?
  /// The newest readable one that was derived.
  private(set) var own: DerivedFigures.Other?
  /// The newest readable one of each other collector, newest first.
  private(set) var others: [DerivedFigures.Other] = []
  /// Whose each revision is that was read: an id names one content for ever.
  private var collectors: [RevisionID: UUID?] = [:]

  /// Reads those revisions that were not read before. All of them: only its content says whose a
  /// revision is.
  mutating func read(
    _ ids: Set<RevisionID>, of date: CalendarDate, in ledger: HealthLedger
  ) async throws(LedgerError) {
    let known = Dictionary(
      ([newest, own].compactMap(\.self) + others).map { ($0.id, $0) },
      uniquingKeysWith: { a, _ in a })
    var found = KnownRevisions()
    var seen: Set<UUID?> = []
    for id in ids.sorted(by: >) {
      let revision: DerivedFigures.Other
      if let collector = collectors[id] {
        found.collectors[id] = .some(collector)
        guard !seen.contains(collector) else { continue }
      }
      if let kept = known[id] {
        revision = kept
      } else if let read = try await ledger.readableRevision(date, id) {
        revision = DerivedFigures.Other(id: id, revision: read)
      } else {
        found.collectors[id] = nil
        continue
      }
      let collector = revision.revision.collector?.collectorID
      found.collectors[id] = .some(collector)
      if found.newest == nil { found.newest = revision }
      guard seen.insert(collector).inserted else { continue }
      if collector == Collector.derivation.collectorID {
        found.own = revision
      } else {
        found.others.append(revision)
      }
    }
    self = found
  }

  /// About how many bytes of memory it takes.
  var cost: Int { collectors.count * 96 + (others.count + 2) * 4096 }
}
