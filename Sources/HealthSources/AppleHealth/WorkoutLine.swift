internal import AppleExport

/// The workouts of an export, the oldest first, handed out day by day.
struct WorkoutLine {
  private let workouts: [ExportWorkout]
  private var index = 0

  /// Takes them in any order; one that stands there twice counts once.
  init(_ workouts: [ExportWorkout]) {
    let sorted = workouts.sorted { $0.sortKey < $1.sortKey }
    var distinct: [ExportWorkout] = []
    for workout in sorted where workout != distinct.last { distinct.append(workout) }
    self.workouts = distinct
  }

  /// When the next one begins; seconds since 1970.
  var nextStart: Int? { index < workouts.count ? Int(workouts[index].start) : nil }

  /// Those that begin before a moment and were not handed out yet.
  mutating func take(before end: Int) -> [ExportWorkout] {
    let first = index
    while index < workouts.count, Int(workouts[index].start) < end { index += 1 }
    return Array(workouts[first..<index])
  }
}

extension ExportWorkout {
  fileprivate var sortKey: (Int64, Int64, String, Double, Double, UInt16) {
    (start, end, activity, energy ?? -1, distance ?? -1, source)
  }
}
