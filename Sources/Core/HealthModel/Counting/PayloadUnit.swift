/// A unit as a payload spells it.
package struct PayloadUnit: Hashable {
  private let reading: UnitReading

  /// Nil for a spelling that nobody can convert.
  package init?(_ spelling: String) {
    guard let reading = UnitReading(spelling) else { return nil }
    self.reading = reading
  }

  /// A number in this unit as one in which a kind is counted; nil where it can't be converted.
  ///
  /// Percent stay percent: payloads give 0 to 100. Stood hours are counted, in hours or not.
  package func counted(_ number: Double, as kind: SampleKind) -> Double? {
    if kind == .appleStandHour {
      return [.count, .hour].contains(reading.unit) && reading.scale == 1 ? number : nil
    }
    return kind.counted(reading.number(number), in: reading.unit)
  }
}
