import HealthModel

/// Reads the workouts of payloads, of the app's first and second version.
///
/// A workout that can't be placed in time is left out, and a number in an unknown unit is: both are
/// counted, and never guessed.
struct WorkoutReader {
  /// By id: of several captures of one workout the last counts.
  private(set) var workouts: [String: Workout] = [:]
  private var passedOver = 0
  private(set) var leftOut = LeftOutRows()
  private var unnamed: [String: Int] = [:]
  /// Members that no figure is made of, by the workouts that have them.
  private var unused: [String: Int] = [:]

  /// Most names of activities that are kept.
  private static let maximumNames = 1000

  /// Counts workouts that nobody wants.
  mutating func passOver(_ count: Int) { passedOver += count }

  /// Looks for what is wrong with a workout that is read elsewhere.
  ///
  /// - Parameter calendar: that of any zones. What is read changes nothing of the rows beside it.
  mutating func check(_ row: JSONValue, at pointer: String, in calendar: ZoneCalendar) {
    var (aside, reader) = (
      WorkoutReader(), RowReader(calendar: calendar, problems: ProblemList())
    )
    aside.add(row, at: pointer, reader: &reader)
    leftOut.take(aside.leftOut)
  }

  /// Reads a workout.
  mutating func add(_ row: JSONValue, at pointer: String, reader: inout RowReader) {
    do throws(InvalidText) {
      let workout = try read(row, at: pointer, reader: &reader)
      workouts[workout.id] = workout
      countUnused(row)
    } catch {
      leftOut.add("workouts: \(error.message)", first: pointer)
    }
  }

  /// Remarks for a person.
  var notes: [String] {
    var notes = leftOut.notes
    if passedOver > 0 {
      notes.append("\(passedOver) \(passedOver == 1 ? "workout was" : "workouts were") not used")
    }
    if !unused.isEmpty {
      notes.append(
        "not used of workouts: \(NamedCounts.list(unused, "workout", "workouts"))")
    }
    if !unnamed.isEmpty {
      let names = unnamed.sorted { $0.key < $1.key }
      let listed = names.map { "\($0.key) (\($0.value))" }.joined(separator: ", ")
      notes.append("workouts: names that HealthKit does not have stay as they are: \(listed)")
    }
    return notes
  }

  /// What is read of a workout.
  private static let members = WorkoutNumbers.members.union([
    "id", "name", "start", "end", "duration", "source",
  ])

  private mutating func countUnused(_ row: JSONValue) {
    for (name, value) in row.objectValue ?? [:] where !Self.members.contains(name) {
      let isEmpty = value.arrayValue?.isEmpty ?? value.objectValue?.isEmpty ?? (value == .null)
      if !isEmpty { NamedCounts.count(1, of: name, in: &unused) }
    }
  }

  /// - Throws: why it is left out.
  private mutating func read(
    _ row: JSONValue, at pointer: String, reader: inout RowReader
  ) throws(InvalidText) -> Workout {
    guard row.objectValue != nil else { throw InvalidText("not an object") }
    let start = try moment(row["start"], "start", reader: &reader)
    let end = try moment(row["end"], "end", reader: &reader)
    guard start <= end else { throw InvalidText("the end lies before the start") }
    guard end - start <= QuantitySample.longestStretch else {
      throw InvalidText("longer than 31 days")
    }
    let name = row["name"]?.stringValue ?? ""
    let activity = WorkoutName(name)
    if !activity.isOfHealthKit, unnamed[activity.name] != nil || unnamed.count < Self.maximumNames {
      unnamed[activity.name, default: 0] += 1
    }
    let source = row["source"]?.stringValue ?? ""
    var numbers = WorkoutNumbers(row)
    let duration = numbers.duration
    let figures = numbers.figures
    for fault in numbers.faults { leftOut.add("workouts: \(fault)", first: pointer) }
    return Workout(
      id: id(of: row)
        ?? SampleIdentity(
          type: "HKWorkoutActivityType" + activity.name, source: source, hardware: "",
          start: Int64(start), end: Int64(end)
        ).uuid,
      activity: activity.name, start: Int64(start), end: Int64(end), duration: duration,
      source: source, figures: figures)
  }

  private func id(of row: JSONValue) -> String? {
    guard let id = row["id"]?.stringValue?.lowercased(), (1...128).contains(id.utf8.count) else {
      return nil
    }
    return id
  }

