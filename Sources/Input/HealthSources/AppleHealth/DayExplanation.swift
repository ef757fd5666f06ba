internal import AppleExport
package import HealthModel

/// Where each number of one day came from.
package struct DayExplanation: Hashable, Sendable {
  package let date: CalendarDate
  package let zone: ZoneChoice
  /// The day, half-open.
  package let start: ReportingDay.LocalMoment
  package let end: ReportingDay.LocalMoment
  /// The night whose sleep is the day's, half-open.
  package let nightStart: ReportingDay.LocalMoment
  package let nightEnd: ReportingDay.LocalMoment
  /// The required metrics, in their order; then the optional ones of which the day has any sample,
  /// be it one that was left out.
  package let metrics: [MetricExplanation]
  /// Remarks for a person.
  package let notes: [String]
  /// What the samples say beyond the numbers.
  package let detail: DayDetail
}

/// How one metric of a day was made.
package struct MetricExplanation: Hashable, Sendable {
  package let metric: DailyMetric
  package let reading: MetricReading
  /// The best first.
  package let sources: [SourceContribution]
  /// Apple's own figure beside ours, for the metrics that have one.
  package let apple: ActivityComparison?
}

/// What one source had to say about one metric of a day.
package struct SourceContribution: Hashable, Sendable {
  package let name: String
  /// Such as `Watch6,2`; empty where unknown.
  package let hardware: String
  /// Why it has its place: `by_hand`, `preferred`, `watch`, `phone`, `other`, `unnamed`.
  package let place: String
  /// Samples that bear on the day and were counted, wholly or in part.
  package let samples: Int
  /// The metric's number if this were the only source; nil where it would be none.
  package let alone: Double?
  /// Its part of a sum; nil for metrics that are not sums.
  package let counted: Double?
  /// Seconds of its samples within the day or night.
  package let seconds: Int
  /// How many of these better sources covered: they did not count again.
  package let coveredSeconds: Int
  /// Samples that were left out, by reason.
  package let leftOut: [LeftOut: Int]
}

extension DayExplanation {
  /// The same as JSON: members in snake case, null where there is nothing.
  package var json: JSONValue {
    .object([
      "date": .string("\(date)"), "timezone": .string(zone.zones.name(on: date)),
      "timezone_because": .string("\(zone)"), "start": .string("\(start)"),
      "end": .string("\(end)"), "night_start": .string("\(nightStart)"),
      "night_end": .string("\(nightEnd)"), "metrics": .array(metrics.map(\.json)),
      "notes": .array(notes.map { .string($0) }),
    ])
  }
}

extension MetricExplanation {
  package var json: JSONValue {
    .object([
      "metric": .string(metric.rawValue), "status": .string(reading.status.rawValue),
      "value": .number(reading.number), "unit": .string(metric.unitLabel),
      "sources": .array(sources.map(\.json)), "apple": .number(apple?.apple),
      "difference": .number(apple?.difference),
      "agrees_with_apple": apple.map { .bool($0.agrees) } ?? .null,
    ])
  }
}

extension SourceContribution {
  package var json: JSONValue {
    let reasons = leftOut.map { ($0.key.rawValue, JSONValue.number(Double($0.value))) }
    return .object([
      "name": .string(name), "hardware": .string(hardware), "place": .string(place),
      "samples": .number(Double(samples)), "alone": .number(alone), "counted": .number(counted),
      "seconds": .number(Double(seconds)), "covered_seconds": .number(Double(coveredSeconds)),
      "left_out": .object(Dictionary(uniqueKeysWithValues: reasons)),
    ])
  }
}

extension JSONValue {
  fileprivate static func number(_ number: Double?) -> JSONValue {
    number.map { JSONValue.number($0) } ?? .null
  }
}

/// What an explanation is made of, beside the day's figures.
struct ExplainedDay {
  let window: DayWindow
  let samples: DaySamples
  /// The metrics that were made.
  let wanted: Set<DailyMetric>
  let figures: DayFigures
  let sources: SourceTable
  let refused: [RefusedSample]
  let comparisons: [ActivityComparison]

