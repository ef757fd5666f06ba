/// What a metric is called in PostgreSQL.
extension DailyMetric {
  /// The type string of its rows: one of the 28 that are given, else made of label and unit.
  public var recordType: String {
    if let type = given?.type { return type }
    let words = label.split(separator: " ").map { word in
      word.prefix(1).uppercased() + word.dropFirst()
    }
    return "\(words.joined(separator: " ")) (\(unitLabel))"
  }

  /// Whether the type string is one of the 28 that are given.
  public var hasGivenRecordType: Bool { given != nil }

  /// The unit of its rows' numbers.
  public var recordUnit: SampleUnit { given?.unit ?? unit }

  /// The unit as its rows write it: what stands in the brackets of the type string.
  public var recordUnitLabel: String {
    guard let open = recordType.firstRange(of: " (") else { return recordUnit.rawValue }
    return String(recordType[open.upperBound...].dropLast())
  }

  /// The type string of the given table of 28 rows, and its unit.
  private var given: (type: String, unit: SampleUnit)? {
    switch self {
    case .exerciseMinutes: ("Apple Exercise Time (min)", .minute)
    case .moveMinutes: ("Apple Move Time (min)", .minute)
    case .distance: ("Walking + Running Distance (mi)", .mile)
    case .runningSpeed: ("Running Speed (mi/hr)", .milePerHour)
    case .restingHeartRate: ("Resting Heart Rate (bpm)", .countPerMinute)
    case .walkingHeartRate: ("Walking Heart Rate Average (bpm)", .countPerMinute)
    case .heartRateMinimum: ("Heart Rate [Min] (bpm)", .countPerMinute)
    case .heartRateMaximum: ("Heart Rate [Max] (bpm)", .countPerMinute)
    case .heartRateMean: ("Heart Rate [Avg] (bpm)", .countPerMinute)
    case .heartRateVariability: ("Heart Rate Variability (ms)", .millisecond)
    case .vo2Max: ("VO2 Max (ml/(kg·min))", .oxygenUptake)
    case .sleepAsleep: ("Sleep Analysis [Asleep] (hr)", .hour)
    case .sleepInBed: ("Sleep Analysis [In Bed] (hr)", .hour)
    case .sleepCore: ("Sleep Analysis [Core] (hr)", .hour)
    case .sleepDeep: ("Sleep Analysis [Deep] (hr)", .hour)
    case .sleepREM: ("Sleep Analysis [REM] (hr)", .hour)
    case .sleepAwake: ("Sleep Analysis [Awake] (hr)", .hour)
    case .mindfulMinutes: ("Mindful Minutes (min)", .minute)
    case .weight: ("Weight/Body Mass (lb)", .pound)
    case .leanMass: ("Lean Body Mass (lb)", .pound)
    case .bodyFat: ("Body Fat Percentage (%)", .percent)
    case .bodyMassIndex: ("Body Mass Index (count)", .count)
    case .waist: ("Waist Circumference (in)", .inch)
    case .dietaryEnergy: ("Dietary Energy (kcal)", .kilocalorie)
    case .carbohydrates: ("Carbohydrates (g)", .gram)
    case .fiber: ("Fiber (g)", .gram)
    case .protein: ("Protein (g)", .gram)
    case .fat: ("Total Fat (g)", .gram)
    default: nil
    }
  }
}

/// What a metric is called in Prometheus.
extension DailyMetric {
  /// How Prometheus is to read its number.
  public enum PrometheusType: String, Hashable, Sendable {
    /// What grows in the course of a day.
    case counter
    /// What goes up and down.
    case gauge
  }

  /// A counter for what is summed up in the course of a day, else a gauge.
  public var prometheusType: PrometheusType {
    switch aggregation {
    case .sum, .entries, .hours, .duration, .night: .counter
    case .mean, .least, .greatest, .level, .latest, .latestTime: .gauge
    }
  }

