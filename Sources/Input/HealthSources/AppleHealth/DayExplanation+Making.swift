internal import AppleExport
import HealthModel

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
