import HealthModel

/// One metric over the range and the days before it.
struct MetricSeries {
  let metric: DailyMetric
  /// The date of the first of `values`.
  let first: CalendarDate
  /// What counts: one for each day of the range; nil where there is no number, or a doubted one.
  private(set) var values: [Double?]
  /// The same of the days directly before the range, oldest first.
  private(set) var before: [Double?]
  /// Numbers of the range that verification doubts, with their places.
  private(set) var doubted: [(place: Int, value: Double)] = []

  /// Numbers of a part of a day, with their places and what is said beside them: shown, and not counted.
  private(set) var partial: [(place: Int, value: Double, words: String)] = []

  init(
    _ metric: DailyMetric, first: CalendarDate, values: [Double?], before: [Double?] = []
  ) {
    (self.metric, self.first, self.values, self.before) = (metric, first, values, before)
  }

  /// Every metric that has a number in the range.
  static func all(of report: RangeReport) -> [DailyMetric: MetricSeries] {
    var all: [DailyMetric: MetricSeries] = [:]
    func add(_ days: [ReportDay], _ put: (inout MetricSeries, Int, Double, Place) -> Void) {
      for (place, day) in days.enumerated() {
        for number in day.numbers {
          put(
            &all[
              number.metric,
              default: MetricSeries(
                number.metric, first: report.range.from,
                values: Array(repeating: nil, count: report.days.count),
                before: Array(repeating: nil, count: report.before.count))],
            place, number.value,
            day.doubted.contains(number.metric)
              ? .doubted : day.partWords(number.metric).map(Place.partial) ?? .counted)
        }
      }
    }
    add(report.days) { series, place, value, kind in
      switch kind {
      case .counted: series.values[place] = value
      case .doubted: series.doubted.append((place, value))
      case .partial(let words): series.partial.append((place, value, words))
      }
    }
    add(report.before) { series, place, value, kind in
      if case .counted = kind { series.before[place] = value }
    }
    return all.filter { $0.value.hasNumber }
  }

  /// Where a number of a day goes.
  private enum Place { case counted, doubted, partial(String) }

  var hasNumber: Bool { !doubted.isEmpty || !partial.isEmpty || values.contains { $0 != nil } }

  /// Days of the range with a number that counts.
  var count: Int { values.count { $0 != nil } }

  /// The least and the greatest number that counts; nil where there is none.
  var bounds: ClosedRange<Double>? {
    let numbers = values.compactMap(\.self)
    guard let least = numbers.min(), let greatest = numbers.max() else { return nil }
    return least...greatest
  }

  /// The newest day with a number that counts.
  var last: (place: Int, value: Double, date: CalendarDate)? {
    guard let place = values.lastIndex(where: { $0 != nil }), let value = values[place] else {
      return nil
    }
    return (place, value, date(place))
  }

  func date(_ place: Int) -> CalendarDate { first.adding(days: place) ?? first }

  /// The first day with this number.
  func date(of value: Double) -> CalendarDate? { values.firstIndex(of: value).map(date) }

  /// The mean of each month that has a number, at the month's middle; runs of such months.
  var monthlyMeans: [[(place: Double, value: Double)]] {
    var runs: [[(place: Double, value: Double)]] = [[]]
    var start = 0
    while start < values.count {
      let month = date(start)
      let length = month.daysLeftInMonth
      let end = min(values.count, start + length)
      if let mean = Mean(values[start..<end]) {
        runs[runs.count - 1].append((Double(start + end - 1) / 2, mean.value))
      } else {
        runs.append([])
      }
      start = end
    }
    return runs.filter { !$0.isEmpty }
  }
}

extension CalendarDate {
  /// Days from this one to the end of its month, both counted.
  var daysLeftInMonth: Int {
    var count = 1
    while let next = adding(days: count), next.month == month { count += 1 }
    return count
  }
}

/// A mean, and of how many days it is.
struct Mean: Hashable {
  let value: Double
  /// Days with a number.
  let count: Int
  /// Days looked at.
  let days: Int

  /// Nil where no day has a number.
  init?(_ values: some Collection<Double?>) {
    let numbers = values.compactMap(\.self)
    guard let mean = DayStatistics.mean(numbers) else { return nil }
    (value, count, days) = (mean, numbers.count, values.count)
  }
}

extension MetricSeries {
  /// The mean of the range.
  var mean: Mean? { Mean(values) }

  /// The middle of the range's numbers; of an even count the mean of the two in the middle.
  var median: Double? { DayStatistics.median(sorted: values.compactMap(\.self).sorted()) }

  /// The mean of so many days up to the range's last, days before the range among them where it is
  /// shorter.
  func mean(ofLast days: Int) -> Mean? {
    let lacking = max(0, days - values.count)
    return Mean(Array(before.suffix(lacking)) + values.suffix(days))
  }

  /// The mean of as many days directly before the range as it has itself.
  var meanBefore: Mean? { Mean(before.suffix(values.count)) }

  /// Fewest numbers that a mean of several days is drawn of.
  static let fewestOfMean = 3

  /// For each day of the range the mean of so many days that end on it; nil where fewer than
  /// `fewestOfMean` of them have a number.
  func rollingMeans(of days: Int) -> [Double?] {
    let lead = Array(before.suffix(days - 1))
    let all = lead + values
    return values.indices.map { place in
      let end = place + lead.count
      let window = all[max(0, end - days + 1)...end]
      guard let mean = Mean(window), mean.count >= Self.fewestOfMean else { return nil }
      return mean.value
    }
  }
}
