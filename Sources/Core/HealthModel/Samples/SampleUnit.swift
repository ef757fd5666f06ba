/// The unit of a sample; the raw value is its spelling in HealthKit.
public enum SampleUnit: String, CaseIterable, Hashable, Sendable {
  /// A category sample has none.
  case none = ""
  /// A number of things, or one without a unit.
  case count
  case kilocalorie = "kcal"
  /// The dietitian's calorie: one kilocalorie.
  case largeCalorie = "Cal"
  /// A thousandth of a kilocalorie.
  case smallCalorie = "cal"
  case kilojoule = "kJ"
  case joule = "J"
  case minute = "min"
  case hour = "hr"
  case day = "d"
  case second = "s"
  case millisecond = "ms"
  case countPerMinute = "count/min"
  case countPerHour = "count/hr"
  case countPerSecond = "count/s"
  case percent = "%"
  case kilogram = "kg"
  case gram = "g"
  case milligram = "mg"
  case pound = "lb"
  /// Stone: 14 pounds.
  case stone = "st"
  /// Ounce: a sixteenth of a pound.
  case ounce = "oz"
  case kilometre = "km"
  case metre = "m"
  case centimetre = "cm"
  case millimetre = "mm"
  case mile = "mi"
  case inch = "in"
  case foot = "ft"
  case yard = "yd"
  case kilometrePerHour = "km/hr"
  case milePerHour = "mi/hr"
  case metrePerSecond = "m/s"
  case metrePerMinute = "m/min"
  case centimetrePerSecond = "cm/s"
  case footPerSecond = "ft/s"
  case footPerMinute = "ft/min"
  /// Millilitres of oxygen per minute and kilogram.
  case oxygenUptake = "mL/min·kg"
  /// Kilocalories per hour and kilogram: Apple's physical effort.
  case physicalEffort = "kcal/hr·kg"
  case watt = "W"
  case kilowatt = "kW"
  case degreeCelsius = "degC"
  case degreeFahrenheit = "degF"
  case kelvin = "K"
  case millimetreOfMercury = "mmHg"
  case kilopascal = "kPa"
  /// Milligrams per decilitre: of glucose.
  case milligramPerDecilitre = "mg/dL"
  /// Grams per litre: of glucose.
  case gramPerLitre = "g/L"
  /// Millimoles per litre: of glucose, of 180.15588 g/mol.
  case millimolePerLitre = "mmol/L"
  case litre = "L"
  case millilitre = "mL"
  case decilitre = "dL"
  case centilitre = "cL"
  case fluidOunce = "fl_oz_us"
  case imperialFluidOunce = "fl_oz_imp"
  case cup = "cup_us"
  case imperialCup = "cup_imp"
  case pint = "pt_us"
  case imperialPint = "pt_imp"
  case litrePerMinute = "L/min"
  case litrePerSecond = "L/s"
  case millilitrePerMinute = "mL/min"
  case microgram = "mcg"
  /// International unit, of insulin.
  case internationalUnit = "IU"
  /// Decibel of sound pressure, A-weighted.
  case decibel = "dBASPL"
  /// Apple's score of how hard a workout was, from 1 to 10.
  case effortScore = "appleEffortScore"
  case siemens = "S"
  case microsiemens = "mcS"
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
    case effort
    case power
    case temperature
    case pressure
    case glucose
    case volume
    case flow
    case dose
    case soundLevel
    case effortScore
    case conductance
  }

  /// The unit is `times / per` of its dimension's base unit: kilocalorie, second, hertz, kilogram,
  /// metre, metre per second, watt, kelvin, millimetre of mercury, milligram per decilitre,
  /// millilitre, siemens. Nil where nothing converts.
  private var size: (dimension: Dimension, times: Double, per: Double)? {
    switch self {
    case .none, .unknown: nil
    case .count: (.number, 1, 1)
    case .percent: (.part, 1, 1)
    case .oxygenUptake: (.oxygenUptake, 1, 1)
    case .kilocalorie, .largeCalorie: (.energy, 1, 1)
    case .smallCalorie: (.energy, 1, 1000)
    case .kilojoule: (.energy, 1, 4.184)
    case .joule: (.energy, 1, 4184)
    case .day: (.time, 86_400, 1)
    case .hour: (.time, 3600, 1)
    case .minute: (.time, 60, 1)
    case .second: (.time, 1, 1)
    case .millisecond: (.time, 1, 1000)
    case .countPerSecond: (.frequency, 1, 1)
    case .countPerMinute: (.frequency, 1, 60)
    case .countPerHour: (.frequency, 1, 3600)
    case .kilogram: (.mass, 1, 1)
    case .gram: (.mass, 1, 1000)
    case .milligram: (.mass, 1, 1_000_000)
    case .pound: (.mass, 0.45359237, 1)
    case .stone: (.mass, 14 * 0.45359237, 1)
    case .ounce: (.mass, 0.45359237, 16)
    case .kilometre: (.length, 1000, 1)
    case .metre: (.length, 1, 1)
    case .centimetre: (.length, 1, 100)
    case .millimetre: (.length, 1, 1000)
    case .mile: (.length, 1609.344, 1)
    case .yard: (.length, 0.9144, 1)
    case .foot: (.length, 0.3048, 1)
    case .inch: (.length, 0.0254, 1)
    case .metrePerSecond: (.speed, 1, 1)
    case .metrePerMinute: (.speed, 1, 60)
    case .centimetrePerSecond: (.speed, 1, 100)
    case .footPerSecond: (.speed, 0.3048, 1)
    case .footPerMinute: (.speed, 0.3048, 60)
    case .kilometrePerHour: (.speed, 1000, 3600)
    case .milePerHour: (.speed, 1609.344, 3600)
    case .physicalEffort: (.effort, 1, 1)
    case .watt: (.power, 1, 1)
    case .kilowatt: (.power, 1000, 1)
    case .degreeCelsius, .kelvin: (.temperature, 1, 1)
    case .degreeFahrenheit: (.temperature, 5, 9)
    case .millimetreOfMercury: (.pressure, 1, 1)
    case .kilopascal: (.pressure, 1000, 133.322387415)
    case .milligramPerDecilitre: (.glucose, 1, 1)
    case .gramPerLitre: (.glucose, 100, 1)
    case .millimolePerLitre: (.glucose, 18.01558800000541, 1)
    case .millilitre: (.volume, 1, 1)
    case .litre: (.volume, 1000, 1)
    case .decilitre: (.volume, 100, 1)
    case .centilitre: (.volume, 10, 1)
    case .fluidOunce: (.volume, 29.5735295625, 1)
    case .imperialFluidOunce: (.volume, 28.4130625, 1)
    case .cup: (.volume, 236.5882365, 1)
    case .imperialCup: (.volume, 284.130625, 1)
    case .pint: (.volume, 473.176473, 1)
    case .imperialPint: (.volume, 568.26125, 1)
    case .litrePerMinute: (.flow, 1, 1)
    case .litrePerSecond: (.flow, 60, 1)
    case .millilitrePerMinute: (.flow, 1, 1000)
    case .microgram: (.mass, 1, 1_000_000_000)
    case .internationalUnit: (.dose, 1, 1)
    case .decibel: (.soundLevel, 1, 1)
    case .effortScore: (.effortScore, 1, 1)
    case .siemens: (.conductance, 1, 1)
    case .microsiemens: (.conductance, 1, 1_000_000)
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

  /// The unit's number at 0 °C; 0 for whatever is not a temperature.
  private var zero: Double {
    switch self {
    case .degreeFahrenheit: 32
    case .kelvin: 273.15
    default: 0
    }
  }

  /// What a number in this unit is multiplied by to be in another; nil where the two measure
  /// different things, and between scales of temperature, whose zeros differ.
  public func factor(to other: SampleUnit) -> Double? {
    guard zero == other.zero else { return nil }
    return ratio(to: other).map { $0.times / $0.per }
  }

  /// A number in this unit as one in another; nil where the two measure different things.
  public func convert(_ number: Double, to other: SampleUnit) -> Double? {
    if self == other, size != nil { return number }
    return ratio(to: other).map { (number - zero) * $0.times / $0.per + other.zero }
  }
}

extension Double {
  /// Six decimals; beyond 2^53 millionths a double has none to round to.
  package var roundedToMillionths: Double {
    magnitude < 9e9 ? (self * 1e6).rounded() / 1e6 : self
  }
}
