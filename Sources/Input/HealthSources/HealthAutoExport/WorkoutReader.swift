import HealthModel

/// Reads the workouts of payloads, of the app's first and second version.
///
/// A workout that can't be placed in time is left out, and a number in an unknown unit is: both are
/// counted, and never guessed.
struct WorkoutReader {
  /// By id: of several captures of one workout the last counts.
  private(set) var workouts: [String: Workout] = [:]
  private var passedOver = 0
  private var leftOut = LeftOutRows()
  private var unnamed: [String: Int] = [:]
  /// Members that no figure is made of, by the workouts that have them.
  private var unused: [String: Int] = [:]

  /// Most names of activities that are kept.
  private static let maximumNames = 1000

  /// Counts workouts that nobody wants.
  mutating func passOver(_ count: Int) { passedOver += count }

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
    guard let date = value.stringValue.flatMap({ ExportedDate($0) }), let moment = date.moment
    else {
      throw InvalidText("the \(name) is not a date with a time and an offset")
    }
    reader.note(date)
    return moment
  }
}

extension WorkoutReader {
  /// The workouts in the order of their times.
  var inOrder: [Workout] {
    workouts.values.sorted { ($0.start, $0.end, $0.id) < ($1.start, $1.end, $1.id) }
  }
}
