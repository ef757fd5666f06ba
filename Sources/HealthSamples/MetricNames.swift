/// What a metric is called in PostgreSQL.
extension DailyMetric {
  /// The type string of its rows: one of the 28 that are given, else made of label and unit.
  public var recordType: String {
    if let type = definition.table?.type { return type }
    let words = label.split(separator: " ").map { word in
      word.prefix(1).uppercased() + word.dropFirst()
    }
    return "\(words.joined(separator: " ")) (\(unitLabel))"
  }

  /// Whether the type string is one of the 28 that are given.
  public var hasGivenRecordType: Bool { definition.table != nil }

  /// The unit of its rows' numbers.
  public var recordUnit: SampleUnit { definition.table?.unit ?? unit }

  /// The unit as its rows write it: what stands in the brackets of the type string.
  public var recordUnitLabel: String {
    guard let open = recordType.firstRange(of: " (") else { return recordUnit.rawValue }
    return String(recordType[open.upperBound...].dropLast())
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
    case .mean, .least, .greatest, .level: .gauge
    }
  }

  /// The name: given, else the key with its unit, and `_total` for a counter.
  public var prometheusName: String {
    if let name = definition.prometheus { return name }
    var words = rawValue.split(separator: "_").map(String.init)
    if aggregation == .mean, words.last == "avg", kind != .heartRate { words.removeLast() }
    let unit = unit.prometheusWords
    if !words.reversed().starts(with: unit.reversed()) { words += unit }
    if prometheusType == .counter { words.append("total") }
    return "healthkit_" + words.joined(separator: "_")
  }

  /// The value of the label `unit`; nil where the name says the unit.
  public var prometheusUnit: String? { unit.prometheusWords.isEmpty ? unitLabel : nil }

  /// The text of its `# HELP` line.
  public var prometheusHelp: String {
    if let help = definition.help { return help }
    let name = label.prefix(1).uppercased() + label.dropFirst()
    return unit == .count ? "\(name) of the day." : "\(name) of the day, in \(unitLabel)."
  }
}

extension SampleUnit {
  /// The unit as a Prometheus name spells it; empty for plain numbers.
  fileprivate var prometheusWords: [String] {
    switch self {
    case .none, .count, .unknown: []
    case .kilocalorie, .largeCalorie: ["calories"]
    case .smallCalorie: ["small", "calories"]
    case .kilojoule: ["kilojoules"]
    case .minute: ["minutes"]
    case .hour: ["hours"]
    case .second: ["seconds"]
    case .millisecond: ["ms"]
    case .countPerMinute: ["bpm"]
    case .countPerSecond: ["hertz"]
    case .percent: ["percent"]
    case .kilogram: ["kg"]
    case .gram: ["grams"]
    case .milligram: ["milligrams"]
    case .microgram: ["micrograms"]
    case .pound: ["pounds"]
    case .stone: ["stones"]
    case .ounce: ["ounces"]
    case .kilometre: ["kilometers"]
    case .metre: ["meters"]
    case .centimetre: ["centimeters"]
    case .mile: ["miles"]
    case .inch: ["inches"]
    case .foot: ["feet"]
    case .yard: ["yards"]
    case .kilometrePerHour: ["km", "per", "hour"]
    case .milePerHour: ["miles", "per", "hour"]
    case .metrePerSecond: ["meters", "per", "second"]
    case .oxygenUptake: ["ml", "per", "kg", "min"]
    case .physicalEffort: ["calories", "per", "hour", "kg"]
    case .watt: ["watts"]
    case .degreeCelsius: ["celsius"]
    case .degreeFahrenheit: ["fahrenheit"]
    case .kelvin: ["kelvin"]
    case .millimetreOfMercury: ["mmhg"]
    case .kilopascal: ["kilopascals"]
    case .milligramPerDecilitre: ["mg", "dl"]
    case .millimolePerLitre: ["mmol", "l"]
    case .litre: ["liters"]
    case .millilitre: ["milliliters"]
    case .fluidOunce, .imperialFluidOunce: ["fluid", "ounces"]
    case .cup: ["cups"]
    case .pint, .imperialPint: ["pints"]
    case .litrePerMinute: ["liters", "per", "minute"]
    case .internationalUnit: ["units"]
    case .decibel: ["decibels"]
    case .effortScore: ["score"]
    case .siemens: ["siemens"]
    case .microsiemens: ["microsiemens"]
    }
  }
}
