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
    guard !numbers.isEmpty else { return nil }
    // Divided last, so that the mean of equal numbers is that number, and is rounded as it is. A sum
    // of huge numbers has no value.
    let sum = numbers.reduce(0, +)
    let count = Double(numbers.count)
    value = sum.isFinite ? sum / count : numbers.reduce(0) { $0 + $1 / count }
    (self.count, days) = (numbers.count, values.count)
  }
}

extension MetricSeries {
  /// The mean of the range.
  var mean: Mean? { Mean(values) }

  /// The middle of the range's numbers; of an even count the mean of the two in the middle.
  var median: Double? {
    let numbers = values.compactMap(\.self).sorted()
    guard !numbers.isEmpty else { return nil }
    let middle = numbers.count / 2
    return numbers.count % 2 == 1
      ? numbers[middle] : numbers[middle - 1] / 2 + numbers[middle] / 2
  }

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
