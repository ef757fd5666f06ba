/// One sample of a quantity, in the unit in which its metric is counted.
package struct QuantitySample {
  /// Seconds since 1970.
  package let start: Int
  /// Seconds since 1970; never before `start`.
  package let end: Int
  /// 0 or more.
  package let quantity: Double
  /// Which of the sources in the order that goes with the samples.
  package let source: Int

  @inlinable
  package init(start: Int, end: Int, quantity: Double, source: Int) {
    (self.start, self.end, self.quantity, self.source) = (start, end, quantity, source)
  }

  /// Seconds since 1970 that a sample may begin at: the years 1900 to 2199.
  package static let starts = -2_208_988_800..<7_258_118_400

  /// Longest stretch that a sample may span; samples of 12 days have been seen.
  package static let longestStretch = 31 * 86_400

  /// More than a day can hold in any unit; larger ones could add up to infinity.
  package static let greatestQuantity = 1e12

  /// The seconds that the sample stands for: a sample of a single moment stands for its minute.
  package var extent: Range<Int> {
    if end > start { return start..<end }
    let minute = start.dividedDown(by: 60) * 60
    return minute..<minute + 60
  }

  /// The second that decides the day of an average.
  package var middle: Int { start + (end - start) / 2 }
}
