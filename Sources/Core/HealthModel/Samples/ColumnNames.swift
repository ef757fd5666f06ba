/// What a metric is called as a column of a table.
extension DailyMetric {
  /// The key with its unit, such as `weight_kg`; the key alone where the number has no unit or the
  /// key ends with it.
  public var columnName: String {
    unit == .countPerMinute && group != .heart
      ? rawValue + "_per_minute" : unit.columnName(after: rawValue)
  }
}

extension WorkoutFigure {
  /// The key with its unit, such as `distance_m`.
  public var columnName: String { unit.columnName(after: rawValue) }
}

extension SampleUnit {
  fileprivate func columnName(after key: String) -> String {
    guard let word = columnWord, !key.hasSuffix("_" + word) else { return key }
    return "\(key)_\(word)"
  }

  /// The unit as the end of a column's name; nil for plain numbers.
  private var columnWord: String? {
    switch self {
    case .none, .count, .unknown: nil
    case .minute: "minutes"
    case .hour: "hours"
    case .second: "seconds"
    case .countPerMinute: "bpm"
    case .percent: "percent"
    case .oxygenUptake: "ml_per_kg_min"
    case .physicalEffort: "kcal_per_kg_h"
    case .kilometrePerHour: "km_per_h"
    case .metrePerSecond: "m_per_s"
    case .milePerHour: "mi_per_h"
    case .degreeCelsius: "celsius"
    case .degreeFahrenheit: "fahrenheit"
    case .kelvin: "kelvin"
    case .milligramPerDecilitre: "mg_per_dl"
    case .millimolePerLitre: "mmol_per_l"
    case .gramPerLitre: "g_per_l"
    case .litrePerMinute: "l_per_minute"
    case .litrePerSecond: "l_per_s"
    case .millilitrePerMinute: "ml_per_minute"
    case .metrePerMinute: "m_per_minute"
    case .centimetrePerSecond: "cm_per_s"
    case .footPerSecond: "ft_per_s"
    case .footPerMinute: "ft_per_minute"
    case .countPerHour: "per_hour"
    case .day: "days"
    case .decibel: "db"
    case .effortScore: "score"
    case .siemens: "siemens"
    case .microsiemens: "microsiemens"
    case .countPerSecond: "per_second"
    case .largeCalorie: "kcal"
    case .smallCalorie: "small_cal"
    case .fluidOunce, .imperialFluidOunce: "fl_oz"
    case .cup, .imperialCup: "cups"
    case .pint, .imperialPint: "pints"
    case .kilocalorie, .kilojoule, .joule, .millisecond, .kilogram, .gram, .milligram, .microgram,
      .pound,
      .stone, .ounce, .kilometre, .metre, .centimetre, .millimetre, .mile, .inch, .foot, .yard,
      .watt,
      .kilowatt, .decilitre, .centilitre,
      .millimetreOfMercury, .kilopascal, .litre, .millilitre, .internationalUnit:
      rawValue.lowercased()
    }
  }
}
