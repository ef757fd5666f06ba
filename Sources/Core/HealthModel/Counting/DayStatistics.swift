/// What the numbers of several days have in common (R61).
package struct DayStatistics: Hashable, Sendable {
  package let mean: Double
  package let median: Double
  package let least: Double
  package let greatest: Double
  /// How many days have a number.
  package let count: Int

  /// Nil where no day has a number: that is not 0.
  package init?(_ numbers: [Double]) {
    let sorted = numbers.sorted()
    guard let mean = Self.mean(numbers), let median = Self.median(sorted: sorted),
      let least = sorted.first, let greatest = sorted.last
    else { return nil }
    (self.mean, self.median, self.least, self.greatest) = (mean, median, least, greatest)
    count = numbers.count
  }

  /// The mean; nil of no numbers.
  package static func mean(_ numbers: [Double]) -> Double? {
    guard !numbers.isEmpty else { return nil }
    // Divided last, so that the mean of equal numbers is that number, and is rounded as it is. A sum
    // of huge numbers has no value.
    let sum = numbers.reduce(0, +)
    let count = Double(numbers.count)
    return sum.isFinite ? sum / count : numbers.reduce(0) { $0 + $1 / count }
  }

  /// The middle of numbers in ascending order; of an even count the mean of the two in the middle.
  package static func median(sorted numbers: [Double]) -> Double? {
    guard !numbers.isEmpty else { return nil }
    let middle = numbers.count / 2
    return numbers.count % 2 == 1
      ? numbers[middle] : numbers[middle - 1] / 2 + numbers[middle] / 2
  }
}
