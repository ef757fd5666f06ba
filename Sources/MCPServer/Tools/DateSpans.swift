import HealthModel

/// Dates, told in as few words as possible: dates that follow one another as `FROM/TO`.
struct DateSpans {
  private var spans: [(first: CalendarDate, last: CalendarDate)] = []

  /// Adds a date later than all others.
  mutating func add(_ date: CalendarDate) {
    if let span = spans.last, span.last.days(until: date) == 1 {
      spans[spans.count - 1].last = date
    } else {
      spans.append((date, date))
    }
  }

  /// `["2026-02-01/2026-02-07", "2026-02-09"]`.
  var json: JSONValue {
    .array(
      spans.map { span in
        .string(span.first == span.last ? "\(span.first)" : "\(span.first)/\(span.last)")
      })
  }
}
