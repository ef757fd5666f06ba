import HealthModel

extension HealthLedger {
  /// Verifies every date of a range (R35) and delivers a verdict for each, oldest first.
  ///
  /// Reads only. A day on which something is amiss is resolved a second time, request by request,
  /// before it is reported, so that a publish in flight during the first look is no finding.
  /// - Throws: `LedgerError` where the store failed: the verdicts delivered until then are not the
  ///   whole range.
  public func verify(
    _ range: DateRange, concurrency: Int = defaultConcurrency,
    each: (DayVerdict) async throws(LedgerError) -> Void
  ) async throws(LedgerError) {
    try await map(range, concurrency: concurrency) { date, known async throws(LedgerError) in
      try await verify(date, known: known)
    } deliver: { verdict async throws(LedgerError) in
      try await each(verdict)
    }
  }

  func verify(
    _ date: CalendarDate, known: DayKnowledge?
  ) async throws(LedgerError) -> DayVerdict {
    let known = if let known { known } else { try await surveyAlone(date) }
    let foreignKeys = known?.foreignKeys ?? []
    let first = DayVerdict(
      try await resolve(date, known: known), foreignKeys: foreignKeys, layout: layout)
    guard first.mayBeInFlight else { return first }
    return DayVerdict(try await resolve(date), foreignKeys: foreignKeys, layout: layout)
  }

  /// The listing of one day, for a range with too many objects to be listed as a whole.
  private func surveyAlone(_ date: CalendarDate) async throws(LedgerError) -> DayKnowledge? {
    do {
      return try await survey([date])[date]
    } catch {
      throw LedgerError(error)
    }
  }
}
