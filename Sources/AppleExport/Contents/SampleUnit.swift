/// The unit that a sample was written in, as it stands in the export.
package enum SampleUnit: String, CaseIterable, Hashable, Sendable {
  /// A category sample has none.
  case none = ""
  case count
  case kilocalorie = "kcal"
  /// The dietitian's calorie: one kilocalorie.
  case largeCalorie = "Cal"
  case smallCalorie = "cal"
  case kilojoule = "kJ"
  case minute = "min"
  case hour = "hr"
  case second = "s"
  case millisecond = "ms"
  case countPerMinute = "count/min"
  case countPerSecond = "count/s"
  case percent = "%"
  case kilogram = "kg"
  case gram = "g"
  case milligram = "mg"
  case pound = "lb"
  case stone = "st"
  case ounce = "oz"
  case kilometre = "km"
  case metre = "m"
  case centimetre = "cm"
  case mile = "mi"
  case inch = "in"
  case foot = "ft"
  case yard = "yd"
  case kilometrePerHour = "km/hr"
  case milePerHour = "mi/hr"
  case metrePerSecond = "m/s"
  case oxygenUptake = "mL/min·kg"
  /// Any other: the sample's metric is unsupported, not absent.
  case unknown = "?"
}
