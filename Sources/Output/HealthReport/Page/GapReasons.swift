import HealthModel

extension RangeReport {
  /// How many days lack a number of a required metric, by reason: `3 no data, 2 not
  /// authorised, 9 missing`, in the words of the coverage. Nil where none does, and for an
  /// optional metric, of which nothing says why a day has none.
  func gapReasons(_ metric: DailyMetric) -> String? {
    guard metric.isRequired else { return nil }
    var counts: [MetricReading: Int] = [:]
    for reading in days.compactMap({ $0.readings[metric] }) where reading.number == nil {
      counts[reading, default: 0] += 1
    }
    var parts = [MetricReading.noData, .unauthorized, .unsupported].compactMap { reading in
      counts[reading].map { "\(PageWords.grouped($0)) \(reading.reason)" }
    }
    for coverage in [DayCoverage.invalid, .missing] {
      let count = days.count { $0.readings.isEmpty && $0.coverage == coverage }
      if count > 0 { parts.append("\(PageWords.grouped(count)) \(coverage.label)") }
    }
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }
}
