package import HealthModel

/// What one sealed batch becomes in a store: one part a UTC date, and the moments that its marker
/// names (R46). Pure: a function of the batch.
package struct AppendPlan: Hashable, Sendable {
  /// The entries of one UTC date, sealed like the batch that they come from.
  package struct Part: Hashable, Sendable {
    package let date: CalendarDate
    package private(set) var batch: SealedBatch

    /// Frees the body, once it is packed.
    mutating func dropBody() {
      batch = SealedBatch(
        id: batch.id, stream: batch.stream, deviceID: batch.deviceID,
        recordCount: batch.recordCount, body: [])
    }
  }

  /// By date, ascending.
  package internal(set) var parts: [Part]
  /// Empty for streams from which no days are derived.
  package let spans: [ClosedRange<Timestamp>]
  /// The times of the deletions that do not say when their samples end.
  private let openDeletions: [Timestamp]
  /// By which days find the payloads of the batch; created before any part (R55).
  package let references: [PayloadReference]

  /// - Throws: `StreamError` `invalidBatch` if the batch breaks a bound or is not what it says.
  package init(_ batch: SealedBatch) throws(StreamError) {
    guard let scan = SealedBatchScan(batch) else { throw Self.fault(of: batch) }
    let days = Self.days(of: scan.entries)
    parts =
      days.count == 1
      ? days.keys.map { Part(date: $0, batch: batch) }
      : days.sorted { $0.key < $1.key }.map { date, entries in
        Part(date: date, batch: Self.batch(of: entries, on: date, from: batch, scan))
      }
    let ids = Dictionary(parts.map { ($0.date, $0.batch.id) }) { a, _ in a }
    // The moments that payloads touch, by the date under which they are filed.
    let touched =
      batch.stream != .healthAutoExport
      ? [:]
      : days.mapValues { entries in
        entries.flatMap { StreamEntry.payloadSpans(Array(batch.body[$0.place])) }
      }
    switch batch.stream {
    case .healthKit: spans = EntrySpans.covering(scan.entries.map(\.span))
    case .healthAutoExport:
      spans = EntrySpans.covering(touched.values.flatMap(\.self))
    case .location, .audio, .appMessages: spans = []
    }
    openDeletions =
      batch.stream != .healthKit
      ? []
      : scan.entries.filter { entry in
        entry.span.lowerBound == entry.span.upperBound
          && Self.isOpenDeletion(batch.body[entry.place])
      }.map(\.span.lowerBound)
    references =
      touched.keys.sorted().flatMap { date in
        PayloadReference.all(
          to: ids[date] ?? batch.id, of: batch.deviceID, filed: date,
          touching: touched[date] ?? [])
      }
  }

  /// The moments that its marker names: also those of the days that count a deletion whose sample may be
  /// of another date, as far as they have begun (R49).
  package func spans(receivedAt: Timestamp) -> [ClosedRange<Timestamp>] {
    guard !openDeletions.isEmpty else { return spans }
    return EntrySpans.covering(
      spans
        + openDeletions.map { moment in
          // In every zone, the first is on the date before, and the last on the second date after.
          let morning = moment.utcDate.daysSince1970 * 86_400 + 9 * 3600
          let first = Timestamp(secondsSince1970: morning - 86_400)
          let last = Timestamp(secondsSince1970: morning + 2 * 86_400)
          return first...min(max(moment, receivedAt), last)
        })
  }

  /// Whether an entry deletes a sample and does not say when that one ends.
  private static func isOpenDeletion(_ entry: ArraySlice<UInt8>) -> Bool {
    // Only its own members count, and nearly all entries are ruled out without reading them.
    guard entry.indices.contains(where: { entry[$0...].starts(with: deleted) }),
      let members = try? JSONValue(parsing: Array(entry))
    else { return false }
    return members["deleted"] == .bool(true) && members["end_timestamp"] == nil
  }

  private static let deleted = Array(#""deleted":true"#.utf8)

  /// The entries by the UTC date on which they begin: nearly always it is one.
  private static func days(of entries: [EntryPlace]) -> [CalendarDate: [EntryPlace]] {
    if let date = entries.first?.span.lowerBound.utcDate {
      let start = Timestamp(secondsSince1970: date.daysSince1970 * 86_400)
      let end = start.adding(seconds: 86_400)
      if entries.allSatisfy({ start <= $0.span.lowerBound && $0.span.lowerBound < end }) {
        return [date: entries]
      }
    }
    return Dictionary(grouping: entries) { $0.span.lowerBound.utcDate }
  }

  private static func batch(
    of entries: [EntryPlace], on date: CalendarDate, from batch: SealedBatch,
    _ scan: SealedBatchScan
  ) -> SealedBatch {
    var body = BatchBody(
      count: entries.count, entryBytes: entries.reduce(0) { $0 + $1.place.count },
      session: scan.session, appVersion: scan.appVersion)
    for entry in entries { body.append(batch.body[entry.place], entry.span) }
    body.samples = batch.sampleTable?.beginning(on: date)
    return body.seal(batch.stream, deviceID: batch.deviceID)
  }

  /// What is wrong with a batch that the scan did not accept.
  private static func fault(of batch: SealedBatch) -> StreamError {
    let request: IngestRequest
    do throws(IngestRefusal) {
      request = try IngestRequest(sealed: batch.body)
    } catch {
      let first = error.faults.first
      return StreamError(
        .invalidBatch,
        "the batch is not valid: "
          + [first?.pointer, first?.message].compactMap { $0 }
          .filter { !$0.isEmpty }.joined(separator: ": "))
    }
    return StreamError(
      .invalidBatch,
      request.session == nil
        ? "the batch is not valid: it has no session"
        : "the batch's id or members are not those of its content")
  }
}

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
      guard let next = JSONValue.end(in: body, from: place, before: entriesEnd) else {
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
