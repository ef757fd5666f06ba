package struct MetricLabel: Hashable, Sendable {
  package let name: String
  package let value: String

  package init(_ name: String, _ value: String) { (self.name, self.value) = (name, value) }
}

/// One number of a family, with what distinguishes it from the others.
package struct MetricSample: Hashable, Sendable {
  /// What stands behind the family's name: `_bucket`, `_sum`, `_count`; empty for most.
  package let suffix: String
  package let labels: [MetricLabel]
  package let value: Double

  package init(suffix: String = "", labels: [MetricLabel] = [], value: Double) {
    (self.suffix, self.labels, self.value) = (suffix, labels, value)
  }

  /// The samples of a histogram.
  ///
  /// - Parameters:
  ///   - bounds: ascending, without infinity.
  ///   - counts: for each bound, how many values were at most as great.
  package static func histogram(
    labels: [MetricLabel] = [], bounds: [Double], counts: [Int], count: Int, sum: Double
  ) -> [MetricSample] {
    let buckets = zip(bounds, counts).map { bound, count in
      MetricSample(
        suffix: "_bucket", labels: labels + [.init("le", PrometheusNumber.text(bound))],
        value: Double(count))
    }
    return buckets + [
      MetricSample(
        suffix: "_bucket", labels: labels + [.init("le", "+Inf")], value: Double(count)),
      MetricSample(suffix: "_sum", labels: labels, value: sum),
      MetricSample(suffix: "_count", labels: labels, value: Double(count)),
    ]
  }
}

/// Samples of one name, with its type and its help.
package struct MetricFamily: Hashable, Sendable {
  package enum Kind: String, Hashable, Sendable {
    case counter, gauge, histogram, untyped
  }

  package let name: String
  package let kind: Kind
  package let help: String
  package let samples: [MetricSample]

  package init(_ name: String, _ kind: Kind, help: String, _ samples: [MetricSample]) {
    precondition(PrometheusName.isValid(name), "\(name) can't name a metric")
    (self.name, self.kind, self.help, self.samples) = (name, kind, help, samples)
  }
}

/// The form of names that Prometheus takes.
package enum PrometheusName {
  /// Whether `name` can name a metric: letters, digits, `_` and `:`, no digit first.
  package static func isValid(_ name: String) -> Bool {
    guard let first = name.utf8.first, !(0x30...0x39).contains(first) else { return false }
    return name.utf8.allSatisfy { byte in
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x5F, 0x3A: true
      default: false
      }
    }
  }
}
