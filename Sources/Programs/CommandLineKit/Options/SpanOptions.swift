package import ArgumentParser
package import HealthLedger
package import HealthModel

/// `--from`, `--to` and `--last`: the dates that a command reads.
package struct SpanOptions: ParsableArguments {
  package init() {}

  @Option(help: .init("First date: today, yesterday or YYYY-MM-DD.", valueName: "date"))
  package var from: DayArgument?

  @Option(
    help: .init(
      "Last date, inclusive. Alone, the range begins with the first day of the store.",
      valueName: "date"))
  package var to: DayArgument?

  @Option(help: .init("Number of days up to --to, such as 30d or 4w.", valueName: "days"))
  package var last: DayCountArgument?

  package func validate() throws {
    if from == .all || to == .all {
      throw ValidationError("--from and --to take dates, not `all`")
    }
    if from != nil, last != nil {
      throw ValidationError("--from and --last can't be used together")
    }
  }

  /// These options with the dates of an argument, one date as the first and the last.
  package func with(_ argument: SpanArgument?) -> SpanOptions {
    var asked = self
    switch argument {
    case .day(let day): (asked.from, asked.to) = (day, day)
    case .last(let count): asked.last = count
    case .range(let first, let end): (asked.from, asked.to) = (first, end)
    case nil: break
    }
    return asked
  }

  /// True if dates were given.
  package var isGiven: Bool { from != nil || to != nil || last != nil }

  /// The requested dates, with each end that is known.
  ///
  /// - Parameter end: the last date if `--to` is not given; nil for no limit.
  package func ends(
    _ settings: Settings, upTo end: CalendarDate?
  ) throws(LedgerError) -> (from: CalendarDate?, to: CalendarDate?) {
    let today = try settings.today
    let first = try from?.date(today: today)
    var to = try self.to?.date(today: today)
    guard let last else {
      // If the range begins today, no earlier end is meant.
      if to == nil { to = first == today ? today : end }
      return (first, to)
    }
    let newest = to ?? end ?? today
    guard let first = newest.adding(days: 1 - last.days) else {
      throw LedgerError(
        .invalidArguments, "there are no \(last.days.grouped) days before \(newest)", rule: "R1",
        remedy: "ask for fewer days")
    }
    return (first, newest)
  }

  /// The requested dates; nil if none were given. Where `--to` is given alone, the range begins with
  /// the first day that the store holds.
  ///
  /// - Parameters:
  /// - end: the last date if `--to` is not given.
  /// - maximumDays: the longest range. It does not apply to `--last`, which states its own length.
  package func range(
    _ settings: Settings, upTo end: CalendarDate, maximumDays: Int
  ) async throws(LedgerError) -> DateRange? {
    guard isGiven else { return nil }
    let (first, newest) = try ends(settings, upTo: end)
    let to = newest ?? end
    let from =
      if let first { first } else {
        try await OpenedStore(settings).run { ledger async throws(LedgerError) in
          try await ledger.heldDates(upTo: to).lowerBound
        }
      }
    return try DateRange(
      from: from, to: to, maximumDays: last == nil ? maximumDays : DateRange.mostDays)
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
    guard isGiven else {
      let pieces = try await ledger.holdings().pieces(upTo: reach, atMost: DateRange.mostDays)
      guard !pieces.isEmpty else { throw ledger.nothingHeld() }
      return try pieces.map { piece throws(LedgerError) in
        try DateRange(
          from: piece.lowerBound, to: piece.upperBound, maximumDays: DateRange.mostDays)
      }
    }
    let (first, newest) = try ends(settings, upTo: end)
    let to = newest ?? end
    let from = if let first { first } else { try await ledger.heldDates(upTo: to).lowerBound }
    return [
      try DateRange(
        from: from, to: to, maximumDays: last == nil ? maximumDays : DateRange.mostDays)
    ]
  }
}

/// `--max-days`: the longest range that may be read (R33).
package struct MaxDaysOption: ParsableArguments {
  package init() {}

  @Option(help: .init("Most days that --from and --to may span.", valueName: "n"))
  package var maxDays = DateRange.defaultMaximumDays

  package func validate() throws {
    if !(1...DateRange.mostDays).contains(maxDays) {
      throw ValidationError("--max-days must be 1 to \(DateRange.mostDays)")
    }
  }
}
