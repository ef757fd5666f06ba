package import HealthLedger
package import HealthModel
package import HealthSources
import HealthStreams

extension DayDeriver {
  /// The course of a day according to its samples and payloads (R59).
  package struct Course: Sendable {
    /// Of the kinds that were asked for.
    package var samples: [TypedSample] = []
    /// Workouts that begin on the day. If a workout was sent several times, the last one counts.
    package var workouts: [Workout] = []
    /// From payloads, near the day.
    package var sleep: [SleepSegment] = []
    package var heart: [PayloadCourse.Beat] = []
  }

  /// The course of a day and of the night before it. Nothing is written.
  ///
  /// - Parameter kinds: the kinds of samples to return.
  package func course(
    of kinds: [SampleKind], on day: ReportingDay
  ) async throws(LedgerError) -> Course {
    let batches = try await listed(day.date).batches
    var course = Course()
    course.samples = try await samples(
      of: kinds, on: day, in: batches.filter { $0.place.stream == .healthKit })
    var readings: [PayloadReading] = []
    var unread: [ListedBatch] = []
    for listed in batches where listed.place.stream == .healthAutoExport {
      if let known = courses[listed.key.rawValue] {
        readings += known
      } else {
        unread.append(listed)
      }
    }
    var iterator = streams.readings(of: unread).makeAsyncIterator()
    while let reading = try await next(&iterator) {
      let found = PostedPayload.all(in: try Self.batch(reading.result, of: reading.listed))
        .map(PayloadReading.init)
      courses.keep(
        found, reading.listed.key.rawValue, cost: found.reduce(1024) { $0 + $1.course.cost })
      readings += found
    }
    let stored = try await zones.readOnce()
    let inOrder = PostedPayload.whole(readings.map(\.posted))
      .filter { $0.allSatisfy { stored.counts(readings[$0].posted.run) } }
      .joined().map { readings[$0] }
    course.add(inOrder, on: day)
    return course
  }
}

extension DayDeriver.Course {
  /// Adds what payloads say, in the order of their receipt.
  fileprivate mutating func add(_ readings: [PayloadReading], on day: ReportingDay) {
    let range = day.start.timestamp.secondsSince1970..<day.end.timestamp.secondsSince1970
    // A night begins on the evening before.
    let night = range.lowerBound - 86_400..<range.upperBound
    var (byID, segments): ([String: Workout], [String: SleepSegment]) = ([:], [:])
    var beats: [Int: PayloadCourse.Beat] = [:]
    for reading in readings {
      for workout in reading.course.workouts { byID[workout.id] = workout }
      for segment in reading.course.sleep
      where segment.start < night.upperBound && segment.end > night.lowerBound {
        segments[segment.id] = segment
      }
      for beat in reading.course.heart where range.contains(beat.at) { beats[beat.at] = beat }
    }
    workouts = byID.values.filter { range.contains(Int($0.start)) }.sorted {
      ($0.start, $0.end, $0.id) < ($1.start, $1.end, $1.id)
    }
    sleep = segments.values.sorted { ($0.start, $0.end, $0.id) < ($1.start, $1.end, $1.id) }
    heart = beats.values.sorted { $0.at < $1.at }
  }
}

/// A posted payload with the course of days that it describes.
struct PayloadReading: Sendable {
  let posted: PostedPayload
  let course: PayloadCourse

  init(_ posted: PostedPayload) {
    course =
      posted.payload.map { PayloadCourse(of: $0, hasMoments: posted.rowLength != .moreThanDay) }
      ?? PayloadCourse(of: .null)
    self.posted = posted.withoutEntry
  }
}

extension DayDeriver {
  /// What is said of payloads that are about no day, because no row of theirs has a date that can be
  /// read (R55). Whoever makes days never reads them.
  ///
  /// - Parameter dates: the UTC dates on which they came.
  /// - Returns: sentences for people, each once; none where the payloads can't be read.
  package func undated(receivedOn dates: ClosedRange<CalendarDate>) async -> [String] {
    guard let listing = try? await streams.batches(of: .healthAutoExport, on: dates) else {
      return []
    }
    var said: Set<String> = []
    var sentences: [String] = []
    var readings = streams.readings(of: Array(listing.batches.suffix(Self.mostUndated)))
      .makeAsyncIterator()
    while let reading = try? await next(&readings) {
      guard let batch = try? Self.batch(reading.result, of: reading.listed) else { continue }
      for payload in PostedPayload.all(in: batch).compactMap(\.payload)
      where PayloadMoments.spans(of: payload).isEmpty {
        let notes =
          ["the payload has no rows of metrics with dates"] + CaptureRows.leftOut(of: payload).notes
        sentences += notes.map { "Health Auto Export: \($0)" }.filter { said.insert($0).inserted }
      }
    }
    return sentences
  }

  /// Most payloads that are looked at, the newest ones.
  private static var mostUndated: Int { 50 }
}
