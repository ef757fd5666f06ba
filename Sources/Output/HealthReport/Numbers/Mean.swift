import HealthModel

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
