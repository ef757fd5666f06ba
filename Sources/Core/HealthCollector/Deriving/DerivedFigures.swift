package import HealthModel

/// The figures of a day, of its samples and of what other collectors have published (R49). Pure.
///
/// Each metric comes from one place; numbers of two places are never added together, because they
/// may be made of the same samples.
package struct DerivedFigures: Hashable, Sendable {
  /// A reading for every metric that has one; of an optional one only a number.
  package private(set) var readings: [DailyMetric: MetricReading] = [:]

  /// A readable revision of another collector that is its last word on some metrics.
  package struct Other: Hashable, Sendable {
    package let id: RevisionID
    package let revision: DailyRevision
    /// The metrics on which it is: those that it covers, less those of the collector's newer
    /// revisions.
    package let words: Set<DailyMetric>

    package init(id: RevisionID, revision: DailyRevision, words: Set<DailyMetric>? = nil) {
      (self.id, self.revision) = (id, revision)
      self.words = words ?? revision.covers.metrics
    }

    /// Its word on a metric.
    func reading(of metric: DailyMetric) -> MetricReading {
      words.contains(metric) ? revision.reading(of: metric) : .noData
    }

    /// Whether it says something about every metric, as an export does, except those of which it kept
    /// a newer number (R20).
    var isWhole: Bool {
      revision.covers == .everything
        || DailyMetric.allCases.allSatisfy {
          revision.covers.metrics.contains($0) || revision.reading(of: $0).number != nil
        }
    }

    /// When its data was read. Data is never read after the revision that holds it was made.
    package var capturedAt: Timestamp {
      min(revision.capturedAt ?? revision.generatedAt, id.timestamp)
    }
  }

  /// - Parameters:
  ///   - readings: what the samples say of the metrics.
  ///   - whole: the metrics whose samples are complete for all devices, and when they were, after the day.
  ///   - payloads: what an app's payloads say.
  ///   - others: the last words of each other collector, in any order.
  ///   - day: the day, whose end decides what is complete.
  package init(
    readings: [DailyMetric: MetricReading], whole: [DailyMetric: Timestamp] = [:],
    payloads: PayloadNumbers = PayloadNumbers(), others: [Other], day: ReportingDay
  ) {
    let others = others.sorted { $0.id > $1.id }
    let exports = others.filter { $0.isWhole && $0.capturedAt >= day.end.timestamp }
    // The samples of a later export have what an earlier one has, and what reached the phone since. For
    // sums, the larger number counts: some samples may still be missing.
    func standing(_ metric: DailyMetric) -> [Other] {
      others.filter { other in
        metric.growsWithTheDay || !other.isWhole
          || whole[metric].map { other.capturedAt >= $0 } ?? true
      }
    }
    func number(_ metric: DailyMetric, _ payloads: PayloadNumbers) -> Double? {
      Self.number(
        metric, readings[metric]?.number, wholeAt: whole[metric], payloads, standing(metric),
        exports: exports, end: day.end.timestamp)
    }
    let payloads = payloads.leavingStages(
      to: readings, standing(.sleepAsleep), asleep: number(.sleepAsleep, payloads))
    for metric in DailyMetric.allCases {
      let (own, number) = (readings[metric] ?? .noData, number(metric, payloads))
      let reading: MetricReading =
        if let number {
          .value(number)
        } else if own != .noData {
          own
        } else {
          standing(metric).lazy.map { $0.reading(of: metric) }.first { $0 != .noData }
            ?? (payloads.unsupported.contains(metric) ? .unsupported : .noData)
        }
      if reading != .noData { self.readings[metric] = reading }
    }
    self.readings = self.readings.sayable
  }

  /// The number of one metric. `others` are sorted, the newest first; `exports` are those of them that
  /// have the whole day.
  private static func number(
    _ metric: DailyMetric, _ own: Double?, wholeAt: Timestamp?, _ payloads: PayloadNumbers,
    _ others: [Other], exports: [Other], end: Timestamp
  ) -> Double? {
    let words = others.compactMap { other in
      other.reading(of: metric).number.map { (number: $0, other: other) }
    }
    // What was read after the day's end has the whole day.
    let complete = words.filter { $0.other.capturedAt >= end }
    // If a later export has no data of the metric, what the row was made of was deleted.
    let deleted = exports.first { $0.words.contains(metric) && $0.reading(of: metric) == .noData }
    let row = payloads.dayRows[metric].flatMap { row in
      deleted.map { row.capturedAt > $0.capturedAt } ?? true ? row : nil
    }
    let raw = payloads.raw[metric]
    let wholeRow = row.flatMap { $0.capturedAt >= end ? $0 : nil }
    if metric.growsWithTheDay {
      let whole = [
        complete.first.map { CapturedNumber($0.number, capturedAt: $0.other.capturedAt) },
        own.flatMap { own in wholeAt.map { CapturedNumber(own, capturedAt: $0) } },
        wholeRow,
      ].compactMap(\.self)
      guard let first = whole.first else {
        // The day is not over: the largest number has the most of it.
        return (words.map(\.number) + [own, raw, row?.number].compactMap(\.self)).max()
      }
      // What was captured later and is larger has data that reached the phone late. A smaller number may
      // have been made earlier and sent late.
      return whole.filter { $0.capturedAt > first.capturedAt }.map(\.number)
        .reduce(first.number, max)
    }
    // The size of a mean does not show how much of the day it covers. Samples come first because an app's
    // averages have lost their weights. But an export made after the day has all samples, and a phone may
    // have stopped sending them. That holds for its newer correction too, whichever collector made it.
    let revision = complete.first?.number
    let hasExport = others.contains {
      exports.contains($0) && $0.revision.reading(of: metric).number != nil
    }
    return (hasExport ? revision : nil) ?? own ?? raw ?? revision ?? wholeRow?.number
      ?? words.first?.number ?? row?.number
  }
}

/// What an app's payloads say of one day, apart by how far each number can be trusted (R55). Pure.
package struct PayloadNumbers: Hashable, Sendable {
  /// Of samples, or of sums of less than a day.
  package var raw: [DailyMetric: Double] = [:]
  /// HealthKit's own number of the day, merged of all devices: of the whole day if it was captured
  /// after its end, else of the day so far.
  package var dayRows: [DailyMetric: CapturedNumber] = [:]
  /// Metrics that the payloads have in a form that can't be used.
  package var unsupported: Set<DailyMetric> = []

  /// Nothing.
  package init() {}

  /// Leaves out the stages of a night whose sleep comes from samples or from another revision, if that
  /// source has stages, or if the payloads' stages add up to more than the sleep: the samples may have
  /// stopped before the night was over.
  fileprivate func leavingStages(
    to samples: [DailyMetric: MetricReading], _ others: [DerivedFigures.Other], asleep: Double?
  ) -> PayloadNumbers {
    guard let asleep else { return self }
    let stages: [DailyMetric] = [.sleepCore, .sleepDeep, .sleepREM]
    let hasStages: Bool
    if samples[.sleepAsleep]?.number == asleep {
      hasStages = stages.contains { samples[$0]?.number != nil }
    } else if ![raw[.sleepAsleep], dayRows[.sleepAsleep]?.number].contains(asleep),
      let other = others.first(where: { $0.reading(of: .sleepAsleep).number == asleep })
    {
      hasStages = stages.contains { other.reading(of: $0).number != nil }
    } else {
      return self
    }
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
