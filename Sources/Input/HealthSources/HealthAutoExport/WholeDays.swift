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

  /// What counts of a date: of all payloads, and of the newest that has the date.
  struct Found {
    var best: Sum
    var newest: Sum
  }

  private(set) var dates: [CalendarDate: Found] = [:]
  /// Where the phone's own day began at another moment: the seconds after the day's beginning.
  private(set) var shifts: [CalendarDate: [Int]] = [:]

  /// Takes the next row: of several the best source counts, of one source the last.
  ///
  /// - Parameter areEntries: whether people enter a value. Then several rows of a day are not sums but
  ///   entries at midnight: those of the newest payload are added.
  mutating func add(
    _ row: QuantityRow, on date: CalendarDate, areEntries: Bool, mayBeHour: Bool,
    from sources: [SourcePriority], calendar: inout ZoneCalendar
  ) {
    // A date that the zone does not have is reported where its number is used.
    if row.isMidnight, let day = try? calendar.day(date), day.start != row.start {
      let shift = row.start - day.start
      if shifts[date]?.contains(shift) != true { shifts[date, default: []].append(shift) }
    }
    let sum = Sum(
      quantity: row.quantity, second: row.second, sourceNumber: Int32(clamping: row.source),
      captureNumber: Int32(clamping: row.capture), hour: mayBeHour ? row.start : nil)
    guard var found = dates[date] else {
      dates[date] = Found(best: sum, newest: sum)
      return
    }
    if areEntries {
      guard sum.captureNumber >= found.newest.captureNumber else { return }
      var total = sum
      if sum.captureNumber == found.newest.captureNumber { total.quantity += found.newest.quantity }
      found = Found(best: total, newest: total)
    } else {
      found.take(Found(best: sum, newest: sum), from: sources)
    }
    dates[date] = found
  }

  /// Takes what a later payload says of a date.
  mutating func take(
    _ later: Found, on date: CalendarDate, areEntries: Bool, from sources: [SourcePriority]
  ) {
    guard var found = dates[date], !areEntries else {
      dates[date] = later
      return
    }
    found.take(later, from: sources)
    dates[date] = found
  }

  /// Takes what later rows say.
  mutating func take(_ later: WholeDays, from sources: [SourcePriority]) {
    for (date, found) in later.dates {
      dates[date, default: found].take(found, from: sources)
    }
  }

  /// With the other number of each pair.
  var swapped: WholeDays {
    var days = self
    days.dates = dates.mapValues { Found(best: $0.best.swapped, newest: $0.newest.swapped) }
    return days
  }
}

extension WholeDays.Found {
  /// Takes what counts of later rows.
  fileprivate mutating func take(_ later: Self, from sources: [SourcePriority]) {
    func isBetter(_ one: WholeDays.Sum, than known: WholeDays.Sum) -> Bool {
      sources[Int(known.sourceNumber)] >= sources[Int(one.sourceNumber)]
    }
    if isBetter(later.best, than: best) { best = later.best }
    let isNewer = later.newest.captureNumber > newest.captureNumber
    let isSame = later.newest.captureNumber == newest.captureNumber
    if isNewer || isSame && isBetter(later.newest, than: newest) { newest = later.newest }
  }
}

extension WholeDays.Found {
  /// The same, of sources and a payload that have other numbers.
  func numbered(sources: [Int], capture: Int) -> Self {
    func numbered(_ sum: WholeDays.Sum) -> WholeDays.Sum {
      WholeDays.Sum(
        quantity: sum.quantity, second: sum.second,
        sourceNumber: Int32(clamping: sources[Int(sum.sourceNumber)]),
        captureNumber: Int32(clamping: capture), hour: sum.hour)
    }
    return WholeDays.Found(best: numbered(best), newest: numbered(newest))
  }
}

extension WholeDays.Sum {
  fileprivate var swapped: Self {
    var sum = self
    (sum.quantity, sum.second) = (second, quantity)
    return sum
  }
}
