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
