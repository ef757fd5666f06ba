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

  /// Where the metadata of a body ends: it is an object of strings and a number.
  static func metadataEnd(_ body: [UInt8]) -> Int {
    var (isInString, isEscaped) = (false, false)
    for (index, byte) in body.enumerated() {
      if isEscaped {
        isEscaped = false
      } else if byte == UInt8(ascii: "\\") {
        isEscaped = true
      } else if byte == UInt8(ascii: "\"") {
        isInString.toggle()
      } else if byte == UInt8(ascii: "}"), !isInString {
        return index + 1
      }
    }
    return body.count
  }
}
