package import HealthSamples

/// A unit as a payload spells it. Case matters: `Cal` is a kilocalorie, `cal` a thousandth of one.
package struct PayloadUnit: Hashable {
  /// The unit that numbers are of once they are multiplied by `times`.
  package let unit: SampleUnit
  package let times: Double

  /// Nil for a spelling that nobody can convert.
  package init?(_ spelling: String) {
    if let (unit, times) = Self.spellings[spelling] {
      (self.unit, self.times) = (unit, times)
    } else if let unit = SampleUnit(rawValue: spelling), unit != .none, unit != .unknown {
      (self.unit, times) = (unit, 1)
    } else {
      return nil
    }
  }

  /// What the app, its versions and its users' receivers write beside HealthKit's own spellings.
  private static let spellings: [String: (SampleUnit, Double)] = [
    "steps": (.count, 1), "falls": (.count, 1), "times": (.count, 1),
    "hours": (.hour, 1), "h": (.hour, 1), "minutes": (.minute, 1), "sec": (.second, 1),
    "bpm": (.countPerMinute, 1), "spm": (.countPerMinute, 1), "rpm": (.countPerMinute, 1),
    "J": (.kilojoule, 0.001), "watts": (.watt, 1), "MET": (.physicalEffort, 1),
    "lbs": (.pound, 1),
    "mph": (.milePerHour, 1), "mi/h": (.milePerHour, 1), "kmph": (.kilometrePerHour, 1),
    "km/h": (.kilometrePerHour, 1), "ft/s": (.metrePerSecond, 0.3048),
    "ml/(kg·min)": (.oxygenUptake, 1), "mL/(kg·min)": (.oxygenUptake, 1),
    "mL/kg/min": (.oxygenUptake, 1), "ml/kg/min": (.oxygenUptake, 1),
    "°C": (.degreeCelsius, 1), "ºC": (.degreeCelsius, 1),
    "°F": (.degreeFahrenheit, 1), "ºF": (.degreeFahrenheit, 1),
    "ml": (.millilitre, 1), "l": (.litre, 1), "fl_oz": (.fluidOunce, 1),
    "µg": (.microgram, 1), "μg": (.microgram, 1), "ug": (.microgram, 1),
    "dB": (.decibel, 1), "dBA": (.decibel, 1),
  ]

  /// A number in this unit as one in which a kind is counted; nil where it can't be converted.
  ///
  /// Percent stay percent: payloads give 0 to 100. Stood hours are counted, in hours or not.
  package func counted(_ number: Double, as kind: SampleKind) -> Double? {
    if kind == .appleStandHour { return unit == .count || unit == .hour ? number : nil }
    return kind.counted(number * times, in: unit)
  }
}
