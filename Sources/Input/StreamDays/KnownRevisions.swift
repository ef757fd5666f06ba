import Foundation
import HealthCollector
import HealthLedger
import HealthModel
import ObjectStore

/// The revisions of a day that its derived figures depend on (R49).
struct KnownRevisions: Sendable {
  /// The newest readable one of all; nil if it is damaged.
  private(set) var newest: DerivedFigures.Other?
  /// The newest readable one that was derived.
  private(set) var own: DerivedFigures.Other?
  /// The last words of each other collector, newest first.
  private(set) var others: [DerivedFigures.Other] = []
  /// Whose word each revision is that was read, and on what: an id names one content for ever.
  private var origins: [RevisionID: Origin] = [:]

  fileprivate struct Origin: Sendable {
    let collector: UUID?
    let covers: MetricCoverage
  }

  /// Reads those revisions that were not read before. All of them: only its content says whose a
  /// revision is.
  mutating func read(
    _ ids: Set<RevisionID>, of date: CalendarDate, in ledger: HealthLedger
  ) async throws(LedgerError) {
    let known = Dictionary(
      ([newest, own].compactMap(\.self) + others).map { ($0.id, $0) },
      uniquingKeysWith: { a, _ in a })
    var found = KnownRevisions()
    var said: [UUID?: Set<DailyMetric>] = [:]
    var isNewest = true
    for id in ids.sorted(by: >) {
      var isDamaged = false
      if let origin = origins[id] {
        found.origins[id] = origin
        guard isNewest || !origin.words(beyond: said[origin.collector]).isEmpty else { continue }
      }
      let revision: DailyRevision
      if let kept = known[id] {
        revision = kept.revision
      } else if let read = try await ledger.decodedRevision(date, id), let known = read.revision {
        (revision, isDamaged) = (known, read.isDamaged)
      } else {
        continue
      }
      let origin = Origin(collector: revision.collector?.collectorID, covers: revision.covers)
      found.origins[id] = origin
      let words = origin.words(beyond: said[origin.collector])
      let isOwn = origin.collector == Collector.derivation.collectorID
      defer { isNewest = false }
      if isDamaged {
        // What was derived can be derived again, and what its collector has replaced does not count.
        if isOwn || words.isEmpty { continue }
        throw .damaged(id, of: date, key: ledger.layout.revisionKey(date, id).rawValue)
      }
      let other = DerivedFigures.Other(id: id, revision: revision, words: words)
      if isNewest { found.newest = other }
      guard !words.isEmpty else { continue }
      said[origin.collector, default: []].formUnion(words)
      if isOwn {
        found.own = other
      } else {
        found.others.append(other)
      }
    }
    self = found
  }

  /// About how many bytes of memory it takes.
  var cost: Int { origins.count * 96 + (others.count + 2) * 4096 }
}

extension KnownRevisions.Origin {
  /// The metrics on which nothing newer of the collector says anything.
  fileprivate func words(beyond said: Set<DailyMetric>?) -> Set<DailyMetric> {
    said.map(covers.metrics.subtracting) ?? covers.metrics
  }
}

extension LedgerError {
  /// Deriving from a damaged revision would give its wrong number a right digest (R49, R60).
  fileprivate static func damaged(
    _ id: RevisionID, of date: CalendarDate, key: String
  ) -> LedgerError {
    LedgerError(
      .storageUnavailable,
      "revision \(id) of \(date) is damaged or was changed: nothing is derived from it", key: key,
      rule: "R60", remedy: .publish(date))
  }
}
