package import ArgumentParser
package import HealthLedger
package import HealthModel

/// `--from` and `--to`: the card's spelling of `A..B`.
package struct EndOptions: ParsableArguments {
  package init() {}

  @Option(
    help: .init(
      "First date: today, yesterday or YYYY-MM-DD.", valueName: "date", visibility: .hidden))
  var from: String?

  @Option(
    help: .init(
      "Last date, inclusive. Alone, the range begins with the first day of the store.",
      valueName: "date", visibility: .hidden))
  var to: String?

  package func validate() throws {
    if [from, to].compactMap(\.self).contains(where: { ["all", ""].contains($0) }) {
      throw ValidationError("--from and --to take dates, not `all` or nothing")
    }
  }

  package var span: SpanArgument? {
    from == nil && to == nil ? nil : SpanArgument(from: from ?? "", to: to ?? "")
  }
}

/// `--date` of commands that publish days of an input.
package struct DateOptions: ParsableArguments {
  package init() {}

  @Option(
    help: .init(
      "Which days of the input: a date, today, yesterday, 2026-02, 2026, 30d, A..B, or all.",
      valueName: "dates"))
  var date: SpanArgument?

  @OptionGroup var written: EndOptions

  package func validate() throws {
    if date != nil, written.span != nil {
      throw ValidationError("--date and --from/--to can't be used together")
    }
  }

  private var span: SpanArgument? { date ?? written.span }

  package var isGiven: Bool { span != nil }

  /// The requested dates, with each end that is known; nil if none were asked for.
  package func ends(
    _ settings: Settings
  ) throws(LedgerError) -> (from: CalendarDate?, to: CalendarDate?)? {
    // Also checks the zone, so that a wrong one is not laid at the input's door.
    _ = try settings.today
    guard let (from, to) = try span?.ends(settings, upTo: nil) else { return nil }
    if let from, let to { _ = try DateRange(from: from, to: to, maximumDays: 10_000_000) }
    return (from, to)
  }
}

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

  @OptionGroup package var written: EndOptions

  package func validate() throws {
    if dates != nil, written.span != nil {
      throw ValidationError("the dates are given twice: leave out --from and --to, or the argument")
    }
  }

  private var span: SpanArgument? { dates ?? written.span }

  /// True if dates were given.
  package var isGiven: Bool { span != nil }

  /// True if all that there is was asked for.
  package var isAll: Bool { dates == .all }

  /// The single day that was given by one word.
  package var day: DayArgument? { if case .day(let day)? = dates { day } else { nil } }

  /// How many days, if a number of days was given.
  package var count: Int? { if case .last(let count)? = dates { count } else { nil } }

  /// The requested dates, with each end that is known.
  package func ends(
    _ settings: Settings, upTo end: CalendarDate?
  ) throws(LedgerError) -> (from: CalendarDate?, to: CalendarDate?) {
    try span?.ends(settings, upTo: end) ?? (nil, end)
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
