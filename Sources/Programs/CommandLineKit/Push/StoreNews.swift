import HealthLedger
import HealthModel

/// Reports when somebody has published today or yesterday: the watch, the hub, or a collector of another
/// machine (R57).
package struct StoreNews: Sendable {
  /// The newest revisions; nil if they can't be read now, which the next push reports.
  let newest: @Sendable () async -> [RevisionID]?
  /// Returns once there is news since then, or the task is cancelled.
  let wait: @Sendable (_ known: [RevisionID]?) async -> Void

  /// Never any news.
  static let none = StoreNews(waiting: { try? await Task.sleep(for: .seconds(3600)) })

  /// News that somebody else waits for.
  package init(waiting wait: @escaping @Sendable () async -> Void) {
    (newest, self.wait) = ({ nil }, { _ in await wait() })
  }

  /// News that the store has.
  package init(_ reader: PushReader) {
    let opened = reader.opened
    let newest: @Sendable () async -> [RevisionID]? = {
      do {
        let today = try reader.settings.zone.date(at: reader.now())
        let range = try DateRange(from: today.adding(days: -1) ?? today, to: today)
        return try await opened.run { ledger async throws(LedgerError) in
          var found: [RevisionID] = []
          try await ledger.resolve(range) { resolution async throws(LedgerError) in
            if let latest = resolution.latest { found.append(latest.id) }
          }
          return found
        }
      } catch {
        return nil
      }
    }
    let pause: Duration =
      opened.hasPricedRequests
      ? .seconds(30) : opened.backend == .folder ? .seconds(2) : .seconds(10)
    self.newest = newest
    wait = { known in
      var known = known
      while !Task.isCancelled {
        try? await Task.sleep(for: pause)
        guard let found = await newest() else { continue }
        if let known, known != found { return }
        known = found
      }
    }
  }
}
