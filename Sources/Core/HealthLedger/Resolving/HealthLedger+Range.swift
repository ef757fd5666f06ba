package import HealthModel

extension HealthLedger {
  /// The number of concurrent requests of a range read or bulk publish, unless the caller sets
  /// another.
  public static let defaultConcurrency = 16

  /// The number of dates whose listing is held in memory at once.
  static let datesPerSurvey = 400

  /// Resolves every date of a range (R33) and delivers the results, oldest first.
  ///
  /// It works concurrently, in memory that does not grow with the range. If the store fails, it
  /// throws; what it has delivered by then is incomplete.
  ///
  /// ```swift
  /// func steps(of range: DateRange, in ledger: HealthLedger) async throws -> [Double?] {
  ///   var steps: [Double?] = []
  ///   try await ledger.resolve(range) { resolution in
  ///     // nil for a day without data: it is not 0.
  ///     steps.append(resolution.latest?.revision.readings[.steps]?.number)
  ///   }
  ///   return steps
  /// }
  /// ```
  public nonisolated(nonsending) func resolve(
    _ range: DateRange, concurrency: Int = defaultConcurrency,
    each: (Resolution) async throws(LedgerError) -> Void
  ) async throws(LedgerError) {
    try await map(range, concurrency: concurrency) { date, known async throws(LedgerError) in
      try await resolve(date, known: known)
    } deliver: { resolution async throws(LedgerError) in
      try await each(resolution)
    }
  }

  /// Resolves these dates, ascending and not necessarily next to one another, in their order.
  package nonisolated(nonsending) func resolve(
    _ dates: [CalendarDate], each: (Resolution) async throws(LedgerError) -> Void
  ) async throws(LedgerError) {
    for start in stride(from: 0, to: dates.count, by: Self.datesPerSurvey) {
      let piece = Array(dates[start..<min(start + Self.datesPerSurvey, dates.count)])
      try await map(
        piece, concurrency: Self.defaultConcurrency, withStrays: false
      ) { date, known async throws(LedgerError) in
        try await resolve(date, known: known)
      } deliver: { resolution async throws(LedgerError) in
        try await each(resolution)
      }
    }
  }

  /// Works on every date of a range concurrently, with what one listing has reported about it, and
  /// delivers the outputs in the order of the dates.
  nonisolated(nonsending) func map<Output: Sendable>(
    _ range: DateRange, concurrency: Int, withStrays: Bool = false,
    work: @escaping @Sendable (CalendarDate, DayKnowledge?) async throws(LedgerError) -> Output,
    deliver: (Output) async throws(LedgerError) -> Void
  ) async throws(LedgerError) {
    for dates in range.pieces(of: Self.datesPerSurvey) {
      try await map(
        dates, concurrency: concurrency, withStrays: withStrays, work: work, deliver: deliver)
    }
  }

  private nonisolated(nonsending) func map<Output: Sendable>(
    _ dates: [CalendarDate], concurrency: Int, withStrays: Bool,
    work: @escaping @Sendable (CalendarDate, DayKnowledge?) async throws(LedgerError) -> Output,
    deliver: (Output) async throws(LedgerError) -> Void
  ) async throws(LedgerError) {
    let known: [CalendarDate: DayKnowledge]
    do {
      known = try await survey(dates, withStrays: withStrays)
    } catch {
      throw LedgerError(error)
    }
    try await concurrentMap(dates, width: concurrency) { date async throws(LedgerError) in
      try await work(date, known[date])
    } deliver: { _, output async throws(LedgerError) in
      try await deliver(output)
    }
  }
}
