/// Numbers of one name with the moments they are of.
package struct TimedFamily: Hashable, Sendable {
  package struct Sample: Hashable, Sendable {
    package let labels: [MetricLabel]
    package let value: Double
    /// Seconds since 1970.
    package let time: Int

    package init(labels: [MetricLabel], value: Double, time: Int) {
      (self.labels, self.value, self.time) = (labels, value, time)
    }
  }

  package let name: String
  package let kind: MetricFamily.Kind
  package let help: String
  /// Those of one set of labels in the order of time.
  package let samples: [Sample]

  package init(_ name: String, _ kind: MetricFamily.Kind, help: String, _ samples: [Sample]) {
    precondition(PrometheusName.isValid(name), "\(name) can't name a metric")
    (self.name, self.kind, self.help, self.samples) = (name, kind, help, samples)
  }
}

/// Writes OpenMetrics 1.0: the form in which Prometheus takes numbers of the past.
package enum OpenMetricsText {
  package static let end = "# EOF\n"

  /// One family, without the text's end; empty if it has no samples.
  ///
  /// The samples of a counter end in `_total` and its family does not. A counter of another name is
  /// of the type `unknown`, for no parser would take it else.
  package static func text(_ family: TimedFamily) -> String {
    guard !family.samples.isEmpty else { return "" }
    let total = "_total"
    var (name, type) = (family.name, family.kind.rawValue)
    if family.kind == .counter, name.hasSuffix(total) {
      name.removeLast(total.utf8.count)
    } else if family.kind == .counter || family.kind == .untyped {
      type = "unknown"
    }
    // OpenMetrics also escapes quotes in a help text.
    var text =
      "# TYPE \(name) \(type)\n# HELP \(name) \(PrometheusText.escaped(family.help, quotes: true))\n"
    for sample in family.samples {
      text += family.name + PrometheusText.labelSet(sample.labels)
      text += " \(PrometheusNumber.text(sample.value)) \(sample.time)\n"
    }
    return text
  }
}
