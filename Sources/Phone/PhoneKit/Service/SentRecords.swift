import Foundation
import HealthExports
import HealthModel
import HealthStreams
import ObjectStore

/// The records of some days, of which one request of each kind is made.
struct RecordsOfDays {
  private(set) var dates: [CalendarDate] = []
  /// By date, of those whose records are in it.
  private(set) var digests: [CalendarDate: String] = [:]
  private var metrics: [MetricRecord] = []
  private var sleep: [SleepRecord] = []
  private var workouts: [WorkoutRecord] = []
  /// Whether rows say that there is no number any more. They are not part of the digest: said once, they are
  /// not said again.
  private(set) var takesBack = false

  /// Most days without a record in between, so that a run that is ended goes on near its end.
  private static let maximumDays = 64

  init() {}

  /// The records of a day.
  ///
  /// - Parameter deleted: the feeds of which something was deleted. Of their metrics the day may have had
  ///   numbers that it has no more.
  init(
    _ day: ReportingDay, _ readings: [DailyMetric: MetricReading], _ sleep: [SleepSegment],
    _ workouts: [Workout], deleted: Set<String> = []
  ) {
    dates = [day.date]
    metrics = MetricRecord.records(on: day.date, timeZoneName: day.timeZoneName) {
      readings[$0]?.number
    }
    self.sleep = sleep.map(SleepRecord.init)
    self.workouts = workouts.map { WorkoutRecord($0, timeZoneName: day.timeZoneName) }
    digests[day.date] = SealedBatch.digest(of: batches.flatMap(\.body))
    let none = MetricRecord.none(on: day.date, timeZoneName: day.timeZoneName) {
      deleted.contains($0.kind.identifier) && readings[$0]?.number == nil
    }
    takesBack = !none.isEmpty
    metrics += none
  }

  /// A date that has no records, or none that have to be sent.
  init(nothingOf date: CalendarDate) { dates = [date] }

  /// One for each kind that has any.
  var batches: [RecordBatch] {
    [.metrics(metrics), .sleep(sleep), .workouts(workouts)].filter { $0.count > 0 }
  }

  /// Whether a request holds those of other days as well.
  func hasRoom(for other: RecordsOfDays) -> Bool {
    let most = RecordBatch.usualCount
    return dates.count < Self.maximumDays && metrics.count + other.metrics.count <= most
      && sleep.count + other.sleep.count <= most
      && workouts.count + other.workouts.count <= most
  }

  mutating func add(_ other: RecordsOfDays) {
    dates += other.dates
    digests.merge(other.digests) { $1 }
    metrics += other.metrics
    sleep += other.sleep
    workouts += other.workouts
  }
}

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

  /// Whether what was sent last for a day is all of this.
  func has(_ records: RecordsOfDays) -> Bool {
    !records.takesBack && records.digests.allSatisfy { kept.days["\($0.key)"] == $0.value }
  }

  /// The server has confirmed it. If that can't be noted, it is sent again.
  mutating func sent(_ records: RecordsOfDays) {
    let before = kept.days
    for (date, digest) in records.digests { kept.days["\(date)"] = digest }
    for old in kept.days.keys.sorted().dropLast(Self.maximumDays) { kept.days[old] = nil }
    guard kept.days != before, let bytes = try? JSONEncoder().encode(kept) else { return }
    try? SmallFile.replace(file, with: [UInt8](bytes))
  }
}
