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
  /// Joule.
  case joule = "J"
  /// Minute.
  case minute = "min"
  /// Hour.
  case hour = "hr"
  /// Day: 24 hours.
  case day = "d"
  /// Second.
  case second = "s"
  /// Millisecond.
  case millisecond = "ms"
  /// Per minute.
  case countPerMinute = "count/min"
  /// Per hour.
  case countPerHour = "count/hr"
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
  /// Millimetre.
  case millimetre = "mm"
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
  /// Metres per minute.
  case metrePerMinute = "m/min"
  /// Centimetres per second.
  case centimetrePerSecond = "cm/s"
  /// Feet per second.
  case footPerSecond = "ft/s"
  /// Feet per minute.
  case footPerMinute = "ft/min"
  /// Millilitres of oxygen per minute and kilogram.
  case oxygenUptake = "mL/min·kg"
  /// Kilocalories per hour and kilogram: Apple's physical effort.
  case physicalEffort = "kcal/hr·kg"
  /// Watt.
  case watt = "W"
  /// Kilowatt.
  case kilowatt = "kW"
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
  /// Grams per litre: of glucose.
  case gramPerLitre = "g/L"
  /// Millimoles per litre: of glucose, of 180.15588 g/mol.
  case millimolePerLitre = "mmol/L"
  /// Litre.
  case litre = "L"
  /// Millilitre.
  case millilitre = "mL"
  /// Decilitre.
  case decilitre = "dL"
  /// Centilitre.
  case centilitre = "cL"
  /// Fluid ounce of the United States.
  case fluidOunce = "fl_oz_us"
  /// Fluid ounce of the United Kingdom.
  case imperialFluidOunce = "fl_oz_imp"
  /// Cup of the United States.
  case cup = "cup_us"
  /// Cup of the United Kingdom.
  case imperialCup = "cup_imp"
  /// Pint of the United States.
  case pint = "pt_us"
  /// Pint of the United Kingdom.
  case imperialPint = "pt_imp"
  /// Litres per minute.
  case litrePerMinute = "L/min"
  /// Litres per second.
  case litrePerSecond = "L/s"
  /// Millilitres per minute.
  case millilitrePerMinute = "mL/min"
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
