package import HealthModel

/// Apple's own figure of a metric and day beside ours.
package struct ActivityComparison: Hashable, Sendable {
  package let metric: Metric
  /// In the metric's unit.
  package let apple: Double
  /// Nil where we have none.
  package let ours: Double?

  /// Greatest difference that still counts as agreement, as a part of the greater figure.
  package static let tolerance = 0.02

  /// Ours less Apple's, as a part of Apple's; nil where either is missing or Apple's is 0.
  package var difference: Double? { ours.flatMap { apple == 0 ? nil : ($0 - apple) / apple } }

  /// False where the figures differ by more than `tolerance`, or ours is missing and Apple's is
  /// more than 0.
  package var agrees: Bool {
    guard let ours else { return apple == 0 }
    return abs(ours - apple) <= Self.tolerance * max(abs(ours), abs(apple))
  }

  /// One line for a person.
  package var note: String {
    let unit = metric.unit
    guard let ours else {
      return "\(metric.rawValue): Apple's own figure is \(apple) \(unit); no sample tells it"
    }
    return "\(metric.rawValue): Apple's own figure is \(apple) \(unit), ours \(ours)"
  }
}

/// How our figures agree with Apple's own over many days.
package struct ActivityCrossCheck: Hashable, Sendable {
  /// Counts of days.
  package struct Count: Hashable, Sendable {
    /// Both have a figure.
    package var compared = 0
    package var within = 0
    package var beyond = 0
    /// Apple has a figure above 0 and we have none.
    package var missing = 0

    package init() {}
  }

  /// By metric: energy, exercise and stand hours.
  package private(set) var metrics: [Metric: Count] = [:]
  /// Days of which any metric was compared: within where all of them agree.
  package private(set) var days = Count()

  package init() {}

  mutating func add(_ comparisons: [ActivityComparison]) {
    for comparison in comparisons {
      if comparison.ours != nil {
        metrics[comparison.metric, default: Count()].compared += 1
        metrics[comparison.metric, default: Count()].within += comparison.agrees ? 1 : 0
        metrics[comparison.metric, default: Count()].beyond += comparison.agrees ? 0 : 1
      } else if !comparison.agrees {
        metrics[comparison.metric, default: Count()].missing += 1
      }
    }
    let both = comparisons.filter { $0.ours != nil }
    guard !both.isEmpty else { return }
    days.compared += 1
    if both.allSatisfy(\.agrees) { days.within += 1 } else { days.beyond += 1 }
    if both.count < comparisons.filter({ $0.ours != nil || !$0.agrees }).count { days.missing += 1 }
  }
}
