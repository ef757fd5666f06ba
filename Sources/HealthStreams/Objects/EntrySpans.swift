import HealthModel

/// The moments that entries touch, as a few spans (R49): those that lie close are joined.
enum EntrySpans {
  /// The most spans of a marker.
  static let maximum = StreamEntry.maximumSpans
  /// Spans with at most this many seconds between them are joined.
  static let closeness = 3600

  /// Spans that hold each of these, ascending, at most `maximum` of them.
  static func covering(_ entries: [ClosedRange<Timestamp>]) -> [ClosedRange<Timestamp>] {
    let sorted = entries.sorted { $0.lowerBound < $1.lowerBound }
    var spans = joined(sorted, over: closeness)
    while spans.count > maximum {
      // The widest gaps stay; ties may take a few more away.
      let gaps = zip(spans, spans.dropFirst()).map { seconds(between: $0, $1) }.sorted(by: >)
      spans = joined(spans, over: gaps[maximum - 1])
    }
    return spans
  }

  /// Joins ascending spans with at most `gap` seconds between them.
  private static func joined(
    _ spans: [ClosedRange<Timestamp>], over gap: Int
  ) -> [ClosedRange<Timestamp>] {
    var result: [ClosedRange<Timestamp>] = []
    for span in spans {
      guard let last = result.last, seconds(between: last, span) <= gap else {
        result.append(span)
        continue
      }
      result[result.count - 1] = last.lowerBound...max(last.upperBound, span.upperBound)
    }
    return result
  }

  private static func seconds(
    between a: ClosedRange<Timestamp>, _ b: ClosedRange<Timestamp>
  ) -> Int {
    b.lowerBound.secondsSince1970 - a.upperBound.secondsSince1970
  }
}
