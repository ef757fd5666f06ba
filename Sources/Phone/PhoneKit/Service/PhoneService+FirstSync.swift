public import HealthCollector
import HealthModel
import Outbox

extension PhoneService {
  /// Does a piece of the first sync, of 30 s at most: the last seven days of HealthKit are queued and
  /// uploaded. A piece that was ended goes on with the next call, after a restart too.
  ///
  /// - Parameters:
  ///   - limit: when the piece ends.
  ///   - progress: called with the entries that are uploaded and those that were found.
  /// - Returns: whether all is uploaded, and what failed.
  public func firstSyncPiece(
    within limit: Duration = RunBudget.longestPiece,
    progress: @escaping @Sendable (_ uploaded: Int, _ found: Int) async -> Void = { _, _ in }
  ) async -> (isComplete: Bool, failure: String?) {
    do {
      if settings.collectsSince == nil {
        let since = environment.now().adding(seconds: -Self.firstSyncSeconds)
        try change { $0.collectsSince = since }
      }
    } catch {
      return (false, "\(error)")
    }
    // While the piece runs, the table says how far it is.
    let watch = Task {
      while !Task.isCancelled {
        if let status = try? self.status() {
          await progress(status.uploadStats.uploaded, status.uploadStats.total)
        }
        try await Task.sleep(for: .milliseconds(200))
      }
    }
    let report = await alone { await self.piece("first", [.collect, .sync], limit) }
    watch.cancel()
    do {
      guard let status = try status() else { return (false, "no receiver was verified") }
      await progress(status.uploadStats.uploaded, status.uploadStats.total)
      let failure = report.failures.first.map { "\($0.code): \($0.message)" }
      let isDone = report.isComplete && status.uploadStats.pending + status.uploadStats.failed == 0
      return (isDone, failure ?? report.messages.first)
    } catch {
      return (false, "\(error)")
    }
  }
}
