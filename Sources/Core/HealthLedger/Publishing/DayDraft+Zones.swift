package import HealthModel

/// Numbers of a source that were counted in another zone (R19).
extension DayDraft {
  /// Whether a stored revision is the collector's own, of a day in another zone. Then numbers that
  /// the source now puts on other dates may still be in it.
  package func corrects(_ stored: DailyRevision) -> Bool {
    covers != .everything && stored.collector?.collectorID == collector.collectorID
      && stored.day.timeZoneName != day.timeZoneName
  }

  /// The metrics whose stored numbers are those of the same source in the zone of then, and of which
  /// it no longer says anything on this date.
  ///
  /// - Parameter then: the source's data for the date in the stored revision's zone.
  package func leftBehind(in stored: DailyRevision, by then: DayDraft) -> [DailyMetric] {
    DailyMetric.allCases.filter { metric in
      guard !covers.contains(metric), then.covers.contains(metric),
        let number = stored.reading(of: metric).number
      else { return false }
      return then.reading(of: metric).number == number
    }
  }

  /// The draft that also states that these metrics have no number.
  package func without(_ metrics: [DailyMetric]) -> DayDraft {
    var draft = self
    draft.covers = .metrics(covers.metrics.union(metrics))
    return draft
  }
}
