internal import AppleExport
internal import HealthModel

extension DaySamples {
  mutating func add(_ sample: PackedSample) {
    add(sample.quantity, kind: sample.kind, isConvertible: sample.isConvertible)
  }

  /// The sleep samples that begin in a night, as they are, in the order of their starts.
  func segments(of night: Range<Int>, _ sources: SourceTable) -> [SleepSegment] {
    var segments: [SleepSegment] = []
    for sample in self[.sleepAnalysis] where night.contains(sample.start) {
      guard let value = sample.sleep?.value else { continue }
      segments.append(SleepSegment(value, sample, from: sources.source(sample.source)))
    }
    segments.sort { ($0.start, $0.end, $0.id) < ($1.start, $1.end, $1.id) }
    // What was also typed in by hand is the same but for that mark.
    return segments.enumerated()
      .filter { $0.offset == 0 || segments[$0.offset - 1].id != $0.element.id }.map(\.element)
  }
}
