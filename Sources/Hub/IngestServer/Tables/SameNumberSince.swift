package import HealthExports
package import HealthLedger
package import HealthModel

extension StoredRevision {
  /// When its numbers were known at the latest (R56). A derived day is made some time after its samples
  /// were received: what was posted in between is newer.
  fileprivate var knownAt: PreciseMoment {
    Self.knownAt(revision, id)
  }

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
