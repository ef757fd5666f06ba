package import ArgumentParser
package import HealthLedger
package import HealthModel

/// The dates that a command reads: one word for them, or `--from` and `--to`.
package struct SpanOptions: ParsableArguments {
  package init() {}

  @Argument(
    help: .init(
      "Which days: a date, today, yesterday, 2026-02, 2026, 30d, A..B, or all.",
      discussion: """
        30d and 4w are the last days that are over, and today where a command shows a day that is not \
        over. A.. and ..B are open: to the newest, and from the first day of the store.
        """,
      valueName: "dates"))
  package var dates: SpanArgument?

  // The card's spelling of `A..B`.
  @Option(
    help: .init(
      "First date: today, yesterday or YYYY-MM-DD.", valueName: "date", visibility: .hidden))
  package var from: DayArgument?

  @Option(
    help: .init(
      "Last date, inclusive. Alone, the range begins with the first day of the store.",
      valueName: "date", visibility: .hidden))
  package var to: DayArgument?

  package func validate() throws {
    if from == .all || to == .all {
      throw ValidationError("--from and --to take dates, not `all`")
    }
    if dates != nil, from != nil || to != nil {
      throw ValidationError("the dates are given twice: leave out --from and --to, or the argument")
    }
  }

  /// True if dates were given.
  package var isGiven: Bool { dates != nil || from != nil || to != nil }

  /// True if all that there is was asked for.
  package var isAll: Bool { dates == .all }

  /// The single day that was given by one word.
  package var day: DayArgument? { if case .day(let day)? = dates { day } else { nil } }

  /// How many days, if a number of days was given.
  package var count: Int? { if case .last(let count)? = dates { count } else { nil } }

  /// The requested dates, with each end that is known.
  ///
  /// - Parameter end: the last date where none is named: yesterday for commands that show no day that
  ///   is not over; nil for no limit.
  package func ends(
    _ settings: Settings, upTo end: CalendarDate?
  ) throws(LedgerError) -> (from: CalendarDate?, to: CalendarDate?) {
    let today = try settings.today
    var (from, to) = (from, to)
    switch dates {
    case .all: return (nil, nil)
    case .day(let day): (from, to) = (day, day)
    case .range(let first, let last): (from, to) = (first, last)
    case .period(let period):
      // As far as it has come, unless it has not begun.
      let newest = end ?? today
      return (
        period.lowerBound,
        newest < period.lowerBound ? period.upperBound : min(period.upperBound, newest)
      )
    case .last(let count):
      guard let first = today.adding(days: -count) else {
        throw LedgerError(
          .invalidArguments, "there are no \(count.grouped) days before \(today)", rule: "R1",
          remedy: "ask for fewer days")
      }
      return (first, end ?? today)
    case nil: break
    }
    let isSpan = dates != nil
    let first = try from?.date(today: today, orSpan: isSpan)
    // If the range begins today, no earlier end is meant.
    return (first, try to?.date(today: today, orSpan: isSpan) ?? (first == today ? today : end))
  }

  /// The requested dates; nil if none were given. Where only the end is given, the range begins with
  /// the first day that the store holds.
  ///
  /// - Parameters:
  /// - end: the last date where none is named.
  /// - maximumDays: the longest range. It does not apply to `30d` and `all`, which say how long they are.
  package func range(
    _ settings: Settings, upTo end: CalendarDate, maximumDays: Int
  ) async throws(LedgerError) -> DateRange? {
    guard isGiven else { return nil }
    let (first, newest) = try ends(settings, upTo: end)
    if let first, let newest {
      return try DateRange(from: first, to: newest, maximumDays: longest(maximumDays))
    }
    return try await OpenedStore(settings).run { ledger async throws(LedgerError) in
      try await range(of: ledger, from: first, to: newest, upTo: end, maximumDays: maximumDays)
    }
  }

  private func longest(_ maximumDays: Int) -> Int {
    count != nil || isAll ? DateRange.mostDays : maximumDays
  }

  /// A range whose ends are not all known, as what a store holds completes it.
  private func range(
    of ledger: HealthLedger, from first: CalendarDate?, to newest: CalendarDate?,
    upTo end: CalendarDate, maximumDays: Int
  ) async throws(LedgerError) -> DateRange {
    let held = try await ledger.heldDates(upTo: isAll ? nil : newest ?? end)
    return try DateRange(
      from: first ?? held.lowerBound, to: newest ?? (isAll ? held.upperBound : end),
      maximumDays: longest(maximumDays))
  }
}

extension SpanOptions {
  /// The requested dates of one person of many, or all that the person has, the oldest first, without
  /// a remark.
  ///
  /// - Parameters:
  ///   - end: the last date if `--to` is not given.
  ///   - reach: the last date to include at least if no dates are given.
  /// - Throws: `LedgerError` DATA_NOT_FOUND if there are none.
  package func ranges(
    of ledger: HealthLedger, _ settings: Settings, upTo end: CalendarDate,
    reaching reach: CalendarDate?, maximumDays: Int
  ) async throws(LedgerError) -> [DateRange] {
    guard isGiven, !isAll else {
      let pieces = try await ledger.holdings().pieces(upTo: reach, atMost: DateRange.mostDays)
      guard !pieces.isEmpty else { throw try await ledger.nothingHeld() }
      return try pieces.map { piece throws(LedgerError) in
        try DateRange(
          from: piece.lowerBound, to: piece.upperBound, maximumDays: DateRange.mostDays)
      }
    }
    let (first, newest) = try ends(settings, upTo: end)
    if let first, let newest {
      return [try DateRange(from: first, to: newest, maximumDays: longest(maximumDays))]
    }
    return [
      try await range(of: ledger, from: first, to: newest, upTo: end, maximumDays: maximumDays)
    ]
  }
}

/// `--timezone` of commands that show or take days.
package struct ZoneOption: ParsableArguments {
  package init() {}

  @Option(
    help: .init(
      "Time zone of the days, and of today. Default: the store's, or this machine's.",
      valueName: "iana-name"), completion: .timeZones)
  package var timezone: String?
}

/// `--concurrency` of commands that work on many days.
package struct ConcurrencyOption: ParsableArguments {
  package init() {}

  @Option(help: .init("How many days to work on at once.", valueName: "n"))
  package var concurrency = HealthLedger.defaultConcurrency

  package func validate() throws {
    if !(1...256).contains(concurrency) {
      throw ValidationError("--concurrency must be 1 to 256")
    }
  }
}

/// `--max-days`: the longest range that may be read (R33).
package struct MaxDaysOption: ParsableArguments {
  package init() {}

  @Option(help: .init("Most days that a range may have.", valueName: "n"))
  package var maxDays = DateRange.defaultMaximumDays

  package func validate() throws {
    if !(1...DateRange.mostDays).contains(maxDays) {
      throw ValidationError("--max-days must be 1 to \(DateRange.mostDays)")
    }
  }
}
