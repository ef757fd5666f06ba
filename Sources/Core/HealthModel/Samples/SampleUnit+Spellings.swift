/// What exports, payloads and collectors write beside HealthKit's own spellings.
extension SampleUnit {
  /// The unit of a spelling, as whatever source writes it; nil for one that nobody can convert.
  ///
  /// Case matters: `Cal` is a kilocalorie, `cal` a thousandth of one.
  public init?(spelling: String) {
    guard let unit = Self.bySpelling[spelling] else { return nil }
    self = unit
  }

  /// Every spelling that is known.
  package static let bySpelling: [String: SampleUnit] = {
    var units: [String: SampleUnit] = [:]
    for unit in allCases where unit != .none && unit != .unknown { units[unit.rawValue] = unit }
    for (unit, spellings) in others { for spelling in spellings { units[spelling] = unit } }
    return units
  }()

  private static let others: [(SampleUnit, [String])] = [
    (.count, ["steps", "falls", "times"]),
    (.hour, ["hours", "h"]), (.minute, ["minutes"]), (.second, ["sec"]),
    (.countPerMinute, ["bpm", "spm", "rpm"]), (.countPerSecond, ["Hz"]),
    (.watt, ["watts"]), (.pound, ["lbs"]),
    (.milePerHour, ["mph", "mi/h"]), (.kilometrePerHour, ["kmph", "km/h"]),
    (
      .oxygenUptake,
      [
        "ml/(kg*min)", "mL/(kg*min)", "mL/kg·min", "ml/kg*min", "ml/(kg·min)", "mL/(kg·min)",
        "mL/kg/min", "ml/kg/min", "ml/min·kg",
      ]
    ),
    (
      .physicalEffort,
      [
        "kcal/(kg*hr)", "kcal/(hr*kg)", "kcal/kg·hr", "kcal/(kg·hr)", "kcal/(hr·kg)", "kcal/kg/hr",
        "MET",
      ]
    ),
    (.degreeCelsius, ["°C", "ºC"]), (.degreeFahrenheit, ["°F", "ºF"]),
    (.litre, ["l"]), (.decilitre, ["dl"]), (.centilitre, ["cl"]), (.millilitre, ["ml"]),
    (.litrePerMinute, ["l/min"]), (.litrePerSecond, ["l/s"]), (.millilitrePerMinute, ["ml/min"]),
    (.fluidOunce, ["fl_oz"]),
    (.microgram, ["µg", "μg", "ug"]), (.decibel, ["dB", "dBA"]),
  ]
}
