package import HealthModel
import ObjectStore

extension HealthLedger {
  /// Which days the store holds, by listing alone (R34): one request per thousand objects, in memory
  /// that grows with the gaps and not with the objects.
  ///
  /// - Parameters:
  ///   - from: the first date to look at; nil for the first there is.
  ///   - to: the last date to look at; nil for the last there is.
  ///   - progress: is given the number of days found so far, after each page.
  /// - Throws: `LedgerError` where a page could not be listed: what came before is not the whole.
  package func holdings(
    from: CalendarDate? = nil, to: CalendarDate? = nil, progress: (Int) -> Void = { _ in }
  ) async throws(LedgerError) -> Holdings {
    var holdings = Holdings()
    var request = ListRequest(prefix: layout.dataPrefix, startAfter: from.map(layout.dayPrefix))
    do throws(StoreError) {
      while true {
        let page = try await store.list(request)
        for entry in page.entries {
          guard let member = layout.member(entry.key) else { continue }
          if let to, let date = member.date, date > to { return holdings }
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
}
