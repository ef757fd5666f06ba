/// The unit of a sample; the raw value is its spelling in HealthKit.
public enum SampleUnit: String, CaseIterable, Hashable, Sendable {
  /// A category sample has none.
  case none = ""
  /// A number of things, or one without a unit.
  case count
  /// Kilocalorie.
  case kilocalorie = "kcal"
  /// The dietitian's calorie: one kilocalorie.
  case largeCalorie = "Cal"
  /// A thousandth of a kilocalorie.
  case smallCalorie = "cal"
  /// Kilojoule.
  case kilojoule = "kJ"
  /// Minute.
  case minute = "min"
  /// Hour.
  case hour = "hr"
  /// Second.
  case second = "s"
  /// Millisecond.
  case millisecond = "ms"
  /// Per minute.
  case countPerMinute = "count/min"
  /// Per second.
  case countPerSecond = "count/s"
  /// Percent.
  case percent = "%"
  /// Kilogram.
  case kilogram = "kg"
  /// Gram.
  case gram = "g"
  /// Milligram.
  case milligram = "mg"
  /// Pound.
  case pound = "lb"
  /// Stone: 14 pounds.
  case stone = "st"
  /// Ounce: a sixteenth of a pound.
  case ounce = "oz"
  /// Kilometre.
  case kilometre = "km"
  /// Metre.
  case metre = "m"
  /// Centimetre.
  case centimetre = "cm"
  /// Mile.
  case mile = "mi"
  /// Inch.
  case inch = "in"
  /// Foot.
  case foot = "ft"
  /// Yard.
  case yard = "yd"
  /// Kilometres per hour.
  case kilometrePerHour = "km/hr"
  /// Miles per hour.
  case milePerHour = "mi/hr"
  /// Metres per second.
  case metrePerSecond = "m/s"
  /// Millilitres of oxygen per minute and kilogram.
  case oxygenUptake = "mL/min·kg"
  /// Any other: the sample's metric is unsupported, not absent.
  case unknown = "?"
}

/// Conversion.
extension SampleUnit {
  /// What a unit measures: units of one dimension convert into each other.
  private enum Dimension {
    case number
    case part
    case energy
    case time
    case frequency
    case mass
    case length
    case speed
    case oxygenUptake
  }

  /// The unit is `times / per` of its dimension's base unit: kilocalorie, second, hertz, kilogram,
  /// metre, metre per second. Nil where nothing converts.
  private var size: (dimension: Dimension, times: Double, per: Double)? {
    switch self {
    case .none, .unknown: nil
    case .count: (.number, 1, 1)
    case .percent: (.part, 1, 1)
    case .oxygenUptake: (.oxygenUptake, 1, 1)
    case .kilocalorie, .largeCalorie: (.energy, 1, 1)
    case .smallCalorie: (.energy, 1, 1000)
    case .kilojoule: (.energy, 1, 4.184)
    case .hour: (.time, 3600, 1)
    case .minute: (.time, 60, 1)
    case .second: (.time, 1, 1)
    case .millisecond: (.time, 1, 1000)
    case .countPerSecond: (.frequency, 1, 1)
    case .countPerMinute: (.frequency, 1, 60)
    case .kilogram: (.mass, 1, 1)
    case .gram: (.mass, 1, 1000)
    case .milligram: (.mass, 1, 1_000_000)
    case .pound: (.mass, 0.45359237, 1)
    case .stone: (.mass, 14 * 0.45359237, 1)
    case .ounce: (.mass, 0.45359237, 16)
    case .kilometre: (.length, 1000, 1)
    case .metre: (.length, 1, 1)
    case .centimetre: (.length, 1, 100)
    case .mile: (.length, 1609.344, 1)
    case .yard: (.length, 0.9144, 1)
    case .foot: (.length, 0.3048, 1)
    case .inch: (.length, 0.0254, 1)
    case .metrePerSecond: (.speed, 1, 1)
    case .kilometrePerHour: (.speed, 1000, 3600)
    case .milePerHour: (.speed, 1609.344, 3600)
    }
  }

  /// A multiplication and a division, so that at most the last bit of a number is rounded.
  private func ratio(to unit: SampleUnit) -> (times: Double, per: Double)? {
    guard let own = size, let other = unit.size, own.dimension == other.dimension else {
      return nil
    }
    if self == unit { return (1, 1) }
    return (own.times * other.per, own.per * other.times)
  }

  /// What a number in this unit is multiplied by to be in another; nil where the two measure
  /// different things.
  public func factor(to other: SampleUnit) -> Double? {
    ratio(to: other).map { $0.times / $0.per }
  }

  /// A number in this unit as one in another; nil where the two measure different things.
  public func convert(_ number: Double, to other: SampleUnit) -> Double? {
    ratio(to: other).map { number * $0.times / $0.per }
  }
}