  /// The name: given, else the key with its unit, and `_total` for a counter. A latest value and its time
  /// stand in the gauge of their metric.
  public var prometheusName: String {
    if let latestOf { return latestOf.prometheusName }
    if let name = givenPrometheusName { return name }
    var words = rawValue.split(separator: "_")
    if aggregation == .mean, words.last == "avg", kind != .heartRate { words.removeLast() }
    let unit = unit.prometheusWords
    if !words.reversed().starts(with: unit.reversed()) { words += unit }
    if prometheusType == .counter { words.append("total") }
    return "healthkit_" + words.joined(separator: "_")
  }

  /// The value of the label `unit`; nil where the name says the unit.
  public var prometheusUnit: String? { unit.prometheusWords.isEmpty ? unitLabel : nil }

  /// The text of the `# HELP` line.
  ///
  /// - Parameter isLatest: whether the gauge has the day's latest value, and not its mean; nil where it has
  ///   either.
  public func prometheusHelp(isLatest: Bool? = false) -> String {
    if isLatest == true || latest == nil, let help = givenHelp { return help }
    if case .night = aggregation { return "Minutes of the night: \(label)." }
    let place = [.count, .hour].contains(unit) ? "" : ", in \(unitLabel)"
    guard let isLatest else { return "\(capitalisedLabel), a day's latest or mean\(place)." }
    if isLatest { return "Latest \(label)\(place)." }
    let isMean = aggregation == .mean && kind != .heartRate
    return "\(capitalisedLabel)\(isMean ? ", the mean of a day" : " of the day")\(place)."
  }

  private var givenPrometheusName: String? {
    switch self {
    case .activeEnergy: "healthkit_active_energy_burned_calories"
    case .basalEnergy: "healthkit_basal_energy_burned_calories_total"
    case .restingHeartRate: "healthkit_resting_heart_rate_bpm"
    case .walkingHeartRate: "healthkit_walking_heart_rate_bpm"
    case .respiratoryRate: "healthkit_respiratory_rate_breaths_per_minute"
    case .sleepAsleep: "healthkit_sleep_minutes_total"
    case .weight: "healthkit_body_weight_kg"
    default: nil
    }
  }

  private var givenHelp: String? {
    switch self {
    case .steps: "Total number of steps taken."
    case .activeEnergy: "Total active energy burned in calories."
    case .weight: "Latest recorded body weight in kilograms."
    default: nil
    }
  }

  private var capitalisedLabel: String { label.prefix(1).uppercased() + label.dropFirst() }
}

/// The value of the label `source` (R57): what kind of device, or the name of an app.
package enum SourceLabel {
  /// Of numbers of all sources, or of sources that are not known one by one.
  package static let all = "all"
  /// The longest value, in characters.
  private static let longest = 64

  /// - Parameters:
  ///   - name: as the source names itself: `Ann's Apple Watch`.
  ///   - hardware: such as `Watch6,2`; empty where unknown.
  package static func text(
    name: String, hardware: String = "", isUserEntered: Bool = false
  ) -> String {
    if isUserEntered { return "Health" }
    for (prefix, label) in [("Watch", "Apple Watch"), ("iPhone", "iPhone"), ("iPad", "iPad")]
    where hardware.hasPrefix(prefix) { return label }
    // Several names joined are those of numbers that HealthKit has merged.
    if name.unicodeScalars.contains("|") { return all }
    let lower = name.lowercased()
    if hardware.isEmpty {
      for (word, label) in [("watch", "Apple Watch"), ("iphone", "iPhone"), ("ipad", "iPad")]
      where lower.firstRange(of: word) != nil { return label }
    }
    if name.isEmpty { return "unknown" }
    return name.count > longest ? String(name.prefix(longest - 1)) + "…" : name
  }
}

/// What a metric or a workout's figure is called as a column of a table: the key with its unit, such as
/// `weight_kg`; the key alone where the number has no unit or the key ends with it.
extension DailyMetric {
  /// Its column of a table.
  public var columnName: String {
    unit == .countPerMinute && group != .heart
      ? rawValue + "_per_minute" : unit.columnName(after: rawValue)
  }
}

extension WorkoutFigure {
  /// Its column of a table.
  public var columnName: String { unit.columnName(after: rawValue) }
}

