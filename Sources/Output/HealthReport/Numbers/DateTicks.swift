import HealthModel

/// Where dates stand under a chart: some days of a short range, the firsts of months of a long one.
struct DateTicks {
  struct Tick {
    /// The day's place in the range.
    let place: Int
    /// Nil where there is a line alone.
    let label: String?
    /// Beneath the first label, and wherever the year is another.
    let year: String?
  }

  let ticks: [Tick]
  /// Whether the ticks are days and not the beginnings of months.
  let isDaily: Bool

  /// Up to so many days the ticks are days.
  static let mostDays = 62

  init(from first: CalendarDate, count: Int) {
    isDaily = count <= Self.mostDays
    ticks =
      isDaily ? Self.days(from: first, count: count) : Self.months(from: first, count: count)
  }

  private static func days(from first: CalendarDate, count: Int) -> [Tick] {
    let step = count <= 4 ? 1 : count <= 14 ? 2 : count <= 42 ? 7 : 14
    // Weeks begin on Mondays.
    let start = step < 7 ? 0 : (7 - PageWords.weekday(first)) % 7
    var year: Int?
    return stride(from: start, to: count, by: step).compactMap { place in
      guard let date = first.adding(days: place) else { return nil }
      defer { year = date.year }
      return Tick(
        place: place, label: "\(date.day) \(PageWords.shortMonth(date))",
        year: year == date.year ? nil : "\(date.year)")
    }
  }

  private static func months(from first: CalendarDate, count: Int) -> [Tick] {
    let steps = [1, 2, 3, 6, 12, 24, 60, 120, 300, 600, 1200]
    let step = steps.first { count <= $0 * 31 * 7 } ?? 2400
    var ticks: [Tick] = []
    var place = first.day == 1 ? 0 : first.daysLeftInMonth
    // Every other month counts from the first, more from January.
    let shift = step == 2 ? first.month - 1 + (place > 0 ? 1 : 0) : 0
    var year: Int?
    while place < count, let date = first.adding(days: place) {
      let month = date.year * 12 + date.month - 1
      // A label needs room on its right.
      let isNamed = (month - shift) % step == 0 && place * 100 < count * 93
      if isNamed, step >= 12 {
        ticks.append(Tick(place: place, label: "\(date.year)", year: nil))
      } else if isNamed {
        ticks.append(
          Tick(
            place: place, label: PageWords.shortMonth(date),
            year: year == date.year ? nil : "\(date.year)"))
        year = date.year
      } else if step < 12 || (date.month == 1 && step < 60) {
        ticks.append(Tick(place: place, label: nil, year: nil))
      }
      place += date.daysLeftInMonth
    }
    return ticks
  }
}
