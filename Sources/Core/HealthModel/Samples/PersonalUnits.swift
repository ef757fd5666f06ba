/// The units that a person likes, where they are others than those of documents: pounds, miles,
/// degrees Fahrenheit and so on. Documents and their digests stay as they are.
package struct PersonalUnits: Hashable, Sendable {
  private let units: [SampleUnit]

  /// As documents have them.
  package static let stored = PersonalUnits([])

  private init(_ units: [SampleUnit]) { self.units = units }

  /// The units that can be chosen, by their names.
  package static let choices: [(name: String, unit: SampleUnit)] = [
    ("lb", .pound), ("st", .stone), ("mi", .mile), ("ft", .foot), ("in", .inch),
    ("°F", .degreeFahrenheit), ("kJ", .kilojoule), ("mmol/L", .millimolePerLitre),
    ("fl oz", .fluidOunce),
  ]

  /// Reads names with commas between them, such as `lb, mi, °F, kJ`. Nil if one is not a choice.
  package init?(_ text: String) {
    var units: [SampleUnit] = []
    for part in text.split(separator: ",") {
      let name = part.split(separator: " ").joined(separator: " ").lowercased()
      guard !name.isEmpty else { continue }
      guard let choice = Self.choices.first(where: { Self.isSame($0, name) }) else { return nil }
      units.append(choice.unit)
    }
    self.init(units)
  }

  private static func isSame(_ choice: (name: String, unit: SampleUnit), _ name: String) -> Bool {
    [choice.name.lowercased(), choice.unit.rawValue.lowercased()].contains(name)
      || (choice.unit == .degreeFahrenheit && name == "f")
  }

  /// In which unit a metric's numbers are shown, and what it is called. Nil for that of documents.
  package func unit(of metric: DailyMetric) -> (unit: SampleUnit, name: String)? {
    let (wanted, name): ([SampleUnit], String?) =
      switch metric.unit {
      case .kilogram: ([.pound, .stone], nil)
      case .kilocalorie: ([.kilojoule], nil)
      case .metre where metric.aggregation == .sum: ([.mile], nil)
      case .kilometrePerHour: ([.mile], "mph")
      case .metre: ([.foot], nil)
      case .centimetre: ([.inch], nil)
      case .degreeCelsius: ([.degreeFahrenheit], "°F")
      case .milligramPerDecilitre: ([.millimolePerLitre], nil)
      case .millilitre: ([.fluidOunce], "fl oz")
      default: ([], nil)
      }
    guard let chosen = units.first(where: wanted.contains) else { return nil }
    let unit = metric.unit == .kilometrePerHour ? SampleUnit.milePerHour : chosen
    return metric.unit.convert(0, to: unit) == nil ? nil : (unit, name ?? unit.rawValue)
  }
}

/// What a person wants to reach in a day, by metric, in the units of documents.
package struct PersonalGoals: Hashable, Sendable {
  package private(set) var numbers: [DailyMetric: Double] = [:]

  /// Reads goals with commas between them, such as `exercise_minutes=30, stand_hours=12`, by the keys
  /// of metrics.
  package init(_ text: String) throws(InvalidText) {
    for part in text.split(separator: ",") {
      let pair = part.split(separator: "=", maxSplits: 1).map(Self.withoutSpaces)
      guard pair.count == 2, let metric = DailyMetric.named(pair[0]), let number = Double(pair[1]),
        number > 0, metric.plausible.contains(number)
      else { throw InvalidText("\"\(Self.withoutSpaces(part).prefix(60))\" is not a goal") }
      numbers[metric] = number
    }
  }

  private static func withoutSpaces(_ text: Substring) -> String {
    let start = text.drop { $0 == " " || $0 == "\t" }
    return start.lastIndex { $0 != " " && $0 != "\t" }.map { String(start[...$0]) } ?? ""
  }
}
