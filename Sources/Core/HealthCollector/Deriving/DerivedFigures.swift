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

    /// When its data was read. Data is never read after the revision that holds it was made.
    package var capturedAt: Timestamp {
      min(revision.capturedAt ?? revision.generatedAt, id.timestamp)
    }
  }

  /// - Parameters:
  ///   - readings: what the samples say of the metrics.
  ///   - whole: the metrics of which the samples have all, of all devices.
  ///   - payloads: what an app's payloads say.
  ///   - others: the last words of each other collector, in any order.
  ///   - day: the day, whose end decides which of `others` are complete.
  package init(
    readings: [DailyMetric: MetricReading], whole: Set<DailyMetric> = [],
    payloads: PayloadNumbers = PayloadNumbers(), others: [Other], day: ReportingDay
  ) {
    let others = others.sorted { $0.id > $1.id }
    let complete = others.filter { $0.capturedAt >= day.end.timestamp }
    for metric in DailyMetric.allCases {
      let reading = Self.reading(
        metric, readings[metric] ?? .noData, isWhole: whole.contains(metric), payloads,
        others.map { $0.reading(of: metric) },
        complete: complete.map { $0.reading(of: metric) })
      if reading != .noData { self.readings[metric] = reading }
    }
    self.readings = self.readings.sayable
  }

  /// The reading of one metric; those of others newest first.
  private static func reading(
    _ metric: DailyMetric, _ own: MetricReading, isWhole: Bool, _ payloads: PayloadNumbers,
    _ others: [MetricReading], complete: [MetricReading]
  ) -> MetricReading {
    let found = others.compactMap(\.number)
    let whole = complete.lazy.compactMap(\.number).first
    let (raw, unfinished) = (payloads.raw[metric], payloads.unfinished[metric])
    let number: Double? =
      if metric.growsWithTheDay {
        // What was read after the day has all of it. Of an unfinished day the larger has more.
        whole ?? (isWhole ? own.number : nil) ?? payloads.complete[metric]
          ?? (found + [own.number, raw, unfinished].compactMap(\.self)).max()
      } else {
        // A mean of a part of the day can't be judged by its size, and samples have their weights.
        own.number ?? raw ?? whole ?? payloads.complete[metric] ?? found.first ?? unfinished
      }
    if let number { return .value(number) }
    if own != .noData { return own }
    return others.first { $0 != .noData }
      ?? (payloads.unsupported.contains(metric) ? .unsupported : .noData)
  }
}

extension DailyMetric {
  /// Whether more of a day can only make the number larger.
  fileprivate var growsWithTheDay: Bool {
    switch aggregation {
    case .sum, .entries, .hours, .duration: true
    case .mean, .least, .greatest, .level, .night: false
    }
  }
}

/// What an app's payloads say of one day, apart by how far each number can be trusted (R55). Pure.
package struct PayloadNumbers: Hashable, Sendable {
  /// Of samples, or of sums of less than a day.
  package var raw: [DailyMetric: Double] = [:]
  /// HealthKit's own number of the whole day, merged of all devices, received after its end.
  package var complete: [DailyMetric: Double] = [:]
  /// The same, received while the day lasted: more may have followed.
  package var unfinished: [DailyMetric: Double] = [:]
  /// Metrics that the payloads have in a form that can't be used.
  package var unsupported: Set<DailyMetric> = []

  /// Nothing.
  package init() {}

  /// Whether they say anything of the day.
  package var saysAnything: Bool {
    !raw.isEmpty || !complete.isEmpty || !unfinished.isEmpty || !unsupported.isEmpty
  }
}

/// Feeds that have all samples of a person, merged from all devices (R49).
package enum CompleteFeed {
  /// Samples of Apple Health's exports.
  package static let appleExport = "apple_health_export"
}
