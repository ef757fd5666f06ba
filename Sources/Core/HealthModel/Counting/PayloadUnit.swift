/// A unit as a payload spells it.
package struct PayloadUnit: Hashable {
  package let unit: SampleUnit

  /// Nil for a spelling that nobody can convert.
  package init?(_ spelling: String) {
    guard let unit = SampleUnit(spelling: spelling) else { return nil }
    self.unit = unit
  }

  /// A number in this unit as one in which a kind is counted; nil where it can't be converted.
  ///
  /// Percent stay percent: payloads give 0 to 100. Stood hours are counted, in hours or not.
  package func counted(_ number: Double, as kind: SampleKind) -> Double? {
    if kind == .appleStandHour { return unit == .count || unit == .hour ? number : nil }
    return kind.counted(number, in: unit)
  }
}
