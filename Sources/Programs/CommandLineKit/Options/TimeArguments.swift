package import ArgumentParser
package import HealthLedger
package import HealthModel

/// A date on the command line.
package enum DayArgument: ExpressibleByArgument, Equatable {
  case today
  case yesterday
  case date(CalendarDate)
  /// Every day of the input; for `put` only.
  case all
  /// Not a date. It is refused when the command runs, like other invalid input, with its rule.
  case unreadable(String)

  package init(argument: String) {
    switch argument {
    case "today": self = .today
    case "yesterday": self = .yesterday
    case "all": self = .all
    default:
      self = CalendarDate(argument).map { .date($0) } ?? .unreadable(argument)
    }
  }

  /// Whether it names days, and is not any other text.
  var isReadable: Bool { if case .unreadable = self { false } else { true } }

  /// Whether it names one day.
  var isDay: Bool {
    switch self {
    case .today, .yesterday, .date: true
    case .all, .unreadable: false
    }
  }

  package static var defaultCompletionKind: CompletionKind { .list(["today", "yesterday"]) }

  package var defaultValueDescription: String {
    switch self {
    case .today: "today"
    case .yesterday: "yesterday"
    case .all: "all"
    case .date(let date): date.description
    case .unreadable(let text): text
    }
  }

  /// The date (R1), if the date in the reporting time zone is `today`; nil for `all`.
  ///
  /// - Parameter isSpan: whether several days may be meant, too.
  package func date(
    today: CalendarDate, orSpan isSpan: Bool = false
  ) throws(LedgerError) -> CalendarDate? {
    switch self {
    case .all: return nil
    case .date(let date): return date
    case .today: return today
    case .yesterday: return today.adding(days: -1)
    case .unreadable(let text):
      throw LedgerError(
        .invalidArguments, "\"\(text.prefix(40))\" is not a valid date (YYYY-MM-DD)", rule: "R1",
        remedy: .text(
          "use today, yesterday, or an existing date as YYYY-MM-DD"
            + (isSpan ? "; for several days 2026-02, 2026, 30d, A..B or all" : "")))
    }
  }
}

/// Which days, in one word, the same in every command: `2026-02-08`, `today`, `yesterday`, `2026-02`, `2026`,
/// `30d`, `4w`, `2026-02-01..2026-02-08`, `all`.
package enum SpanArgument: ExpressibleByArgument, Equatable {
  case day(DayArgument)
  /// So many days that are over, and today where a day that is not over is shown.
  case last(Int)
  /// A month or a year, as far as it has come.
  case period(ClosedRange<CalendarDate>)
  /// From one date to another; nil where none is written.
  case range(DayArgument?, DayArgument?)
  case all

  package init(argument: String) {
    if argument == "all" {
      self = .all
    } else if let dots = argument.firstRange(of: "..") {
      self.init(
        from: String(argument[..<dots.lowerBound]), to: String(argument[dots.upperBound...]))
    } else if let count = Self.count(argument) {
      self = .last(count)
    } else if let period = Self.period(argument) {
      self = .period(period)
    } else {
      self = .day(DayArgument(argument: argument))
    }
  }

  /// Whether it names days, and is not any other text.
  package var isReadable: Bool {
    switch self {
    case .day(let day): day.isReadable
    case .range(let from, let to): from?.isReadable ?? true && to?.isReadable ?? true
    case .last, .period, .all: true
    }
  }

  /// What stands before and after the dots: dates, or months and years as far as they have come; nothing where
  /// that end is open.
  init(from first: String, to last: String) {
    let (begin, end) = (Self.period(first)?.lowerBound, Self.period(last)?.upperBound)
    let from = begin.map { .date($0) } ?? (first.isEmpty ? nil : DayArgument(argument: first))
    if let end, case .date(let date)? = from, date <= end {
      self = .period(date...end)
    } else {
      self = .range(
        from, end.map { .date($0) } ?? (last.isEmpty ? nil : DayArgument(argument: last)))
    }
  }

  /// `30d` and `4w`.
  private static func count(_ text: String) -> Int? {
    guard let unit = ["d": 1, "w": 7][text.suffix(1)], (2...7).contains(text.utf8.count),
      text.dropLast().utf8.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains),
      let number = Int(text.dropLast()), (1...DateRange.mostDays).contains(number * unit)
    else { return nil }
    return number * unit
  }

  /// `2026-02` and `2026`.
  private static func period(_ text: String) -> ClosedRange<CalendarDate>? {
    switch text.utf8.count {
    case 4:
      guard let first = CalendarDate(text + "-01-01"), let last = CalendarDate(text + "-12-31")
      else { return nil }
      return first...last
    case 7:
      guard let first = CalendarDate(text + "-01") else { return nil }
      // The last of 31 dates that there is.
      let last = (28...31).compactMap { CalendarDate("\(text)-\($0)") }.last
      return last.map { first...$0 }
    default: return nil
    }
  }

  package static var defaultCompletionKind: CompletionKind {
    .list(["today", "yesterday", "7d", "30d", "12w", "365d", "all"])
  }

  /// The dates, with each end that is known.
  ///
  /// - Parameter end: the last date where none is named: yesterday for commands that show no day that
  ///   is not over; nil for no limit.
  package func ends(
    _ settings: Settings, upTo end: CalendarDate?
  ) throws(LedgerError) -> (from: CalendarDate?, to: CalendarDate?) {
    let today = try settings.today
    switch self {
    case .all: return (nil, nil)
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
    case .day(let day):
      let date = try day.date(today: today, orSpan: true)
      return (date, date)
    case .range(let from, let to):
      let first = try from?.date(today: today, orSpan: true)
      // If the range begins today, no earlier end is meant.
      return (first, try to?.date(today: today, orSpan: true) ?? (first == today ? today : end))
    }
  }
}

/// A moment on the command line (R36).
package enum MomentArgument: ExpressibleByArgument, Equatable {
  /// With an offset or `Z`.
  case moment(Timestamp)
  /// A date, today or yesterday: the last second of that day in the reporting time zone.
  case endOf(DayArgument)
  /// What is neither.
  case unreadable(String)

  package init(argument: String) {
    if let moment = Timestamp(argument) {
      self = .moment(moment)
    } else if let local = ReportingDay.LocalMoment(argument) {
      self = .moment(local.timestamp)
    } else {
      switch DayArgument(argument: argument) {
      case .all, .unreadable: self = .unreadable(argument)
      case let day: self = .endOf(day)
      }
    }
  }
}

/// A duration on the command line: `36h`, `2d`, `90m`, `1d12h`.
package struct DurationArgument: ExpressibleByArgument, Hashable {
  /// Seconds; at least 1.
  package let seconds: Int
  private let text: String

  package var duration: Duration { .seconds(seconds) }

  package init?(argument: String) {
    guard let duration = DurationText(argument) else { return nil }
    (seconds, text) = (duration.seconds, argument)
  }

  package var defaultValueDescription: String { text }
}
