import HealthModel

/// One metric over the range, and what can be said of it.
struct MetricSeries {
  let metric: Metric
  let days: [ReportDay]
  /// One for each day; nil where there is no number.
  let values: [Double?]

  init(_ metric: Metric, _ place: Int, _ report: RangeReport) {
    self.metric = metric
    days = report.days
    values = report.days.map { $0.number(of: place) }
    var reasons: [MetricReading: Int] = [:]
    for day in report.days where day.readings.indices.contains(place) {
      let reading = day.readings[place]
      if reading.number == nil { reasons[reading, default: 0] += 1 }
    }
    self.reasons = reasons
  }

  private let reasons: [MetricReading: Int]

  var count: Int { values.count { $0 != nil } }

  /// The least and the greatest number; nil where there is none.
  var bounds: ClosedRange<Double>? {
    let numbers = values.compactMap(\.self)
    guard let least = numbers.min(), let greatest = numbers.max() else { return nil }
    return least...greatest
  }

  /// The newest day that has a number.
  var last: (place: Int, value: Double, date: CalendarDate)? {
    guard let place = values.lastIndex(where: { $0 != nil }), let value = values[place] else {
      return nil
    }
    return (place, value, days[place].date)
  }

  /// How many days lack a number, by reason: `3 no data, 2 not authorised, 9 without a revision`.
  var gaps: String {
    var parts = [MetricReading.noData, .unauthorized, .unsupported].compactMap { reading in
      reasons[reading].map { "\(PageWords.grouped($0)) \(reading.reason)" }
    }
    let absent = days.count { $0.readings.isEmpty }
    if absent > 0 { parts.append("\(PageWords.grouped(absent)) without a valid revision") }
    return parts.joined(separator: ", ")
  }

  /// The mean of each month that has a number, at the month's middle; runs of such months.
  var monthlyMeans: [[(place: Double, value: Double)]] {
    var runs: [[(place: Double, value: Double)]] = [[]]
    var start = 0
    while start < days.count {
      let first = days[start].date
      let end =
        days[start...].firstIndex { $0.date.month != first.month || $0.date.year != first.year }
        ?? days.count
      let numbers = values[start..<end].compactMap(\.self)
      if numbers.isEmpty {
        runs.append([])
      } else {
        // Divided first: a sum of huge numbers would have no value.
        let mean = numbers.reduce(0) { $0 + $1 / Double(numbers.count) }
        runs[runs.count - 1].append((Double(start + end - 1) / 2, mean))
      }
      start = end
    }
    return runs.filter { !$0.isEmpty }
  }
}