  /// Explains the day; the figures were made of the same samples.
  func explanation(zone: ZoneChoice) throws(ReportingDay.Failure) -> DayExplanation {
    var metrics: [MetricExplanation] = []
    // A latest value is that of one sample.
    for daily in DailyMetric.inOrder where daily.latestOf == nil {
      let sources = wanted.contains(daily) ? try contributions(to: daily) : []
      guard daily.isRequired || !sources.isEmpty else { continue }
      metrics.append(
        MetricExplanation(
          metric: daily, reading: figures.readings[daily] ?? .noData, sources: sources,
          apple: comparisons.first { $0.metric == daily }))
    }
    return DayExplanation(
      date: window.day.date, zone: zone, start: window.day.start, end: window.day.end,
      nightStart: try moment(window.night.lowerBound),
      nightEnd: try moment(window.night.upperBound), metrics: metrics, notes: figures.notes,
      detail: try DayDetail(
        figures, of: samples, in: window, order: sources.order, label: sources.label))
  }

  /// What each source had to say, the best first.
  private func contributions(
    to daily: DailyMetric
  ) throws(ReportingDay.Failure) -> [SourceContribution] {
    let metric = CountedMetric(daily)
    let kind = metric.kind
    let span = metric.span(of: window)
    let shares = figures.shares[daily] ?? []
    let used = samples[kind].filter { metric.takes($0, in: span) }
    let refused = refused.filter { $0.kind == kind && $0.touches(span) }
    let unconvertible = samples.unconvertible(kind).filter { metric.aggregation.reaches($0, span) }
    var numbers = shares.map(\.source)
    let others = used.map(\.source) + refused.map(\.source) + unconvertible.map(\.source)
    for number in Set(others).subtracting(numbers).sorted(by: {
      (sources.order[$0], $0) < (sources.order[$1], $1)
    }) {
      numbers.append(number)
    }
    var contributions: [SourceContribution] = []
    for number in numbers {
      let own = used.filter { $0.source == number }
      // A stage's number depends on the other stages of its source.
      let whole = daily.isOfNight ? samples[kind].filter { $0.source == number } : own
      let share = shares.first { $0.source == number }
      var leftOut = Dictionary(grouping: refused.filter { $0.source == number }, by: \.reason)
        .mapValues(\.count)
      let unknown = unconvertible.count { $0.source == number }
      if unknown > 0 { leftOut[kind.isCategory ? .category : .unit] = unknown }
      contributions.append(
        SourceContribution(
          name: sources.source(number).name, hardware: sources.source(number).hardware,
          place: sources.order[number].rank.word, samples: own.count,
          alone: try metric.number(of: whole, in: window, order: sources.order)
            .map(metric.rounded),
          counted: share.map { $0.counted.roundedToMillionths },
          seconds: own.reduce(0) { $0 + $1.extent.clamped(to: span).count },
          coveredSeconds: share?.coveredSeconds ?? 0, leftOut: leftOut))
    }
    return contributions
  }

  private func moment(_ seconds: Int) throws(ReportingDay.Failure) -> ReportingDay.LocalMoment {
    let moment = Timestamp(secondsSince1970: seconds)
    return ReportingDay.LocalMoment(
      timestamp: moment,
      offsetSeconds: try ReportingDay.offsetSeconds(
        at: moment, timeZoneName: window.day.timeZoneName))
  }
}

extension RefusedSample {
  fileprivate func touches(_ span: Range<Int>) -> Bool {
    range.upperBound > Int64(span.lowerBound) && range.lowerBound < Int64(span.upperBound)
  }
}

extension SourcePriority.Class {
  /// For an explanation.
  fileprivate var word: String {
    switch self {
    case .merged: "merged"
    case .byHand: "by_hand"
    case .preferred: "preferred"
    case .watch: "watch"
    case .phone: "phone"
    case .otherApp: "other"
    case .unnamed: "unnamed"
    }
  }
}
