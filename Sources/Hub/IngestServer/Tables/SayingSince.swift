package import HealthExports
package import HealthLedger
package import HealthModel

extension StoredRevision {
  /// When what it says was known at the latest (R56). A day that is derived is made some time after what
  /// it is made of was received: what was posted meanwhile is newer.
  fileprivate var knownAt: PreciseMoment {
    Self.knownAt(revision, id)
  }

  fileprivate static func knownAt(_ revision: DailyRevision, _ id: RevisionID) -> PreciseMoment {
    let made = PreciseMoment(id.timestamp)
    guard revision.isDerived, let captured = revision.capturedAt else { return made }
    // The fraction of its second is not known.
    return min(made, PreciseMoment(captured).adding(microseconds: 999_999))
  }
}

extension HealthLedger {
  /// Since when the ledger says the numbers of a day's newest revision, by type (R56): where something
  /// else was posted before it, since the first of the revisions that say the number one after the
  /// other.
  ///
  /// A revision says its whole day again, also numbers that are older than what was posted meanwhile.
  /// Revisions are read only as far back as it takes to know which of the two came first.
  ///
  /// - Parameter posted: by the ids of their rows.
  package func sayingSince(
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
