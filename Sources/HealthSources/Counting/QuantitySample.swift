/// One sample of a quantity, in the unit in which its metric is counted.
struct QuantitySample {
  /// Seconds since 1970.
  let start: Int
  /// Seconds since 1970; never before `start`.
  let end: Int
  /// 0 or more.
  let quantity: Double
  /// Which of the sources in the order that goes with the samples.
  let source: Int

  /// Longest stretch that a sample may span; samples of 12 days have been seen.
  static let longestStretch = 31 * 86_400

  /// More than a day can hold in any unit; larger ones could add up to infinity.
  static let greatestQuantity = 1e12

  /// The seconds that the sample stands for: a sample of a single moment stands for its minute.
  var extent: Range<Int> {
    if end > start { return start..<end }
    let minute = start.dividedDown(by: 60) * 60
    return minute..<minute + 60
  }

  /// The second that decides the day of an average.
  var middle: Int { start + (end - start) / 2 }
}
