import CommandLineKit
import HealthLedger
import HealthModel
import HealthSources

/// An export that was made after the one that is imported, and imported before it.
///
/// What it repeated of a day was not stored again (R20). So where the older one says otherwise, the day shows
/// the older one, and the person must know.
struct NewerExport {
  let made: Timestamp

  /// The days of which the newest are looked at: an export is the last to speak of those before it was made.
  private static let daysRead = 14

  /// Looks for what the same source has said since an export was made; nil if it has said nothing.
  static func find(
    _ source: DataSource, since made: Timestamp, in opened: OpenedStore, _ zones: ReportingZones
  ) async throws(LedgerError) -> NewerExport? {
    guard let first = try? zones.date(at: made) else { return nil }
    return try await opened.run { ledger async throws(LedgerError) in
      let runs = try await ledger.holdings(from: first, to: nil).runs
      let dates = runs.flatMap { run in
        sequence(first: run.first) { $0.adding(days: 1) }.prefix { $0 <= run.last }
      }
      for date in dates.suffix(daysRead).reversed() {
        let words = try await ledger.resolve(date).latest?.revision.allWords.all
        let later = words?.lazy.filter { $0.source == source && $0.capturedAt > made }
        if let last = later?.map(\.capturedAt).max() { return NewerExport(made: last) }
      }
      return nil
    }
  }

  /// For people.
  func words(changing days: Int) -> String {
    "\(days.counted("day")) changed, although a newer export of this source was imported before (made "
      + "\(made)). What that one only repeated was not stored again, so there this older one counts; to have "
      + "the newer numbers, import that one again"
  }
}
