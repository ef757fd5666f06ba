import HealthLedger
package import HealthModel

/// Which days of an input to publish.
package struct DaySelection: Hashable, Sendable {
  /// The first and the last date to publish; nil for all.
  package let wanted: ClosedRange<CalendarDate>?
  /// The last date, where there is no first one.
  private(set) var last: CalendarDate?
  /// True if no date was given. Then the input must hold exactly one day.
  private let isImplicit: Bool

  /// All days of the input.
  package static let all = DaySelection(wanted: nil, isImplicit: false)
  /// All days of the input, with the day of an export, which was not over when it was made.
  package static var whole: DaySelection {
    var whole = all
    whole.last = CalendarDate(year: 9999, month: 12, day: 31)
    return whole
  }
  /// The only day of an input that holds one day.
  package static let onlyDay = DaySelection(wanted: nil, isImplicit: true)

  /// The days of these dates.
  package static func dates(_ dates: ClosedRange<CalendarDate>) -> DaySelection {
    DaySelection(wanted: dates, isImplicit: false)
  }

  private init(wanted: ClosedRange<CalendarDate>?, isImplicit: Bool) {
    (self.wanted, self.isImplicit) = (wanted, isImplicit)
  }

  /// The date of an input that names none.
  private var defaultDate: CalendarDate? {
    wanted.flatMap { $0.lowerBound == $0.upperBound ? $0.lowerBound : nil }
  }

  /// The selected days of one document: a metrics JSON, a revision or a payload.
  ///
  /// - Parameter writtenAt: when its file was written, if that is known.
  /// - Throws: `LedgerError` INVALID_ARGUMENTS if the input has none of these forms, DATA_NOT_FOUND
  ///   if it holds none of the requested dates.
  func read(
    _ bytes: [UInt8], named path: String, writtenAt: Timestamp? = nil, _ request: Input.Request
  ) throws(LedgerError) -> SelectedDays {
    let name = path == "-" ? "the input on stdin" : path
    let result: SourceResult
    do {
      result = try SourceDocument.days(
        from: bytes, writtenAt: writtenAt, in: request.zone.zones, defaultDate: defaultDate,
        metrics: request.metrics)
    } catch {
      throw LedgerError(error, name)
    }
    if let misfit = result.misfit { try request.zone.check(misfit, of: name) }
    return try select(SelectedDays(result), named: name)
  }

  /// The selected days of a result.
  ///
  /// - Throws: `LedgerError` DATA_NOT_FOUND if there are none, INVALID_ARGUMENTS if there are
  ///   several but no date was given.
  func select(
    _ result: SelectedDays, named name: String
  ) throws(LedgerError) -> SelectedDays {
    guard let first = result.days.first?.date, let last = result.days.last?.date else {
      throw .noMetrics(name, notes: result.notes)
    }
    let held = first == last ? "\(first)" : "\(result.days.count) days, \(first) to \(last)"
    if isImplicit, result.days.count > 1 {
      throw LedgerError(
        .invalidArguments, "\(name) holds \(held)",
        remedy: .input(.chooseDates(last: last)))
    }
    let days = result.days.filter { wanted?.contains($0.date) ?? true }
    guard !days.isEmpty else {
      throw LedgerError(
        .dataNotFound, "\(name) holds \(held), but none of the requested dates",
        remedy: .input(.askForHeldDate))
    }
    let notes = days.flatMap { day in
      (day.notes + day.implausible).map { IntakeNote.text("\(day.date): \($0)") }
    }
    return result.with(days: days, notes: notes)
  }
}