  private func moment(
    _ value: JSONValue?, _ name: String, reader: inout RowReader
  ) throws(InvalidText) -> Int {
    guard let value, value != .null else { throw InvalidText("no \(name)") }
    do throws(ExportedDate.Fault) {
      guard let text = value.stringValue else { throw .noText }
      let date = try ExportedDate.read(text)
      guard let moment = date.moment else { throw .form }
      reader.note(date)
      return moment
    } catch {
      // Without the date itself, so that workouts with one fault take one line.
      throw InvalidText(
        "the \(name) is not a date with a time and an offset"
          + (error.setting.map { " (\($0))" } ?? ""))
    }
  }
}

extension WorkoutReader {
  /// The workouts in the order of their times.
  var inOrder: [Workout] {
    workouts.values.sorted { ($0.start, $0.end, $0.id) < ($1.start, $1.end, $1.id) }
  }
}

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

/// What was done in a workout, by the name that the app gives it.
struct WorkoutName {
  /// As HealthKit names it without `HKWorkoutActivityType`; else as the payload has it.
  let name: String
  let isOfHealthKit: Bool

  init(_ given: String) {
    let given = given.prefix(100).split(whereSeparator: \.isWhitespace).joined(separator: " ")
    var key = given.lowercased().filter { $0.isLetter || $0.isNumber }
    if key.hasPrefix("hkworkoutactivitytype") { key.removeFirst("hkworkoutactivitytype".count) }
    if let known = Self.byKey[key] {
      (name, isOfHealthKit) = (known, true)
    } else {
      (name, isOfHealthKit) = (given.isEmpty ? "Other" : given, false)
    }
  }

  private static let byKey: [String: String] = {
    var names: [String: String] = [:]
    for name in ofHealthKit { names[name.lowercased()] = name }
    return names.merging(others) { own, _ in own }
  }()

  /// How the app and the Fitness app call activities otherwise.
  private static let others = [
    "outdoorrun": "Running", "indoorrun": "Running", "outdoorrunning": "Running",
    "indoorrunning": "Running", "treadmill": "Running",
    "outdoorwalk": "Walking", "indoorwalk": "Walking", "outdoorwalking": "Walking",
    "indoorwalking": "Walking",
    "outdoorcycle": "Cycling", "indoorcycle": "Cycling", "outdoorcycling": "Cycling",
    "indoorcycling": "Cycling", "outdoorbike": "Cycling", "indoorbike": "Cycling",
    "poolswim": "Swimming", "openwaterswim": "Swimming", "poolswimming": "Swimming",
    "openwaterswimming": "Swimming",
    "hiit": "HighIntensityIntervalTraining", "rower": "Rowing", "indoorrow": "Rowing",
    "outdoorrow": "Rowing", "stairstepper": "StairClimbing", "stepper": "StairClimbing",
    "mindbody": "MindAndBody", "multisport": "SwimBikeRun",
  ]

  /// The cases of `HKWorkoutActivityType`.
  private static let ofHealthKit = [
    "AmericanFootball", "Archery", "AustralianFootball", "Badminton", "Barre", "Baseball",
    "Basketball", "Bowling", "Boxing", "CardioDance", "Climbing", "Cooldown", "CoreTraining",
    "Cricket", "CrossCountrySkiing", "CrossTraining", "Curling", "Cycling", "Dance",
    "DanceInspiredTraining", "DiscSports", "DownhillSkiing", "Elliptical", "EquestrianSports",
    "Fencing", "Fishing", "FitnessGaming", "Flexibility", "FunctionalStrengthTraining", "Golf",
    "Gymnastics", "HandCycling", "Handball", "HighIntensityIntervalTraining", "Hiking", "Hockey",
    "Hunting", "JumpRope", "Kickboxing", "Lacrosse", "MartialArts", "MindAndBody", "MixedCardio",
    "MixedMetabolicCardioTraining", "Other", "PaddleSports", "Pickleball", "Pilates", "Play",
    "PreparationAndRecovery", "Racquetball", "Rowing", "Rugby", "Running", "Sailing",
    "SkatingSports", "SnowSports", "Snowboarding", "Soccer", "SocialDance", "Softball", "Squash",
    "StairClimbing", "Stairs", "StepTraining", "SurfingSports", "SwimBikeRun", "Swimming",
    "TableTennis", "TaiChi", "Tennis", "TrackAndField", "TraditionalStrengthTraining",
    "Transition", "UnderwaterDiving", "Volleyball", "Walking", "WaterFitness", "WaterPolo",
    "WaterSports", "WheelchairRunPace", "WheelchairWalkPace", "Wrestling", "Yoga",
  ]
}
