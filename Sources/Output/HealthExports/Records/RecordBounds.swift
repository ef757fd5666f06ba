package import HealthModel

/// What the numbers and dates of records may be (R56): what no living person has is a mistake of
/// units or of a program.
package struct RecordBounds: Sendable {
  /// The first and the last date.
  package let dates: ClosedRange<CalendarDate>
  /// From the beginning of the first date to the end of the last, in UTC.
  package let moments: ClosedRange<PreciseMoment>

  /// Dates from 1900 to tomorrow.
  package init(now: Timestamp) {
    let today = now.utcDate
    let first = CalendarDate(year: 1900, month: 1, day: 1) ?? today
    let last = max(first, today.adding(days: 1) ?? today)
    dates = first...last
    moments =
      PreciseMoment(
        secondsSince1970: Int64(first.daysSince1970) * 86_400)...PreciseMoment(
        secondsSince1970: Int64(last.daysSince1970 + 1) * 86_400)
  }

  /// The longest workout or period of sleep, in seconds.
  package static let maximumSpan = 31 * 86_400

  /// Hours of a period of sleep.
  package static let hours = 0.0...25

  /// The numbers of a type of metric; those of a type that is not in the catalogue are only kept
  /// from being absurd.
  package static func values(of type: String) -> ClosedRange<Double> {
    metrics[type] ?? -1e12...1e12
  }

  /// The numbers of a workout's figure.
  package static func values(of figure: WorkoutFigure) -> ClosedRange<Double> {
    switch figure {
    case .distance: 0...1000
    case .totalEnergy, .activeEnergy: 0...50_000
    case .averageHeartRate, .maximumHeartRate: 20...300
    case .averageSpeed, .maximumSpeed: 0...300
    case .steps: 0...500_000
    case .swimmingStrokes: 0...100_000
    case .elevationAscended, .elevationDescended: 0...30_000
    }
  }

  private static let metrics = Dictionary(
    DailyMetric.allCases.map { ($0.recordType, values(of: $0)) },
    uniquingKeysWith: { first, _ in first })

  private static func values(of metric: DailyMetric) -> ClosedRange<Double> {
    switch metric {
    case .bodyMassIndex: 2...300
    case .waist: 2...300
    case .vo2Max: 1...150
    default: values(in: metric.recordUnit, isOfHeart: metric.group == .heart)
    }
  }

  private static func values(in unit: SampleUnit, isOfHeart: Bool) -> ClosedRange<Double> {
    switch unit {
    case .countPerMinute: isOfHeart ? 20...300 : 0...1000
    case .pound: 2...1500
    case .hour: 0...25
    case .minute: 0...1500
    case .percent: 0...100
    case .millisecond: 0...10_000
    case .mile: 0...1000
    case .milePerHour: 0...100
    case .kilocalorie, .gram: 0...100_000
    default: -1e9...1e9
    }
  }
}
