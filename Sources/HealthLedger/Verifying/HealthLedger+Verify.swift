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
      let foreignKeys = known?.foreignKeys ?? []
      let first = try await resolve(date, known: known)
      let verdict = DayVerdict(first, foreignKeys: foreignKeys, layout: layout)
      guard verdict.status == .faulty || verdict.status == .invalid else { return verdict }
      return DayVerdict(try await resolve(date), foreignKeys: foreignKeys, layout: layout)
    } deliver: { verdict async throws(LedgerError) in
      try await each(verdict)
    }
  }
}
