import HealthModel

/// Days of the past under the names and labels of a push, so that the series of both are one (R57).
package struct PushedHistory: Sendable {
  private let job: String
  private let instance: String
  private let metrics: [DailyMetric]
  private var days: [CalendarDate: PushedDay] = [:]

  package init(job: String, instance: String, selection: PushSelection = .all) {
    (self.job, self.instance) = (job, instance)
    metrics = DailyMetric.inOrder.filter { selection.metrics.contains($0) }
  }

  /// Adds a day. Of one date the last counts.
  package mutating func add(_ day: PushedDay) { days[day.date] = day }

  package var dayCount: Int { days.count }

  /// A family for each metric that any day has, one sample a day: its total, or what its gauge says.
  ///
  /// A sample is of the last second of its day, or of the moment when its number was captured or the newest
  /// revision generated, if that was earlier: a number of a part of the day stands where that part ends. Days
  /// that were generated before they began can come out of order, or at one moment: then the last of them
  /// counts, because a series has one sample a moment.
  package func families() -> some Sequence<TimedFamily> {
    let days = days.values.sorted { $0.date < $1.date }
    return metrics.lazy.compactMap { metric in
      let labels = labels(metric)
      var values: [Int: (value: Double, isLatest: Bool)] = [:]
      for day in days {
        guard let gauge = day.gauge(metric) else { continue }
        let moment = min(day.generatedAt, day.end - 1, day.partial[metric] ?? day.end)
        values[moment] = (gauge.value, gauge.isLatest)
      }
      let samples = values.sorted { $0.key < $1.key }.map {
        TimedFamily.Sample(labels: labels, value: $0.value.value, time: $0.key)
      }
      guard !samples.isEmpty else { return nil }
      let kinds = Set(values.values.map(\.isLatest))
      return TimedFamily(
        metric.prometheusName, metric.prometheusType == .counter ? .counter : .gauge,
        help: metric.prometheusHelp(isLatest: kinds.count == 1 ? kinds.first : nil), samples)
    }
  }

  private func labels(_ metric: DailyMetric) -> [MetricLabel] {
    var labels = [
      MetricLabel("job", job), MetricLabel("instance", instance),
      MetricLabel("source", SourceLabel.all),
    ]
    if let unit = metric.prometheusUnit { labels.append(MetricLabel("unit", unit)) }
    return labels
  }
}
