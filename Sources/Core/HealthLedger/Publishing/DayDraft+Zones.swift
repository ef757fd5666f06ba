package import HealthModel

/// Numbers of a source that were counted in another zone (R19).
extension DayDraft {
  /// Whether a stored revision is of a day in another zone. Then it may still have numbers that the
  /// source now puts on other dates, whoever wrote it: the same source on another machine, or a
  /// collector that kept them.
  package func corrects(_ stored: DailyRevision) -> Bool {
    covers != .everything && stored.day.timeZoneName != day.timeZoneName
  }

  /// The metrics whose stored numbers are those of the same source in the zone of then, and of which
  /// it no longer says anything on this date. In another collector's revision all numbers of the
  /// source must be there, because one alone may be equal by chance.
  ///
  /// - Parameter then: the source's data for the date in the stored revision's zone.
  package func leftBehind(in stored: DailyRevision, by then: DayDraft) -> [DailyMetric] {
    let isOwn = stored.collector?.collectorID == collector.collectorID
    let said = DailyMetric.allCases.filter { then.reading(of: $0).number != nil }
    let equal = said.filter { stored.reading(of: $0).number == then.reading(of: $0).number }
    guard isOwn || equal == said else { return [] }
    return equal.filter { !covers.contains($0) && then.covers.contains($0) }
  }

  /// The draft that also states that these metrics have no number.
  package func without(_ metrics: [DailyMetric]) -> DayDraft {
    var draft = self
    draft.covers = .metrics(covers.metrics.union(metrics))
    return draft
  }
}
