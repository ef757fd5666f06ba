package import HealthModel

/// The body of a request as a server takes it (R46): what `IngestRequest` reads,
/// in the bytes that are sealed and stored.
///
/// Batches of samples are read where they stand. All others, and every body with a fault, are read
/// by `IngestRequest`: with it alone, a batch of samples would cost a server six times as much.
package struct ReceivedBatch {
  package let stream: StreamName
  /// A UUID in lower case.
  package let deviceID: String
  private let appVersion: String
  private let session: String?
  private var entries: EntryBytes

  /// How many entries it has.
  package var recordCount: Int { entries.places.count }

  /// How many UTC dates its entries begin on.
  package var dateCount: Int {
    var dates: Set<CalendarDate> = []
    // There is nearly always only one.
    var last: CalendarDate?
    for entry in entries.places {
      let date = entry.span.lowerBound.utcDate
      if date != last { dates.insert(date) }
      last = date
    }
    return dates.count
  }

  /// Reads a body strictly.
  ///
  /// - Throws: `IngestRefusal` with every fault.
  package init(parsing body: [UInt8]) throws(IngestRefusal) {
    if let scan = RequestScan(body) {
      (stream, deviceID, entries) = (.healthKit, scan.deviceID, scan.entries)
      (appVersion, session) = (scan.metadata.appVersion, scan.metadata.session)
      return
    }
    let request = try IngestRequest(parsing: body)
    var entries = EntryBytes()
    for entry in request.entries { entries.append(entry) }
    (stream, deviceID, self.entries) = (request.stream, request.deviceID, entries)
    (appVersion, session) = (request.appVersion, request.session)
  }

  /// The same entries as a sealed batch, in the same memory.
  ///
  /// - Parameters:
  ///   - session: stands in for a session that the client did not send.
  ///   - digest: SHA-256 as 64 lower-case hex digits, by a library of the program's.
  package consuming func sealed(
    session: @autoclosure () -> String, digest: SealedBatch.Digest = SealedBatch.digest
  ) -> SealedBatch {
    var taken = EntryBytes()
    swap(&taken, &entries)
    var body = BatchBody(
      consume taken, session: self.session ?? session(), appVersion: appVersion)
    return body.seal(stream, deviceID: deviceID, digest: digest)
  }
}
