import HealthModel

/// What rows of whole days say of each date, whatever their number: HealthKit has merged and summed
/// them already.
struct WholeDays {
  /// One row for a date, or several entries of it together.
  struct Sum {
    var quantity: Double
    /// The other number of a pair.
    var second: Double
    fileprivate let sourceNumber: Int32
    fileprivate let captureNumber: Int32
    /// Its start, if it may be the hour after midnight: its payload has rows of the metric on this date
    /// only, and does not say how long they are.
    let hour: Int?

    /// Which of several payloads it stands in.
    var capture: Int { Int(captureNumber) }
  }

  /// What counts for each date: what the newest payload with the date says.
  private(set) var dates: [CalendarDate: Sum] = [:]
  /// Where the phone's own day began at another moment: the seconds after the day's beginning.
  private(set) var shifts: [CalendarDate: [Int]] = [:]

  /// Takes the next row of a metric. Entries at midnight are added up within one payload.
  mutating func add(
    _ row: QuantityRow, of metric: ExportedMetric, on date: CalendarDate, mayBeHour: Bool,
    from sources: [SourcePriority], calendar: inout ZoneCalendar
  ) {
    // A date that the zone does not have is reported where its number is used.
    if row.isMidnight, let day = try? calendar.day(date), day.start != row.start {
      let shift = row.start - day.start
      if shifts[date]?.contains(shift) != true { shifts[date, default: []].append(shift) }
    }
    var sum = Sum(
      quantity: row.quantity, second: row.second, sourceNumber: Int32(clamping: row.source),
      captureNumber: Int32(clamping: row.capture), hour: mayBeHour ? row.start : nil)
    if metric.areEntries, let known = dates[date], known.captureNumber == sum.captureNumber {
      sum.quantity += known.quantity
      dates[date] = sum
    } else {
      take(sum, on: date, areSums: metric.areSums, from: sources)
    }
  }

  /// Takes what a later payload says of a date.
  mutating func take(_ later: Sum, on date: CalendarDate) { dates[date] = later }

  /// Takes what other rows of the same payloads say.
  mutating func take(_ others: WholeDays, from sources: [SourcePriority]) {
    for (date, sum) in others.dates { take(sum, on: date, areSums: false, from: sources) }
  }

  private mutating func take(
    _ later: Sum, on date: CalendarDate, areSums: Bool, from sources: [SourcePriority]
  ) {
    if dates[date]?.counts(over: later, areSums: areSums, from: sources) != true {
      dates[date] = later
    }
  }

  /// With the other number of each pair.
  var swapped: WholeDays {
    var days = self
    days.dates = dates.mapValues(\.swapped)
    return days
  }
}

extension WholeDays.Sum {
  /// Whether it counts although another row follows: that of the newer payload does, and within one
  /// payload that of the better source. Of two sources of one rank, the greater sum counts; otherwise
  /// the row that follows.
  fileprivate func counts(over later: Self, areSums: Bool, from sources: [SourcePriority]) -> Bool {
    guard captureNumber == later.captureNumber else { return captureNumber > later.captureNumber }
    let (rank, other) = (sources[Int(sourceNumber)].rank, sources[Int(later.sourceNumber)].rank)
    guard rank == other else { return rank < other }
    return areSums && sourceNumber != later.sourceNumber && quantity > later.quantity
  }

  /// The same, of a source and a payload that have other numbers.
  func numbered(sources: [Int], capture: Int) -> Self {
    Self(
      quantity: quantity, second: second,
      sourceNumber: Int32(clamping: sources[Int(sourceNumber)]),
      captureNumber: Int32(clamping: capture), hour: hour)
  }

  fileprivate var swapped: Self {
    var sum = self
    (sum.quantity, sum.second) = (second, quantity)
    return sum
  }
}
