package import HealthModel
import ObjectStore

extension HealthLedger {
  /// Which days the store holds, found by listing (R34): one request per thousand objects, and one
  /// for each pointer that lies beside no revision.
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
    // A day's pointer is listed before its revisions.
    var alone: CalendarDate?
    func addIfLost(_ date: CalendarDate) async throws(LedgerError) {
      do throws(StoreError) {
        guard try await readPointer(date).revisionID != nil else { return }
      } catch {
        throw LedgerError(error)
      }
      holdings.add(date, revisions: 0)
    }
    try await list(from: from, to: to) { member, _ async throws(LedgerError) in
      if let date = alone, member.date != date {
        try await addIfLost(date)
        alone = nil
      }
      switch member {
      case .pointer(let date): alone = date
      case .revision: alone = nil
      case .foreign: break
      }
      holdings.add(member)
    } page: {
      progress(holdings.days)
      return true
    }
    if let alone { try await addIfLost(alone) }
    return holdings
  }

  /// The first day that has a revision or a pointer, found by listing no further than needed; nil if
  /// there is none.
  ///
  /// - Throws: as `holdings` does.
  package func firstHeld() async throws(LedgerError) -> CalendarDate? {
    var first: CalendarDate?
    try await list(from: nil, to: nil) { member, _ in
      first = first ?? member.date
    } page: {
      first == nil
    }
    return first
  }

  /// The months of which the store may hold a day, the oldest first, and what the listing shows of each:
  /// one request per thousand objects. A month of which it shows the same as before needs no reading
  /// (R34).
  ///
  /// - Throws: as `holdings` does.
  package func heldMonths(to: CalendarDate) async throws(LedgerError) -> [HeldMonth] {
    var months: [HeldMonth] = []
    try await list(from: nil, to: to) { member, entry async throws(LedgerError) in
      guard let date = member.date else { return }
      if months.last?.name != HeldMonth.name(of: date) { months.append(HeldMonth(date)) }
      months[months.count - 1].add(member, entry)
    }
    return months.filter { !$0.dates.isEmpty }
  }

  /// Lists the objects of the layout up to a date, in their order, while `goesOn` says so after a page.
  func list(
    from: CalendarDate?, to: CalendarDate?,
    each: (LedgerLayout.Member, ListEntry) async throws(LedgerError) -> Void,
    page goesOn: () -> Bool = { true }
  ) async throws(LedgerError) {
    var request = ListRequest(prefix: layout.dataPrefix, startAfter: from.map(layout.dayPrefix))
    while true {
      let page: ListPage
      do {
        page = try await list(request)
      } catch {
        throw LedgerError(error)
      }
      for entry in page.entries {
        guard let member = layout.member(entry.key) else { continue }
        let obstacle = obstacle(at: entry)
        if let to, let date = member.date ?? obstacle?.first, date > to { return }
        if let obstacle { throw LedgerError(obstacle.error) }
        try await each(member, entry)
      }
      guard goesOn(), let next = page.next else { return }
      request.continuation = next
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
