import HealthModel

extension HealthLedger {
  /// What became of one day of a bulk publish.
  public enum DayResult: Sendable {
    case done(PublishOutcome)
    case failed(LedgerError)
    /// Not tried, because an earlier day's failure would meet this one too.
    case notAttempted
  }

  /// Publishes many days concurrently and delivers each result in the drafts' order.
  ///
  /// One listing replaces the survey of each day. A day that fails does not stop the others, except
  /// that after a failure of the store itself no further day is begun. A date given twice is
  /// published in the drafts' order.
  public func publish(
    _ drafts: [DayDraft], concurrency: Int = defaultConcurrency,
    each: (DayDraft, DayResult) async throws(LedgerError) -> Void
  ) async throws(LedgerError) {
    let gate = StoreFailureGate()
    for piece in piecesOfDistinctDates(drafts) {
      let known: [CalendarDate: DayKnowledge]
      do {
        known = piece.count > 1 ? try await survey(datesBetween(piece)) : [:]
      } catch {
        throw LedgerError(error)
      }
      try await concurrentMap(piece, width: concurrency) { draft async throws(LedgerError) in
        await gate.run { () async throws(LedgerError) in
          try await publish(draft, known: known[draft.day.date])
        }
      } deliver: { draft, result async throws(LedgerError) in
        try await each(draft, result)
      }
    }
  }

  /// Consecutive drafts in pieces whose dates are distinct and lie within one survey's reach.
  private func piecesOfDistinctDates(_ drafts: [DayDraft]) -> [[DayDraft]] {
    var pieces: [[DayDraft]] = []
    var dates: ClosedRange<CalendarDate>?
    var seen: Set<CalendarDate> = []
    for draft in drafts {
      let date = draft.day.date
      let reach = dates.map { min($0.lowerBound, date)...max($0.upperBound, date) } ?? date...date
      let isNear = reach.lowerBound.days(until: reach.upperBound) < Self.datesPerSurvey
      if isNear, seen.insert(date).inserted, !pieces.isEmpty {
        pieces[pieces.count - 1].append(draft)
        dates = reach
      } else {
        pieces.append([draft])
        seen = [date]
        dates = date...date
      }
    }
    return pieces
  }

  private func datesBetween(_ drafts: [DayDraft]) -> [CalendarDate] {
    let dates = drafts.map(\.day.date)
    guard let first = dates.min(), let last = dates.max() else { return [] }
    return (first.daysSince1970...last.daysSince1970).compactMap {
      CalendarDate(daysSince1970: $0)
    }
  }
}

/// Closes for good at the first failure that lies in the store and not in a day.
private actor StoreFailureGate {
  private var isClosed = false

  nonisolated func run(
    _ publish: @Sendable () async throws(LedgerError) -> PublishOutcome
  ) async -> HealthLedger.DayResult {
    guard await !isClosed else { return .notAttempted }
    do throws(LedgerError) {
      return .done(try await publish())
    } catch {
      if error.code == .storageUnavailable || error.code == .notAuthorized { await close() }
      return .failed(error)
    }
  }

  private func close() { isClosed = true }
}
