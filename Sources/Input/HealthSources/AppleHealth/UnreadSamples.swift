internal import AppleExport
internal import HealthModel

/// Records of an export of which only the kind and the times can be read, by day.
///
/// If an export has no record of a metric, the day has no data of it. A record that can't be read does
/// not mean that: a later iOS may write a stage of sleep that is not known yet. So the day keeps a number
/// that it has of the metric (R19).
struct UnreadSamples {
  private struct Sample {
    let kind: SampleKind
    let times: QuantitySample
  }

  /// After `sort`, the one that begins first is the last.
  private var waiting: [Sample] = []
  /// Records that have begun and may count on the next day.
  private var open: [Sample] = []

  /// Most that are kept: a hostile file must not fill the memory.
  private static let most = 100_000

  /// Adds a record. One with times that no sample may have is ignored.
  mutating func add(_ kind: SampleKind, from start: Int64, to end: Int64) {
    let (start, end) = (Int(start), Int(end))
    guard waiting.count < Self.most, PackedSample.starts.contains(start), end >= start,
      end - start <= QuantitySample.longestStretch
    else { return }
    let times = QuantitySample(start: start, end: end, quantity: 0, source: 0)
    waiting.append(Sample(kind: kind, times: times))
    // A pressure counts with its other half alone.
    let other: SampleKind? =
      switch kind {
      case .bloodPressureSystolic: .bloodPressureDiastolic
      case .bloodPressureDiastolic: .bloodPressureSystolic
      default: nil
      }
    if let other { waiting.append(Sample(kind: other, times: times)) }
  }

  mutating func sort() { waiting.sort { $0.times.start > $1.times.start } }

  /// The next moment on whose day one bears, from that of the last day on.
  func next(after end: Int?) -> Int? { open.isEmpty ? waiting.last?.times.start : end }

  /// The metrics of a day that have such records. Days must be asked for in order.
  mutating func metrics(of metrics: [CountedMetric], in window: DayWindow) -> Set<DailyMetric> {
    while let last = waiting.last, last.times.start < window.range.upperBound {
      open.append(last)
      waiting.removeLast()
    }
    guard !open.isEmpty else { return [] }
    defer {
      open.removeAll {
        $0.times.end <= window.range.upperBound
          && ($0.kind != .sleepAnalysis || $0.times.end <= window.night.upperBound)
      }
    }
    let touched = metrics.filter { metric in
      open.contains { $0.kind == metric.kind && Self.bears($0, on: metric, in: window) }
    }
    return Set(touched.map(\.metric))
  }

  private static func bears(
    _ sample: Sample, on metric: CountedMetric, in window: DayWindow
  ) -> Bool {
    let span = metric.span(of: window)
    // What kind of sleep it is can't be read.
    if case .night = metric.aggregation {
      return (sample.times.start..<sample.times.end).overlaps(span)
    }
    return metric.takes(sample.times, in: span)
  }
}
