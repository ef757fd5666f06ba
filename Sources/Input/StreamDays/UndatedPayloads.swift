package import HealthModel
import HealthSources
import HealthStreams

extension DayDeriver {
  /// What is said of payloads that are about no day, because no row of theirs has a date that can be
  /// read (R55). Whoever makes days never reads them.
  ///
  /// - Parameter dates: the UTC dates on which they came.
  /// - Returns: sentences for people, each once; none where the payloads can't be read.
  package func undated(receivedOn dates: ClosedRange<CalendarDate>) async -> [String] {
    guard let listing = try? await streams.batches(of: .healthAutoExport, on: dates) else {
      return []
    }
    var said: Set<String> = []
    var sentences: [String] = []
    var readings = streams.readings(of: Array(listing.batches.suffix(Self.mostUndated)))
      .makeAsyncIterator()
    while let reading = try? await next(&readings) {
      guard let batch = try? Self.batch(reading.result, of: reading.listed) else { continue }
      for payload in PostedPayload.all(in: batch).compactMap(\.payload)
      where PayloadMoments.spans(of: payload).isEmpty {
        let notes =
          ["the payload has no rows of metrics with dates"] + CaptureRows.leftOut(of: payload).notes
        sentences += notes.map { "Health Auto Export: \($0)" }.filter { said.insert($0).inserted }
      }
    }
    return sentences
  }

  /// Most payloads that are looked at, the newest ones.
  private static var mostUndated: Int { 50 }
}
