import Foundation
import HealthModel
import HealthStreams
import ObjectStore

/// What was sent of the newest days as records, in a small file, so that only days that changed are
/// sent again (R56). A damaged file counts as a missing one: records that are sent again are the same rows.
struct SentRecords {
  private struct Kept: Codable {
    var receiver = ""
    /// Digests by date.
    var days: [String: String] = [:]
  }

  private let file: String
  private var kept = Kept()
  private static let maximumDays = 64

  /// What was sent to this receiver; empty for another one.
  init(file: String, receiver: String) {
    self.file = file
    if let bytes = try? SmallFile.read(file, maximumBytes: 65_536),
      let read = try? JSONDecoder().decode(Kept.self, from: Data(bytes)), read.receiver == receiver
    {
      kept = read
    }
    kept.receiver = receiver
  }

  /// The digest of everything that is sent for a day.
  static func content(
    _ day: ReportingDay, _ readings: [DailyMetric: MetricReading], _ sleep: [SleepSegment],
    _ workouts: [Workout]
  ) -> String {
    let numbers = readings.map { "\($0.key.rawValue) \($0.value)" }.sorted()
    let segments = sleep.map { "\($0)" }.sorted()
    let done = workouts.map { workout in
      var bare = workout
      bare.figures = [:]
      let figures = workout.figures.map { "\($0.key) \($0.value)" }.sorted()
      return "\(bare) \(figures)"
    }.sorted()
    let lines = ["\(day.start) \(day.end)"] + numbers + segments + done
    return SealedBatch.digest(of: Array(lines.joined(separator: "\n").utf8))
  }

  /// Whether this was the last content sent for the date.
  func has(_ content: String, _ date: CalendarDate) -> Bool { kept.days["\(date)"] == content }

  /// The server has confirmed it. If that can't be noted, it is sent again.
  mutating func sent(_ content: String, _ date: CalendarDate) {
    kept.days["\(date)"] = content
    for old in kept.days.keys.sorted().dropLast(Self.maximumDays) { kept.days[old] = nil }
    guard kept.days["\(date)"] != nil, let bytes = try? JSONEncoder().encode(kept) else { return }
    try? SmallFile.replace(file, with: [UInt8](bytes))
  }
}
