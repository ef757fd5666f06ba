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
  /// Kilocalories per hour and kilogram: Apple's physical effort.
  case physicalEffort = "kcal/hr·kg"
  /// Watt.
  case watt = "W"
  /// Degree Celsius.
  case degreeCelsius = "degC"
  /// Degree Fahrenheit.
  case degreeFahrenheit = "degF"
  /// Kelvin.
  case kelvin = "K"
  /// Millimetre of mercury.
  case millimetreOfMercury = "mmHg"
  /// Kilopascal.
  case kilopascal = "kPa"
  /// Milligrams per decilitre: of glucose.
  case milligramPerDecilitre = "mg/dL"
  /// Millimoles per litre: of glucose, of 180.15588 g/mol.
  case millimolePerLitre = "mmol/L"
  /// Litre.
  case litre = "L"
  /// Millilitre.
  case millilitre = "mL"
  /// Fluid ounce of the United States.
  case fluidOunce = "fl_oz_us"
  /// Fluid ounce of the United Kingdom.
  case imperialFluidOunce = "fl_oz_imp"
  /// Cup of the United States.
  case cup = "cup_us"
  /// Pint of the United States.
  case pint = "pt_us"
  /// Pint of the United Kingdom.
  case imperialPint = "pt_imp"
  /// Litres per minute.
  case litrePerMinute = "L/min"
  /// Microgram.
  case microgram = "mcg"
  /// International unit, of insulin.
  case internationalUnit = "IU"
  /// Decibel of sound pressure, A-weighted.
  case decibel = "dBASPL"
  /// Apple's score of how hard a workout was, from 1 to 10.
  case effortScore = "appleEffortScore"
  /// Siemens: of the skin's conductance.
  case siemens = "S"
  /// Microsiemens.
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
    case .physicalEffort: (.effort, 1, 1)
    case .watt: (.power, 1, 1)
    case .degreeCelsius, .kelvin: (.temperature, 1, 1)
    case .degreeFahrenheit: (.temperature, 5, 9)
    case .millimetreOfMercury: (.pressure, 1, 1)
    case .kilopascal: (.pressure, 1000, 133.322387415)
    case .milligramPerDecilitre: (.glucose, 1, 1)
    case .millimolePerLitre: (.glucose, 18.01558800000541, 1)
    case .millilitre: (.volume, 1, 1)
    case .litre: (.volume, 1000, 1)
    case .fluidOunce: (.volume, 29.5735295625, 1)
    case .imperialFluidOunce: (.volume, 28.4130625, 1)
    case .cup: (.volume, 236.5882365, 1)
    case .pint: (.volume, 473.176473, 1)
    case .imperialPint: (.volume, 568.26125, 1)
    case .litrePerMinute: (.flow, 1, 1)
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
