import CommandLineKit
import HealthLedger
import HealthModel

/// Tells when somebody has published today or yesterday: the watch, the hub, or a collector of another
/// machine (R57).
struct StoreNews: Sendable {
  /// The newest revisions; nil if they can't be read now, which the next push reports.
  let newest: @Sendable () async -> [RevisionID]?
  /// How often they are looked at.
  private let interval: Duration

  /// Never any news.
  static let none = StoreNews(newest: { nil }, interval: .seconds(3600))

  private init(newest: @escaping @Sendable () async -> [RevisionID]?, interval: Duration) {
    (self.newest, self.interval) = (newest, interval)
  }

  init(_ reader: PushReader) {
    let opened = reader.opened
    self.init(
      newest: {
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
      }, interval: .seconds(opened.hasPricedRequests ? 30 : opened.backend == .folder ? 2 : 10))
  }

  /// Returns once the newest revisions are others, or the task is cancelled.
  func wait(after known: [RevisionID]?) async {
    var known = known
    while !Task.isCancelled {
      try? await Task.sleep(for: interval)
      guard let found = await newest() else { continue }
      if let known, known != found { return }
      known = found
    }
  }
}
