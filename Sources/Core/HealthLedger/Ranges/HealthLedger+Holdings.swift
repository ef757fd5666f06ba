package import HealthModel
import ObjectStore

extension HealthLedger {
  /// Which days the store holds, found by listing only (R34): one request per thousand objects.
  /// Memory grows with the number of gaps, not of objects. If something may hide a day, it fails as
  /// a read of that day does, because it can't say which days there are (R29).
  ///
  /// - Parameters:
  /// - from: the first date to look at; nil for the first in the store.
  /// - to: the last date to look at; nil for the last in the store.
  /// - progress: called after each page with the number of days found so far.
  /// - Throws: `LedgerError` if a page could not be listed; the days found before are incomplete.
  package func holdings(
    from: CalendarDate? = nil, to: CalendarDate? = nil, progress: (Int) -> Void = { _ in }
  ) async throws(LedgerError) -> Holdings {
    var holdings = Holdings()
    var request = ListRequest(prefix: layout.dataPrefix, startAfter: from.map(layout.dayPrefix))
    do throws(StoreError) {
      while true {
        let page = try await list(request)
        for entry in page.entries {
          guard let member = layout.member(entry.key) else { continue }
          let obstacle = obstacle(at: entry)
          if let to, let date = member.date ?? obstacle?.first, date > to { return holdings }
          if let obstacle { throw obstacle.error }
          holdings.add(member)
        }
        progress(holdings.days)
        guard let next = page.next else { return holdings }
        request.continuation = next
      }
    } catch {
      throw LedgerError(error)
    }
  }

  /// Why it is not known which days are held from a first date on; nil if the entry hides none.
  private func obstacle(
    at entry: ListEntry
  ) -> (error: StoreError, first: CalendarDate)? {
    guard let error = entry.obstacle, let first = layout.firstDate(hiddenAt: entry.key)
    else { return nil }
    // A revision that is not downloaded yet is a revision all the same: only its name is needed.
    if error.isRetryable, case .revision = layout.member(entry.key) { return nil }
    return (error, first)
  }
}
