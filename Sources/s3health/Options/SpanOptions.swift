import ArgumentParser
import HealthLedger
import HealthModel

/// `--from`, `--to` and `--last`: the dates that a command reads.
struct SpanOptions: ParsableArguments {
  @Option(help: .init("First date: today, yesterday or YYYY-MM-DD.", valueName: "date"))
  var from: DayArgument?

  @Option(help: .init("Last date, inclusive.", valueName: "date"))
  var to: DayArgument?

  @Option(help: .init("The last days up to --to, such as 30d or 4w.", valueName: "days"))
  var last: DayCountArgument?

  func validate() throws {
    if from == .all || to == .all {
      throw ValidationError("--from and --to take two dates, not `all`")
    }
    if from != nil, last != nil {
      throw ValidationError("--from and --last can't be used together")
    }
  }

  /// True where dates were asked for.
  var isGiven: Bool { from != nil || to != nil || last != nil }

  /// The dates asked for, each end where it is known.
  ///
  /// - Parameter end: the last date where `--to` does not say; nil for as far as there are days.
  func ends(
    _ settings: Settings, upTo end: CalendarDate?
  ) throws(LedgerError) -> (from: CalendarDate?, to: CalendarDate?) {
    let today = try settings.today
    let first = try from?.date(today: today)
    var to = try self.to?.date(today: today)
    guard let last else {
      // Asked for from today on, no date before it is meant.
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

  /// The dates asked for; nil where none were.
  ///
  /// - Parameters:
  ///   - end: the last date where `--to` does not say.
  ///   - maximumDays: the longest range; not of `--last`, which says itself how long it is.
  func range(
    _ settings: Settings, upTo end: CalendarDate, maximumDays: Int
  ) throws(LedgerError) -> DateRange? {
    guard isGiven else { return nil }
    let (first, newest) = try ends(settings, upTo: end)
    guard let first, let newest else {
      throw LedgerError(
        .invalidArguments, "--to alone does not say where the dates begin",
        remedy: "add --from DATE, or --last 30d")
    }
    return try DateRange(
      from: first, to: newest, maximumDays: last == nil ? maximumDays : DateRange.mostDays)
  }
}

/// `--max-days`: the longest range that may be read (R33).
struct MaxDaysOption: ParsableArguments {
  @Option(help: .init("Longest range of --from and --to allowed.", valueName: "n"))
  var maxDays = DateRange.defaultMaximumDays

  func validate() throws {
    if !(1...DateRange.mostDays).contains(maxDays) {
      throw ValidationError("--max-days must be 1 to \(DateRange.mostDays)")
    }
  }
}

extension HealthLedger {
  /// From the first to the last day that the store holds.
  ///
  /// - Throws: `LedgerError` DATA_NOT_FOUND where it holds none.
  func heldDates() async throws(LedgerError) -> ClosedRange<CalendarDate> {
    guard let extent = try await holdings().extent else {
      throw LedgerError(
        .dataNotFound, "the store holds no days yet", key: layout.dataPrefix,
        remedy: "publish some: s3health put --input FILE, or s3health import export.zip")
    }
    return extent
  }
}