/// The words of units in names.
extension SampleUnit {
  fileprivate func columnName(after key: String) -> String {
    let word = words.column
    return word.isEmpty || key.hasSuffix("_" + word) ? key : "\(key)_\(word)"
  }

  fileprivate var prometheusWords: [Substring] { words.prometheus.split(separator: "_") }

  /// The unit as names of Prometheus and of columns end with it; empty for plain numbers.
  private var words: (prometheus: String, column: String) {
    switch self {
    case .none, .count, .unknown: ("", "")
    case .kilocalorie: ("calories", "kcal")
    case .largeCalorie: ("calories", "kcal")
    case .smallCalorie: ("small_calories", "small_cal")
    case .kilojoule: ("kilojoules", "kj")
    case .joule: ("joules", "j")
    case .minute: ("minutes", "minutes")
    case .hour: ("hours", "hours")
    case .day: ("days", "days")
    case .second: ("seconds", "seconds")
    case .millisecond: ("ms", "ms")
    case .countPerMinute: ("bpm", "bpm")
    case .countPerHour: ("per_hour", "per_hour")
    case .countPerSecond: ("hertz", "per_second")
    case .percent: ("percent", "percent")
    case .kilogram: ("kg", "kg")
    case .gram: ("grams", "g")
    case .milligram: ("milligrams", "mg")
    case .pound: ("pounds", "lb")
    case .stone: ("stones", "st")
    case .ounce: ("ounces", "oz")
    case .kilometre: ("kilometers", "km")
    case .metre: ("meters", "m")
    case .centimetre: ("centimeters", "cm")
    case .millimetre: ("millimeters", "mm")
    case .mile: ("miles", "mi")
    case .inch: ("inches", "in")
    case .foot: ("feet", "ft")
    case .yard: ("yards", "yd")
    case .kilometrePerHour: ("km_per_hour", "km_per_h")
    case .milePerHour: ("miles_per_hour", "mi_per_h")
    case .metrePerSecond: ("meters_per_second", "m_per_s")
    case .metrePerMinute: ("meters_per_minute", "m_per_minute")
    case .centimetrePerSecond: ("centimeters_per_second", "cm_per_s")
    case .footPerSecond: ("feet_per_second", "ft_per_s")
    case .footPerMinute: ("feet_per_minute", "ft_per_minute")
    case .oxygenUptake: ("ml_per_kg_min", "ml_per_kg_min")
    case .physicalEffort: ("calories_per_hour_kg", "kcal_per_kg_h")
    case .watt: ("watts", "w")
    case .kilowatt: ("kilowatts", "kw")
    case .degreeCelsius: ("celsius", "celsius")
    case .degreeFahrenheit: ("fahrenheit", "fahrenheit")
    case .kelvin: ("kelvin", "kelvin")
    case .millimetreOfMercury: ("mmhg", "mmhg")
    case .kilopascal: ("kilopascals", "kpa")
    case .milligramPerDecilitre: ("mg_dl", "mg_per_dl")
    case .gramPerLitre: ("grams_per_liter", "g_per_l")
    case .millimolePerLitre: ("mmol_l", "mmol_per_l")
    case .litre: ("liters", "l")
    case .millilitre: ("milliliters", "ml")
    case .decilitre: ("deciliters", "dl")
    case .centilitre: ("centiliters", "cl")
    case .fluidOunce: ("fluid_ounces", "fl_oz")
    case .imperialFluidOunce: ("fluid_ounces", "fl_oz")
    case .cup: ("cups", "cups")
    case .imperialCup: ("cups", "cups")
    case .pint: ("pints", "pints")
    case .imperialPint: ("pints", "pints")
    case .litrePerMinute: ("liters_per_minute", "l_per_minute")
    case .litrePerSecond: ("liters_per_second", "l_per_s")
    case .millilitrePerMinute: ("milliliters_per_minute", "ml_per_minute")
    case .microgram: ("micrograms", "mcg")
    case .internationalUnit: ("units", "iu")
    case .decibel: ("decibels", "db")
    case .effortScore: ("score", "score")
    case .siemens: ("siemens", "siemens")
    case .microsiemens: ("microsiemens", "microsiemens")
    }
  }
}
