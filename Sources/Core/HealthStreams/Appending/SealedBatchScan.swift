import HealthModel

/// Reads a sealed body one entry at a time, so that a batch of 8 MiB is checked in little more memory
/// than its own (R46).
///
/// It accepts canonical bodies alone: each entry has the bytes that reading it gives again, and all
/// around the entries is as `BatchBody` writes it. What it does not accept, `IngestRequest` reads
/// whole, and says what is wrong. A batch that this process made of checked entries knows where they
/// are, and is not read again.
struct SealedBatchScan {
  let session: String
  let appVersion: String
  private(set) var entries: [EntryPlace] = []

  /// Nil if the body is not one that `BatchBody` wrote of valid entries.
  init?(_ batch: SealedBatch) {
    let body = batch.body
    guard body.count <= SealedBatch.maximumBytes,
      (1...SealedBatch.maximumRecords).contains(batch.recordCount),
      UUIDText.lowercased(batch.deviceID) == batch.deviceID, body.starts(with: BatchBody.start)
    else { return nil }
    let metadataEnd = BatchBody.metadataEnd(body)
    let metadata = Array(body[BatchBody.start.count..<max(metadataEnd, BatchBody.start.count)])
    guard let members = try? JSONValue(parsing: metadata),
      let session = members["session"]?.stringValue, (1...100).contains(session.utf8.count),
      let version = members["app_version"]?.stringValue, (1...100).contains(version.utf8.count),
      metadata
        == BatchBody.metadata(count: batch.recordCount, session: session, appVersion: version)
    else { return nil }
    (self.session, appVersion) = (session, version)
    if let places = batch.places {
      entries = places
      return
    }
    let end = BatchBody.end(batch.stream, deviceID: batch.deviceID)
    let entriesEnd = body.count - end.count
    var place = metadataEnd + BatchBody.dataStart.count
    guard place < entriesEnd, body[metadataEnd...].starts(with: BatchBody.dataStart),
      body[entriesEnd...].elementsEqual(end)
    else { return nil }
    entries.reserveCapacity(batch.recordCount)
    while true {
      guard let next = PlainJSON.end(ofObjectAt: place, in: body, before: entriesEnd) else {
        return nil
      }
      let bytes = Array(body[place..<next])
      // Two levels of the body are around an entry.
      guard
        let value = try? JSONValue(parsing: bytes, maximumDepth: IngestRequest.maximumDepth - 2),
        let entry = try? StreamEntry(value, of: batch.stream), entry.bytes == bytes
      else { return nil }
      entries.append(
        EntryPlace(place: place..<next, span: entry.start...max(entry.start, entry.end)))
      if next == entriesEnd { break }
      guard body[next] == UInt8(ascii: ",") else { return nil }
      place = next + 1
    }
    guard entries.count == batch.recordCount, SealedBatch.digest(of: body) == batch.id else {
      return nil
    }
  }
}
