public import HealthCollector
import HealthModel
import Outbox

extension PhoneService {
  /// Does a piece of the first sync, of 30 s at most: the last seven days of HealthKit are queued and
  /// uploaded; or made into days and pushed, where there are Pushgateways only. A piece that was ended goes on with the next call, after a restart too.
  ///
  /// - Parameters:
  ///   - limit: when the piece ends.
  ///   - progress: called with the entries that are uploaded and those that were found.
  /// - Returns: whether all is uploaded, and what failed.
  public func firstSyncPiece(
    within limit: Duration = RunBudget.longestPiece,
    progress: @escaping @Sendable (_ uploaded: Int, _ found: Int) async -> Void = { _, _ in }
  ) async -> (isComplete: Bool, failure: String?) {
    guard settings.hasQueue || settings.receiver == nil else {
      let report = await alone { await self.piece("first", [.recompute, .push], limit) }
      return (report.isComplete && report.messages.isEmpty, report.messages.first)
    }
    do {
      if settings.collectsSince == nil {
        let since = environment.now().adding(seconds: -Self.firstSyncSeconds)
        try change { $0.collectsSince = since }
      }
      // A person who taps "Try again" does not want to wait, and wants to retry what was given up.
      try outbox().retry()
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
      // Entries that the receiver will never accept must not keep the app from starting. They stay in the
      // list of failed entries on the sync screen.
      let failures = report.failures.filter { $0.kind != .refused && $0.kind != .tooLarge }
      let isDone = report.isComplete && status.uploadStats.pending == 0 && failures.isEmpty
      let failure = failures.first.map { "\($0.code): \($0.message)" } ?? report.messages.first
      return (isDone && report.messages.isEmpty, failure)
    } catch {
      return (false, "\(error)")
    }
  }
}
