package import HealthModel

/// A row of the table of metrics: one number of a day (R56).
package struct MetricRecord: Hashable, Sendable {
  /// The date in the person's zone.
  package let date: CalendarDate
  /// What the number is, such as `Weight/Body Mass (lb)`.
  package let type: String
  /// In `unit`; nil where the row says that there is none.
  package let value: Double?
  package let unit: String?
  /// The day's IANA name.
  package let timeZoneName: String?

  package init(
    date: CalendarDate, type: String, value: Double?, unit: String?, timeZoneName: String?
  ) {
    (self.date, self.type, self.value) = (date, type, value)
    (self.unit, self.timeZoneName) = (unit, timeZoneName)
  }

  /// The row's identity: `2026-01-15_Weight/Body Mass (lb)`.
  package var id: String { Self.id(date, type) }

  package static func id(_ date: CalendarDate, _ type: String) -> String { "\(date)_\(type)" }

  /// The metrics whose type strings R56 names: 28.
  package static let given: [DailyMetric] = DailyMetric.inOrder.filter(\.hasGivenRecordType)

  /// A metric's number of a day, in the unit of its rows; nil if the unit does not convert.
  package init?(
    _ metric: DailyMetric, _ number: Double, on date: CalendarDate, timeZoneName: String
  ) {
    guard let value = Self.converted(number, from: metric.unit, to: metric.recordUnit) else {
      return nil
    }
    self.init(
      date: date, type: metric.recordType, value: value, unit: metric.recordUnitLabel,
      timeZoneName: timeZoneName)
  }

  /// A day's number in another unit: the shortest decimal that is the same number in the day's unit,
  /// to the six decimals that days have (R18). 157 lb are 71.214002 kg in a day, and 157 lb again
  /// here, not 156.9999998.
  private static func converted(
    _ number: Double, from unit: SampleUnit, to other: SampleUnit
  ) -> Double? {
    guard let value = unit.convert(number, to: other) else { return nil }
    guard unit != other, value.magnitude < 0x1p33 else { return value }
    func rounded(_ number: Double, to scale: Double) -> Double {
      (number * scale).rounded() / scale
    }
    let scales: [Double] = [1, 10, 100, 1000, 10_000, 100_000]
    let shortest = scales.lazy.map { rounded(value, to: $0) }.first { candidate in
      other.convert(candidate, to: unit).map { rounded($0, to: 1_000_000) } == number
    }
    return shortest ?? value
  }

  /// The rows of a day. A metric without a number has none.
  package static func records(
    on date: CalendarDate, timeZoneName: String, _ number: (DailyMetric) -> Double?
  ) -> [MetricRecord] {
    given.compactMap { metric in
      number(metric).flatMap {
        MetricRecord(metric, $0, on: date, timeZoneName: timeZoneName)
      }
    }
  }

  /// Rows of a day that say that it has no number of some metrics.
  package static func none(
    on date: CalendarDate, timeZoneName: String, _ isNone: (DailyMetric) -> Bool
  ) -> [MetricRecord] {
    given.filter(isNone).map {
      MetricRecord(
        date: date, type: $0.recordType, value: nil, unit: $0.recordUnitLabel,
        timeZoneName: timeZoneName)
    }
  }

  package static func records(of revision: DailyRevision) -> [MetricRecord] {
    records(on: revision.date, timeZoneName: revision.day.timeZoneName) {
      revision.reading(of: $0).number
    }
  }
}

/// A number that was posted for a metric, and when it was received (R56).
package struct PostedNumber: Hashable, Sendable {
  package let receivedAt: PreciseMoment
  package let number: Double

  package init(receivedAt: PreciseMoment, number: Double) {
    (self.receivedAt, self.number) = (receivedAt, number)
  }
}

/// A row of the table of workouts (R56).
package struct WorkoutRecord: Hashable, Sendable {
  /// The workout's UUID, lower case.
  package let id: String
  package let type: String
  package let start: PreciseMoment
  package let end: PreciseMoment
  package let durationSeconds: Int?
  package let timeZoneName: String?
  /// By the keys of the column `metrics`; those without data are left out.
  package let metrics: [String: Double]

  package init(
    id: String, type: String, start: PreciseMoment, end: PreciseMoment, durationSeconds: Int?,
    timeZoneName: String?, metrics: [String: Double]
  ) {
    (self.id, self.type, self.start, self.end) = (id, type, start, end)
    (self.durationSeconds, self.timeZoneName) = (durationSeconds, timeZoneName)
    self.metrics = metrics
  }

  /// The row of a workout.
  ///
  /// - Parameter timeZoneName: the zone of the day on which it begins.
  package init(_ workout: Workout, timeZoneName: String) {
    var metrics: [String: Double] = [:]
    for (figure, number) in workout.figures {
      metrics[figure.recordKey] = figure.unit.convert(number, to: figure.recordUnit)
    }
    self.init(
      id: workout.id, type: workout.activity, start: PreciseMoment(secondsSince1970: workout.start),
      end: PreciseMoment(secondsSince1970: workout.end),
      durationSeconds: workout.duration.flatMap { Int(exactly: $0.rounded()) },
      timeZoneName: timeZoneName, metrics: metrics)
  }
}

/// A row of the table of sleep: one period, as a source recorded it (R56).
package struct SleepRecord: Hashable, Sendable {
  /// The period's UUID, lower case.
  package let id: String
  package let start: PreciseMoment
  package let end: PreciseMoment
  package let source: String?
  /// Its length in hours.
  package let hours: Double?
  /// Nil where the row says that it is not known.
  package let value: SleepValue?

  package init(
    id: String, start: PreciseMoment, end: PreciseMoment, source: String?, hours: Double?,
    value: SleepValue?
  ) {
    (self.id, self.start, self.end) = (id, start, end)
    (self.source, self.hours, self.value) = (source, hours, value)
  }

  /// The row of a period.
  package init(_ segment: SleepSegment) {
    self.init(
      id: segment.id, start: PreciseMoment(secondsSince1970: segment.start),
      end: PreciseMoment(secondsSince1970: segment.end), source: segment.source,
      hours: Double(segment.end - segment.start) / 3600, value: segment.value)
  }
}
