/// What the sources of a day say of one of its metrics (R20), for people and for agents (R51).
package struct MetricSources: Hashable, Sendable {
  package let metric: DailyMetric
  /// The words that the day shows: several where parts of the day add up.
  package let shown: [Word]
  /// The others that have a number, or a reason for none, the latest first.
  package let others: [Word]
}

extension DailyRevision {
  /// Of each metric of which a source has a number, in the order of `DailyMetric.inOrder`.
  package var metricSources: [MetricSources] {
    let words = allWords
    let (sorted, figures) = (words.sorted, Fold(words).figures)
    return DailyMetric.inOrder.compactMap { metric in
      let group = WordGroup(of: metric)
      guard readings[metric] != nil, let figure = figures[group] else { return nil }
      let others = sorted.filter { $0.group == group && !figure.words.contains($0) }
        .sorted { $0.capturedAt > $1.capturedAt }
      // Of a metric of which nobody has a number there is nothing to explain.
      guard (figure.words + others).contains(where: { $0.reading(of: metric).number != nil }) else {
        return nil
      }
      return MetricSources(metric: metric, shown: figure.words, others: others)
    }
  }
}

extension Word {
  /// What of a day, or of the night before it, the source could see, by the clock of the day's zone, and when
  /// it was read.
  package func seen(on day: ReportingDay) -> String {
    let span = group.isOfNight ? "the night" : "the day"
    let part =
      switch (extent.from, extent.to) {
      case (nil, nil): "all of \(span)"
      case (nil, let to?): "\(span) until \(day.clock(to))"
      case (let from?, nil): "\(span) from \(day.clock(from))"
      case (let from?, let to?): "\(day.clock(from)) to \(day.clock(to))"
      }
    return "\(part)\(zone == day.timeZoneName ? "" : " in \(zone)"), read \(capturedAt)"
  }
}
