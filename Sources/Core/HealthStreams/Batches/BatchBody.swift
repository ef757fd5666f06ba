package import HealthModel

/// An entry by its place in the body of its batch.
package struct EntryPlace: Hashable, Sendable {
  package let place: Range<Int>
  /// From its start to its end.
  package let span: ClosedRange<Timestamp>
}

/// Writes the body of a batch entry by entry, so that its entries need not be held beside it (R46).
package struct BatchBody: Sendable {
  /// How the body of every batch begins.
  static let start = Array(#"{"batch_metadata":"#.utf8)
  /// What stands between the metadata and the first entry.
  static let dataStart = Array(#","data":["#.utf8)

  private var bytes: [UInt8]
  private let expected: Int
  private var places: [EntryPlace] = []
  /// The samples of all entries, where they are known.
  var samples: SampleTable?

  /// A body of `count` entries.
  ///
  /// - Parameter entryBytes: about how many bytes the entries have in all.
  package init(count: Int, entryBytes: Int, session: String, appVersion: String) {
    expected = count
    bytes = []
    bytes.reserveCapacity(entryBytes + count + 700)
    places.reserveCapacity(count)
    bytes += Self.head(count: count, session: session, appVersion: appVersion)
  }

  /// A body with all entries of a batch. It takes over their bytes.
  init(_ entries: consuming EntryBytes, session: String, appVersion: String) {
    let head = Self.head(count: entries.places.count, session: session, appVersion: appVersion)
    entries.bytes.insert(contentsOf: head, at: 0)
    (bytes, samples, expected) = (entries.bytes, entries.samples, entries.places.count)
    places = entries.places.map { entry in
      EntryPlace(
        place: (entry.place.lowerBound + head.count)..<(entry.place.upperBound + head.count),
        span: entry.span)
    }
  }

  /// The text before the first entry, with its members in canonical order.
  private static func head(count: Int, session: String, appVersion: String) -> [UInt8] {
    start + metadata(count: count, session: session, appVersion: appVersion) + dataStart
  }

  /// Adds an entry that was checked, in its canonical bytes.
  package mutating func append(_ entry: some Collection<UInt8>, _ span: ClosedRange<Timestamp>) {
    if !places.isEmpty { bytes.append(UInt8(ascii: ",")) }
    let start = bytes.count
    bytes += entry
    places.append(EntryPlace(place: start..<bytes.count, span: span))
  }

  /// The batch of the entries that were added. The last call.
  ///
  /// - Parameter digest: SHA-256 as 64 lower-case hex digits, by a library of the program's.
  package mutating func seal(
    _ stream: StreamName, deviceID: String, digest: SealedBatch.Digest = SealedBatch.digest
  ) -> SealedBatch {
    precondition(places.count == expected, "the metadata says another number of entries")
    bytes += Self.end(stream, deviceID: deviceID)
    return SealedBatch(
      id: digest(bytes), stream: stream, deviceID: deviceID, recordCount: expected, body: bytes,
      places: places, sampleTable: samples)
  }

  static func metadata(count: Int, session: String, appVersion: String) -> [UInt8] {
    JSONValue.object([
      "app_version": .string(appVersion), "session": .string(session),
      "total_records": .number(Double(count)),
    ]).canonicalBytes
  }

  /// What follows the last entry.
  static func end(_ stream: StreamName, deviceID: String) -> [UInt8] {
    Array(#"],"device_id":"#.utf8) + JSONValue.string(deviceID).canonicalBytes
      + Array(#","stream_name":"#.utf8) + JSONValue.string(stream.rawValue).canonicalBytes
      + [UInt8(ascii: "}")]
  }

  static func metadataEnd(_ body: [UInt8]) -> Int {
    JSONValue.end(in: body, from: start.count) ?? body.count
  }
}

/// What a batch says beside its entries, checked alike by who makes one and who reads one (R46).
package enum BatchMember {
  /// The UUID of a device in lower case.
  package static func deviceID(_ text: String) throws(RequestFault) -> String {
    guard let device = UUIDText.lowercased(text) else {
      throw RequestFault(.invalidMember, "/device_id", "\"device_id\" is not a UUID")
    }
    return device
  }

  package static func appVersion(_ text: String?) throws(RequestFault) -> String {
    try metadata("app_version", text)
  }

  /// What distinguishes a sealing from every other.
  static func session(_ text: String?) throws(RequestFault) -> String {
    try metadata("session", text)
  }

  private static func metadata(_ name: String, _ text: String?) throws(RequestFault) -> String {
    if let text, (1...100).contains(text.utf8.count) { return text }
    let pointer = "/batch_metadata/\(name)"
    throw RequestFault(.invalidMember, pointer, "\(pointer) is not a string of 1 to 100 bytes")
  }

  /// How many entries a batch may have.
  static func count(_ count: Int) throws(RequestFault) {
    guard count > 0 else { throw .noEntries }
    guard count <= SealedBatch.maximumRecords else {
      throw RequestFault(
        .tooLarge, "/data", "\"data\" has \(count) entries, more than \(SealedBatch.maximumRecords)"
      )
    }
  }

  /// How many bytes a body may have.
  static func size(_ bytes: Int) throws(RequestFault) {
    guard bytes <= SealedBatch.maximumBytes else {
      throw RequestFault(
        .tooLarge, "", "the body has \(bytes) bytes, more than \(SealedBatch.maximumBytes)")
    }
  }
}

extension RequestFault {
  static let noEntries = RequestFault(
    .invalidMember, "/data", "\"data\" is not an array of at least one entry")
}

/// Packs and unpacks batches as gzip (RFC 1952). A program brings its own library for it; this
/// module has no C in it.
public protocol BatchCompression: Sendable {
  /// The bytes of all pieces, in their order, as one gzip member.
  func gzip(_ pieces: [ArraySlice<UInt8>]) throws(BatchCompressionError) -> [UInt8]
  /// The bytes of one gzip member, at most `limit` of them.
  func gunzip(_ bytes: [UInt8], limit: Int) throws(BatchCompressionError) -> [UInt8]
}

/// Why bytes can't be packed or unpacked.
public enum BatchCompressionError: Error, Hashable, Sendable {
  /// Not gzip, cut off, or its checksum is wrong.
  case damaged
  /// More bytes than the limit.
  case tooLarge
  /// The library failed.
  case failed
}
