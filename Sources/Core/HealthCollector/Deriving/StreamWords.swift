package import HealthModel

/// What the entries of a day's streams say, as the words of one source (R49). Pure.
///
/// Each metric comes from one place; numbers of two places are never added together, because they
/// may be made of the same samples.
package struct StreamWords: Hashable, Sendable {
  package private(set) var words: [Word] = []

  /// - Parameters:
  ///   - readings: what the samples say of the metrics.
  ///   - payloads: what an app's payloads say.
  ///   - day: the day, whose end decides what is complete.
  ///   - isZoneSet: whether a person set its zone.
  ///   - capturedAt: when the last of the entries was captured.
  package init(
    readings: [DailyMetric: MetricReading], payloads: PayloadNumbers = PayloadNumbers(),
    day: ReportingDay, isZoneSet: Bool, capturedAt: Timestamp
  ) {
    let payloads = payloads.leavingStages(to: readings)
    let spans = DaySpans(day)
    for group in WordGroup.all {
      let numbers = group.metrics.map { metric in
        Self.number(metric, readings[metric]?.number, payloads, day, capturedAt)
      }
      let said = group.metrics.indices.map { place -> MetricReading in
        if let number = numbers[place]?.number { return .value(number) }
        let metric = group.metrics[place]
        if let own = readings[metric], own != .noData, own.number == nil { return own }
        return payloads.unsupported.contains(metric) ? .unsupported : .noData
      }
      guard
        said.contains(where: { $0 != .noData })
          || group.metrics.contains(where: { readings[$0] != nil })
      else { continue }
      let first = numbers.lazy.compactMap(\.self).first
      let captured = first?.capturedAt ?? capturedAt
      let span = spans.span(of: group)
      words.append(
        Word(
          .streams, group, said, zone: day.timeZoneName, isZoneSet: isZoneSet,
          extent: WordExtent(
            of: first?.moments?.reach(in: span) ?? span, in: span, capturedAt: captured),
          capturedAt: captured,
          readsAll: first?.isRow ?? false))
    }
  }

  private struct Number {
    let number: Double
    let capturedAt: Timestamp
    /// Whether it is the health database's own number, and not of samples.
    var isRow = false
    /// What its payloads have; nil for all of the day.
    var moments: InputMoments?
  }

  private static func number(
    _ metric: DailyMetric, _ own: Double?, _ payloads: PayloadNumbers, _ day: ReportingDay,
    _ capturedAt: Timestamp
  ) -> Number? {
    let samples = own.map { Number(number: $0, capturedAt: capturedAt) }
    let raw = payloads.raw[metric].map {
      Number(
        number: $0, capturedAt: payloads.rawCapturedAt ?? capturedAt, moments: payloads.moments)
    }
    let row = payloads.dayRows[metric].map {
      Number(number: $0.number, capturedAt: $0.capturedAt, isRow: true)
    }
    // The size of a mean does not show how much of the day it covers. Samples come first because an app's
    // averages have lost their weights.
    guard metric.growsWithTheDay else { return samples ?? raw ?? row }
    if let row, row.capturedAt >= day.end.timestamp { return row }
    // Nothing has all of the day: the largest number has the most of it.
    return [samples, raw, row].compactMap(\.self).max { $0.number < $1.number }
  }
}

/// What an app's payloads say of one day, apart by how far each number can be trusted (R55). Pure.
package struct PayloadNumbers: Hashable, Sendable {
  /// Of samples, or of sums of less than a day.
  package var raw: [DailyMetric: Double] = [:]
  /// When these were captured, and the moments that their payloads have, as of files (R19).
  package var rawCapturedAt: Timestamp?
  package var moments = InputMoments()
  /// HealthKit's own number of the day, merged of all devices: of the whole day if it was captured
  /// after its end, else of the day so far.
  package var dayRows: [DailyMetric: CapturedNumber] = [:]
  /// Metrics that the payloads have in a form that can't be used.
  package var unsupported: Set<DailyMetric> = []

  /// Nothing.
  package init() {}

  /// Leaves out the stages of a night whose sleep comes from samples, if these have stages, or if the
  /// payloads' stages add up to more than the sleep: the samples may have stopped before the night was
  /// over.
  fileprivate func leavingStages(to samples: [DailyMetric: MetricReading]) -> PayloadNumbers {
    guard let asleep = samples[.sleepAsleep]?.number else { return self }
    let stages: [DailyMetric] = [.sleepCore, .sleepDeep, .sleepREM]
    let hasStages = stages.contains { samples[$0]?.number != nil }
    let sum = stages.compactMap { raw[$0] ?? dayRows[$0]?.number }.reduce(0, +)
    guard hasStages || sum > asleep else { return self }
    var rest = self
    for stage in stages + [.sleepAwake] { (rest.raw[stage], rest.dayRows[stage]) = (nil, nil) }
    return rest
  }

  /// Whether they say anything of the day.
  package var saysAnything: Bool {
    !raw.isEmpty || !dayRows.isEmpty || !unsupported.isEmpty
  }
}

/// A number of a day, and the latest moment at which it can have been captured.
package struct CapturedNumber: Hashable, Sendable {
  package let number: Double
  package let capturedAt: Timestamp

  package init(_ number: Double, capturedAt: Timestamp) {
    (self.number, self.capturedAt) = (number, capturedAt)
  }
}
