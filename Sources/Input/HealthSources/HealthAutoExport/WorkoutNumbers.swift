import HealthModel

/// The numbers of one workout, wherever its version puts them.
struct WorkoutNumbers {
  /// The members that figures are made of.
  static let members: Set<String> = [
    "distance", "activeEnergyBurned", "activeEnergy", "totalEnergy", "basalEnergy", "avgHeartRate",
    "maxHeartRate", "heartRate", "avgSpeed", "speed", "maxSpeed", "stepCount",
    "totalSwimmingStrokeCount", "swimStroke", "elevation", "elevationUp", "elevationDown",
  ]

  private let row: JSONValue
  /// What was given and can't be used.
  private(set) var faults: [String] = []

  init(_ row: JSONValue) { self.row = row }

  /// The first version gives a 0 for each number that HealthKit does not have.
  private var isFirstVersion: Bool {
    ["elevation", "totalEnergy", "activeEnergy", "stepCount"].contains {
      row[$0]?.objectValue != nil || row[$0]?.numberValue != nil
    }
  }

  /// Seconds without pauses; nil where the payload does not say.
  var duration: Double? {
    mutating get {
      guard let value = row["duration"], value != .null else { return nil }
      guard let seconds = value.numberValue, (0...QuantitySample.greatestQuantity).contains(seconds)
      else {
        faults.append("duration is not a number of 0 or more")
        return nil
      }
      return isFirstVersion && seconds == 0 ? nil : seconds
    }
  }

  /// All that the payload has.
  var figures: [WorkoutFigure: Double] {
    mutating get {
      var figures: [WorkoutFigure: Double] = [:]
      let isFirstVersion = isFirstVersion
      for figure in WorkoutFigure.allCases {
        guard let number = number(of: figure), number > 0 || !isFirstVersion else { continue }
        figures[figure] = number.roundedToMillionths
      }
      return figures
    }
  }

  private mutating func number(of figure: WorkoutFigure) -> Double? {
    switch figure {
    case .distance: return number("distance", figure)
    case .activeEnergy:
      return number("activeEnergyBurned", figure) ?? number("activeEnergy", figure)
    case .totalEnergy:
      if let total = number("totalEnergy", figure) { return total }
      // The second version gives the two parts; the energy at rest as a series only.
      guard row["basalEnergy"]?.arrayValue?.isEmpty == false,
        let basal = number("basalEnergy", figure),
        let active = number(of: .activeEnergy)
      else { return nil }
      return active + basal
    case .averageHeartRate: return number("avgHeartRate", figure) ?? heartRate("avg", figure)
    case .maximumHeartRate: return number("maxHeartRate", figure) ?? heartRate("max", figure)
    case .averageSpeed: return number("avgSpeed", figure) ?? number("speed", figure)
    case .maximumSpeed: return number("maxSpeed", figure)
    case .steps: return number("stepCount", figure)
    case .swimmingStrokes:
      return number("totalSwimmingStrokeCount", figure) ?? number("swimStroke", figure)
    case .elevationAscended: return number("elevationUp", figure) ?? climb("ascent", figure)
    case .elevationDescended: return number("elevationDown", figure) ?? climb("descent", figure)
    }
  }

  private mutating func heartRate(_ name: String, _ figure: WorkoutFigure) -> Double? {
    guard let value = row["heartRate"]?[name] else { return nil }
    return number(value, "heartRate.\(name)", figure)
  }

  /// Of the first version: both in one object, with one unit.
  private mutating func climb(_ name: String, _ figure: WorkoutFigure) -> Double? {
    guard let elevation = row["elevation"], let value = elevation[name] else { return nil }
    return counted(value, elevation["units"], "elevation.\(name)", figure)
  }

  private mutating func number(_ name: String, _ figure: WorkoutFigure) -> Double? {
    row[name].flatMap { number($0, name, figure) }
  }

  /// `{qty, units}`, a series of them, which is added up, or a bare number of things.
  private mutating func number(
    _ value: JSONValue, _ name: String, _ figure: WorkoutFigure
  ) -> Double? {
    switch value {
    case .null: return nil
    case .object: return counted(value["qty"] ?? .null, value["units"], name, figure)
    case .number where figure.unit == .count: return counted(value, .string("count"), name, figure)
    case .array(let rows):
      var numbers: [Double] = []
      for row in rows {
        guard let number = counted(row["qty"] ?? .null, row["units"], name, figure) else {
          return nil
        }
        numbers.append(number)
      }
      return numbers.isEmpty ? nil : numbers.sorted().reduce(0, +)
    default: return fault("\(name) has no unit")
    }
  }

  private mutating func counted(
    _ value: JSONValue, _ unit: JSONValue?, _ name: String, _ figure: WorkoutFigure
  ) -> Double? {
    if value == .null { return nil }
    guard let number = value.numberValue, (0...QuantitySample.greatestQuantity).contains(number)
    else { return fault("\(name) is not a number of 0 or more") }
    guard let spelling = unit?.stringValue else {
      // Steps and strokes have no other unit.
      return figure.unit == .count ? number : fault("\(name) has no unit")
    }
    guard let counted = UnitReading(spelling)?.convert(number, to: figure.unit)
    else { return fault("the unit '\(spelling.prefix(40))' of \(name) can't be converted") }
    return counted
  }

  private mutating func fault(_ words: String) -> Double? {
    if !faults.contains(words) { faults.append(words) }
    return nil
  }
}
