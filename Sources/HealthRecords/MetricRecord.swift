package import HealthModel
package import HealthSamples

/// A row of the table of metrics: one number of a day (R56).
package struct MetricRecord: Hashable, Sendable {
  /// The date in the person's zone.
  package let date: CalendarDate
  /// What the number is, such as `Weight/Body Mass (lb)`.
  package let type: String
  /// In `unit`.
  package let value: Double
  package let unit: String?
  /// The day's IANA name.
  package let timeZoneName: String?

  package init(
    date: CalendarDate, type: String, value: Double, unit: String?, timeZoneName: String?
  ) {
    (self.date, self.type, self.value) = (date, type, value)
    (self.unit, self.timeZoneName) = (unit, timeZoneName)
  }

  /// The row's identity: `2026-01-15_Weight/Body Mass (lb)`.
  package var id: String { Self.id(date, type) }

  package static func id(_ date: CalendarDate, _ type: String) -> String { "\(date)_\(type)" }

  /// The metrics whose type strings document 004 gives: 28.
  package static let given: [DailyMetric] = DailyMetric.inOrder.filter(\.hasGivenRecordType)

  /// A metric's number of a day, in the unit of its rows; nil if the unit does not convert.
  package init?(
    _ metric: DailyMetric, _ number: Double, on date: CalendarDate, timeZoneName: String
  ) {
    guard let value = metric.unit.convert(number, to: metric.recordUnit) else { return nil }
    self.init(
      date: date, type: metric.recordType, value: value, unit: metric.recordUnitLabel,
      timeZoneName: timeZoneName)
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

  /// The rows of a revision.
  package static func records(of revision: DailyRevision) -> [MetricRecord] {
    records(on: revision.date, timeZoneName: revision.day.timeZoneName) {
      revision.reading(of: $0).number
    }
  }
}
