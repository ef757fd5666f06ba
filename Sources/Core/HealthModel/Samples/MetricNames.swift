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
    case .mean, .least, .greatest, .level, .latest, .latestTime: .gauge
    }
  }

  /// The name: given, else the key with its unit, and `_total` for a counter. A latest value and its time
  /// stand in the gauge of their metric.
  public var prometheusName: String {
    if let latestOf { return latestOf.prometheusName }
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

  /// The text of the `# HELP` line.
  ///
  /// - Parameter isLatest: whether the gauge has the day's latest value, and not its mean; nil where it has
  ///   either.
  public func prometheusHelp(isLatest: Bool? = false) -> String {
    if isLatest == true || latest == nil, let help = definition.help { return help }
    if case .night = aggregation { return "Minutes of the night: \(label)." }
    let place = [.count, .hour].contains(unit) ? "" : ", in \(unitLabel)"
    guard let isLatest else { return "\(capitalisedLabel), a day's latest or mean\(place)." }
    if isLatest { return "Latest \(label)\(place)." }
    let isMean = aggregation == .mean && kind != .heartRate
    return "\(capitalisedLabel)\(isMean ? ", the mean of a day" : " of the day")\(place)."
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

extension SampleUnit {
  /// The unit as a Prometheus name spells it; empty for plain numbers.
  fileprivate var prometheusWords: [String] {
    switch self {
    case .none, .count, .unknown: []
    case .kilocalorie, .largeCalorie: ["calories"]
    case .smallCalorie: ["small", "calories"]
    case .kilojoule: ["kilojoules"]
    case .joule: ["joules"]
    case .day: ["days"]
    case .minute: ["minutes"]
    case .hour: ["hours"]
    case .second: ["seconds"]
    case .millisecond: ["ms"]
    case .countPerMinute: ["bpm"]
    case .countPerSecond: ["hertz"]
    case .countPerHour: ["per", "hour"]
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
    case .millimetre: ["millimeters"]
    case .mile: ["miles"]
    case .inch: ["inches"]
    case .foot: ["feet"]
    case .yard: ["yards"]
    case .kilometrePerHour: ["km", "per", "hour"]
    case .milePerHour: ["miles", "per", "hour"]
    case .metrePerSecond: ["meters", "per", "second"]
    case .metrePerMinute: ["meters", "per", "minute"]
    case .centimetrePerSecond: ["centimeters", "per", "second"]
    case .footPerSecond: ["feet", "per", "second"]
    case .footPerMinute: ["feet", "per", "minute"]
    case .oxygenUptake: ["ml", "per", "kg", "min"]
    case .physicalEffort: ["calories", "per", "hour", "kg"]
    case .watt: ["watts"]
    case .kilowatt: ["kilowatts"]
    case .degreeCelsius: ["celsius"]
    case .degreeFahrenheit: ["fahrenheit"]
    case .kelvin: ["kelvin"]
    case .millimetreOfMercury: ["mmhg"]
    case .kilopascal: ["kilopascals"]
    case .milligramPerDecilitre: ["mg", "dl"]
    case .millimolePerLitre: ["mmol", "l"]
    case .gramPerLitre: ["grams", "per", "liter"]
    case .litre: ["liters"]
    case .decilitre: ["deciliters"]
    case .centilitre: ["centiliters"]
    case .millilitre: ["milliliters"]
    case .fluidOunce, .imperialFluidOunce: ["fluid", "ounces"]
    case .cup, .imperialCup: ["cups"]
    case .pint, .imperialPint: ["pints"]
    case .litrePerMinute: ["liters", "per", "minute"]
    case .litrePerSecond: ["liters", "per", "second"]
    case .millilitrePerMinute: ["milliliters", "per", "minute"]
    case .internationalUnit: ["units"]
    case .decibel: ["decibels"]
    case .effortScore: ["score"]
    case .siemens: ["siemens"]
    case .microsiemens: ["microsiemens"]
    }
  }
}
