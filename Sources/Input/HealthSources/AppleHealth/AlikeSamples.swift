import HealthModel

/// Finds, of the samples of a sorted stream that say the same of the same time, which are entries of
/// their own and which are repeats of another record (R18).
struct AlikeSamples {
  /// What a sample is beside those before it.
  enum Standing {
    case entry
    /// An entry that says the same as the one before it.
    case anotherEntry
    /// The same record again.
    case again
    /// The copy inside a correlation of a record that stands outside it, too.
    case copy
  }

  private var last: PackedSample?
  /// Whether one of them stands outside correlations; those come first.
  private var isOutside = false

  /// Takes the next sample of the stream.
  @inline(__always)
  mutating func take(_ sample: PackedSample) -> Standing {
    defer { last = sample }
    guard let last, sample.saysSame(as: last) else {
      isOutside = !sample.isInCorrelation
      return .entry
    }
    if sample.isInCorrelation, isOutside { return .copy }
    return sample == last ? .again : .anotherEntry
  }
}

/// Readings of a day that say the same as another one: entered twice, or uploaded again by an app (R18).
struct RepeatedReadings {
  private var counts: [Int: Int] = [:]

  /// Two glasses of water are two, but a measurement is seldom made twice in a second.
  mutating func add(_ sample: PackedSample) {
    if Self.areMeasured[sample.kind] { counts[sample.kind, default: 0] += 1 }
  }

  /// A remark for each kind that some metrics are made of; afterwards there are none.
  mutating func take(of metrics: [CountedMetric]) -> [String] {
    guard !counts.isEmpty else { return [] }
    defer { counts = [:] }
    return SampleKind.allCases.compactMap { kind in
      let names = metrics.filter { $0.kind == kind }.map(\.metric).told.map(\.rawValue)
      guard let count = counts[Int(kind.rawValue)], !names.isEmpty else { return nil }
      return names.joined(separator: ", ") + ": "
        + (count == 1 ? "1 reading repeats" : "\(count.grouped) readings repeat")
        + " one of the same source, time and value; each counts, as in the Health app"
    }
  }

  /// By kind, whether its metrics are of measurements, and not sums, hours or lengths.
  private static let areMeasured = SampleKind.allCases.map { kind in
    DailyMetric.allCases.contains { metric in
      switch metric.aggregation {
      case .mean, .least, .greatest, .level, .latest, .latestTime: metric.kind == kind
      case .sum, .entries, .hours, .duration, .night: false
      }
    }
  }
}
