public import HealthModel
public import ObjectStore

/// Says that a batch of `healthKit` is about to be stored, and which moments it touches (R49).
///
/// It is stored before the batch, so whoever finds no marker knows that every day was derived.
public struct PendingMarker: Hashable, Sendable {
  /// The id of the sealed batch.
  public let batchID: String
  /// When the batch was received, by the receiver's clock.
  public let receivedAt: Timestamp
  /// The moments that the entries touch, ascending, in UTC; 1 to 500 spans.
  public let spans: [ClosedRange<Timestamp>]

  /// The most bytes of a marker.
  static let maximumBytes = 65_536

  init(batchID: String, receivedAt: Timestamp, spans: [ClosedRange<Timestamp>]) {
    (self.batchID, self.receivedAt, self.spans) = (batchID, receivedAt, spans)
  }

  /// The marker as canonical JSON.
  var bytes: [UInt8] {
    JSONValue.object([
      "batch_id": .string(batchID), "received_at": .string("\(receivedAt)"),
      "spans": .array(
        spans.map { .array([.string("\($0.lowerBound)"), .string("\($0.upperBound)")]) }),
    ]).canonicalBytes
  }

  /// Reads a marker; nil if the bytes are not one.
  init?(parsing bytes: [UInt8]) {
    guard bytes.count <= Self.maximumBytes,
      let value = try? JSONValue(parsing: bytes, maximumDepth: 4),
      let id = value["batch_id"]?.stringValue, StreamLayout.isBatchID(id),
      let received = value["received_at"]?.stringValue.flatMap({ Timestamp($0) }),
      let listed = value["spans"]?.arrayValue, (1...EntrySpans.maximum).contains(listed.count)
    else { return nil }
    var spans: [ClosedRange<Timestamp>] = []
    for span in listed {
      guard let ends = span.arrayValue, ends.count == 2,
        let start = ends[0].stringValue.flatMap({ Timestamp($0) }),
        let end = ends[1].stringValue.flatMap({ Timestamp($0) }), start <= end
      else { return nil }
      spans.append(start...end)
    }
    self.init(batchID: id, receivedAt: received, spans: spans)
  }
}

/// A marker's key as listed.
public struct ListedMarker: Hashable, Sendable {
  /// Its key.
  public let key: ObjectKey
  /// The id of the sealed batch.
  public let batchID: String
  /// When it was stored, by the store's clock, in seconds since 1970.
  public let lastModified: Int?
}

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
