package import HealthExports
package import HealthLedger
package import HealthModel

extension HealthLedger {
  /// Since when the ledger says what a day's newest revision says of metrics of which something else
  /// was posted before it (R56): by type, the first of the revisions that say it one after the other.
  ///
  /// A revision says its whole day again, also numbers that are older than what was posted meanwhile.
  /// Revisions are read only as far back as it takes to know which of the two came first.
  ///
  /// - Parameter posted: by the ids of their rows.
  package func sayingSince(
    _ latest: StoredRevision, beside posted: [String: PostedNumber]
  ) async throws(LedgerError) -> [String: RevisionID] {
    func numbers(_ revision: DailyRevision) -> [String: Double] {
      MetricRecord.records(of: revision).reduce(into: [:]) { $0[$1.type] = $1.value }
    }
    let (date, said) = (latest.revision.date, numbers(latest.revision))
    var asked: [String: PreciseMoment] = [:]
    for (type, number) in said {
      guard let other = posted[MetricRecord.id(date, type)], other.number != number,
        other.receivedAt < PreciseMoment(latest.id.timestamp)
      else { continue }
      asked[type] = other.receivedAt
    }
    var since: [String: RevisionID] = [:]
    if asked.isEmpty { return since }
    for id in try await history(date).reversed() where id < latest.id {
      guard let revision = try await self.revision(date, id).decoded.revision else { continue }
      let before = numbers(revision)
      for (type, receivedAt) in asked {
        if before[type] == said[type] { since[type] = id }
        if before[type] != said[type] || PreciseMoment(id.timestamp) <= receivedAt {
          asked[type] = nil
        }
      }
      if asked.isEmpty { break }
    }
    return since
  }
}
