import HealthModel

/// The scale of a chart: round numbers that enclose all that counts.
struct AxisScale {
  /// Bottom and top, as stored numbers.
  let bounds: ClosedRange<Double>
  /// Where the chart has a number beside it, lowest first.
  let ticks: [(value: Double, label: String)]

  /// - Parameter isFromZero: whether the scale begins at 0: of what adds up in a day, which is drawn
  ///   as bars.
  init(_ numbers: ClosedRange<Double>, _ unit: PersonUnit, isFromZero: Bool) {
    func shown(_ value: Double) -> Double { value * unit.factor + unit.offset }
    func stored(_ value: Double) -> Double { (value - unit.offset) / unit.factor }
    var (low, high) = (shown(numbers.lowerBound), shown(numbers.upperBound))
    if isFromZero { (low, high) = (min(0, low), max(0, high)) }
    let finest = unit.isDuration ? 1 : [1, 0.1, 0.01, 0.001][unit.decimals]
    let step = max(finest, unit.isDuration ? Self.minutes(high - low) : Self.round(high - low))
    var first = (low / step).rounded(.down) * step
    var last = (high / step).rounded(.up) * step
    if first == last {
      (first, last) = (max(isFromZero ? 0 : -.infinity, first - step), last + step)
    }
    guard stored(first).isFinite, stored(last).isFinite, last > first,
      (last - first) / step < 20
    else {
      // Numbers at the end of what a number can be: no round ones beside them.
      bounds = numbers
      ticks = [(numbers.lowerBound, unit.bare(numbers.lowerBound))]
      return
    }
    bounds = stored(first)...stored(last)
    let count = Int(((last - first) / step).rounded())
    ticks = (0...count).map { place in
      let value = first + Double(place) * step
      return (
        stored(value),
        unit.isDuration ? unit.tick(value) : value.fixed(Self.decimals(of: step))
      )
    }
  }

  /// Where a number lies, in parts of the whole from the bottom.
  func part(_ value: Double) -> Double {
    (value - bounds.lowerBound) / (bounds.upperBound - bounds.lowerBound)
  }

  /// Three steps over a span, or a few more: 1, 2, 2.5 or 5 times a power of ten.
  private static func round(_ span: Double) -> Double {
    guard span > 0, span.isFinite else { return 0 }
    var power = 1.0
    while power * 10 <= span / 3 { power *= 10 }
    while power > span / 3, power > 1e-9 { power /= 10 }
    return [1, 2, 2.5, 5, 10].map { $0 * power }.first { $0 >= span / 3 } ?? power * 10
  }

  /// The same of minutes: steps that divide an hour, or whole hours.
  private static func minutes(_ span: Double) -> Double {
    [1, 2, 5, 10, 15, 30, 60, 120, 180, 240, 360, 720, 1440].first { $0 >= span / 3 }
      ?? round(span / 1440) * 1440
  }

  private static func decimals(of step: Double) -> Int {
    (0...2).first { place in
      let scaled = step * [1, 10, 100][place]
      return abs(scaled - scaled.rounded()) < 1e-9 * max(1, scaled)
    } ?? 3
  }
}

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

/// A line through the numbers of consecutive days that breaks where a day has none.
///
/// A run of days is a line; a day between two gaps is a dot, a line without length. Coordinates:
/// one unit a day along x; along y 0 is the greatest number and `height` the least.
struct GapPath {
  /// The runs of two days and more.
  private(set) var line = ""
  /// The days that stand alone.
  private(set) var dots = ""

  private let bounds: ClosedRange<Double>

  /// Units from the least to the greatest number.
  static let height = 200

  /// - Parameters:
  ///   - values: one for each day, nil where there is no number.
  ///   - bounds: the numbers at the bottom and the top; equal where the line is flat.
  init(_ values: [Double?], bounds: ClosedRange<Double>) {
    self.bounds = bounds
    var start = 0
    while start < values.count {
      guard values[start] != nil else {
        start += 1
        continue
      }
      var run: [Int] = []
      while start + run.count < values.count, let value = values[start + run.count] {
        run.append(Self.y(value, bounds))
      }
      add(run, from: start)
      start += run.count
    }
  }

  /// Every day that has a number, as a dot.
  func points(_ values: [Double?]) -> String {
    values.enumerated().map { place, value in
      value.map { "M\(place) \(Self.y($0, bounds))h0" } ?? ""
    }.joined()
  }

  private mutating func add(_ run: [Int], from start: Int) {
    guard run.count > 1 else {
      dots += "M\(start) \(run[0])h0"
      return
    }
    line += "M\(start) \(run[0])l"
    // Relative and without needless blanks: a decade is some thousand points.
    line += zip(run, run.dropFirst()).map { from, to in
      to < from ? "1\(to - from)" : "1 \(to - from)"
    }.joined(separator: " ")
  }

  /// Where a number lies; the middle where all are equal.
  static func y(_ value: Double, _ bounds: ClosedRange<Double>) -> Int {
    let span = bounds.upperBound - bounds.lowerBound
    guard span > 0 else { return height / 2 }
    let part = (value - bounds.lowerBound) / span
    return height - Int((min(1, max(0, part)) * Double(height)).rounded())
  }
}
