import HealthModel
import HealthSources
import HealthStreams

/// A payload of Health Auto Export, or a part of one, as it was posted (R55).
struct PostedPayload: Sendable {
  let id: String
  let device: String
  /// That of the batch, given by the app or by the server.
  let session: String?
  let order: PreciseMoment
  /// The run in which it was stored.
  let run: RunID?
  var receivedAt: Timestamp { order.timestamp }
  /// The latest moment at which it can have been made.
  let capturedAt: Timestamp
  /// How long the rows are, if the app says so.
  let rowLength: RowLength?
  let part: PayloadPart?
  /// The entry. Nil once it was read.
  var entry: [UInt8]?

  var payload: JSONValue? {
    entry.flatMap { try? JSONValue(parsing: $0) }.flatMap { $0["payload"] }
  }

  /// The same once its entry was read.
  var withoutEntry: PostedPayload {
    var posted = self
    posted.entry = nil
    return posted
  }

  /// About how many bytes of memory it takes.
  var cost: Int { 512 + (entry?.count ?? 0) }

  /// Those of a batch.
  static func all(in batch: StoredBatch) -> [PostedPayload] {
    return batch.entries.enumerated().compactMap { place, entry in
      guard let value = try? JSONValue(parsing: entry.bytes), value["payload"] != nil else {
        return nil
      }
      let headers = value["headers"]
      let aggregation = headers?["automation-aggregation"]?.stringValue ?? ""
      let written = headers?[HealthAutoExportBody.writtenAt]?.stringValue.flatMap(Timestamp.init)
      return PostedPayload(
        id: "\(batch.id)/\(place)", device: batch.request.deviceID,
        session: batch.request.session, order: batch.order, run: batch.run,
        capturedAt: min(written ?? batch.receivedAt, batch.receivedAt),
        rowLength: RowLength(aggregation: aggregation),
        part: value["part"].flatMap(PayloadPart.init),
        entry: entry.bytes)
    }
  }

  /// The indices of each whole payload, in the order of receipt: one index, or those of all its parts in
  /// their order. A payload with a missing part is left out, because it was not acknowledged.
  static func whole(_ posted: [PostedPayload]) -> [[Int]] {
    /// What the parts of one payload have in common. If the count differs, so do the rows of each part.
    struct Whole: Hashable { let device: String, session: String?, payload: String, count: Int }
    var (whole, parts): ([[Int]], [Whole: [Int: Int]]) = ([], [:])
    for (place, one) in posted.enumerated() {
      guard let part = one.part else {
        whole.append([place])
        continue
      }
      let key = Whole(
        device: one.device, session: one.session, payload: part.payload, count: part.count)
      // A part that was sent again has the same content: the first one counts.
      if let other = parts[key]?[part.number], posted[other].isBefore(one) { continue }
      parts[key, default: [:]][part.number] = place
    }
    for (key, found) in parts where found.count == key.count {
      whole.append(found.sorted { $0.key < $1.key }.map(\.value))
    }
    func order(_ places: [Int]) -> PreciseMoment? { places.map { posted[$0].order }.max() }
    return whole.sorted { a, b in
      let (of, other) = (order(a), order(b))
      if let of, let other, of != other { return of < other }
      return posted[a[0]].id.utf8.lexicographicallyPrecedes(posted[b[0]].id.utf8)
    }
  }

  /// Whether it was received before another one.
  private func isBefore(_ other: PostedPayload) -> Bool {
    if order != other.order { return order < other.order }
    return id.utf8.lexicographicallyPrecedes(other.id.utf8)
  }
}
