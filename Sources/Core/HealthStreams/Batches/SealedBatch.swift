import ContentDigests
public import HealthModel

/// A batch whose content is fixed for good: entries of one stream and device, in one body (R46).
///
/// The body is the request of R46, in canonical JSON. The id is the digest of the
/// body. So whoever sends the same sealed batch again sends the same id, and it is stored once.
public struct SealedBatch: Hashable, Sendable {
  /// SHA-256 of `body`, as 64 lower-case hex digits.
  public let id: String
  /// The stream of all its entries.
  public let stream: StreamName
  /// The device that collected them: a UUID in lower case.
  public let deviceID: String
  /// How many entries it has.
  public let recordCount: Int
  /// `{"batch_metadata":{"app_version","session","total_records"},"data":[...],"device_id","stream_name"}`,
  /// canonical (R13).
  public let body: [UInt8]
  /// Where the entries are, if this process made the batch of checked entries. Not part of what a
  /// batch is: without it the body is read.
  let places: [EntryPlace]?
  /// What days are counted by, of the same entries, where it is known. Not part of what a batch is.
  let sampleTable: SampleTable?

  /// The most entries of a batch (R46).
  public static let maximumRecords = 5000
  /// The most bytes of a body (R46).
  public static let maximumBytes = 8_388_608

  /// Seals entries, in their order.
  ///
  /// - Parameters:
  ///   - entries: entries of `stream`, at least one.
  ///   - stream: the stream that they belong to.
  ///   - deviceID: the id of the device that sends them: a UUID. It is stored in lower case.
  ///   - session: distinguishes this sealing from every other of the device, so that a value that comes
  ///     back (71.2, 72.1, 71.2) is not taken for the first (R46). 1 to 100 bytes.
  ///   - appVersion: the version of the program that seals them. 1 to 100 bytes.
  /// - Throws: `RequestFault` for what no receiver would accept.
  public init(
    sealing entries: some Collection<StreamEntry>, of stream: StreamName, deviceID: String,
    session: String, appVersion: String
  ) throws(RequestFault) {
    try BatchMember.count(entries.count)
    for (index, entry) in entries.enumerated() where entry.stream != stream {
      throw RequestFault(
        .invalidMember, "/data/\(index)",
        "the entry is of the stream \(entry.stream.rawValue), not \(stream.rawValue)")
    }
    self.init(
      checked: entries, of: stream, deviceID: try BatchMember.deviceID(deviceID),
      session: try BatchMember.session(session),
      appVersion: try BatchMember.appVersion(appVersion))
    try BatchMember.size(body.count)
  }

  /// Seals entries of a request that was read, or of a program that keeps the bounds itself.
  package init(
    checked entries: some Collection<StreamEntry>, of stream: StreamName, deviceID: String,
    session: String, appVersion: String
  ) {
    var body = BatchBody(
      count: entries.count, entryBytes: entries.reduce(0) { $0 + $1.bytes.count },
      session: session, appVersion: appVersion)
    for entry in entries { body.append(entry.bytes, entry.start...max(entry.start, entry.end)) }
    self = body.seal(stream, deviceID: deviceID)
  }

  /// A batch as it was sealed and kept.
  package init(
    id: String, stream: StreamName, deviceID: String, recordCount: Int, body: [UInt8]
  ) {
    self.init(
      id: id, stream: stream, deviceID: deviceID, recordCount: recordCount, body: body,
      places: nil)
  }

  init(
    id: String, stream: StreamName, deviceID: String, recordCount: Int, body: [UInt8],
    places: [EntryPlace]?, sampleTable: SampleTable? = nil
  ) {
    (self.id, self.stream, self.deviceID) = (id, stream, deviceID)
    (self.recordCount, self.body, self.places) = (recordCount, body, places)
    self.sampleTable = sampleTable
  }

  /// Batches are equal if all that is sent is.
  public static func == (a: SealedBatch, b: SealedBatch) -> Bool {
    a.id == b.id && a.stream == b.stream && a.deviceID == b.deviceID
      && a.recordCount == b.recordCount && a.body == b.body
  }

  /// Hashes the id, which is the digest of the rest.
  public func hash(into hasher: inout Hasher) { hasher.combine(id) }

  /// A function that returns the SHA-256 of bytes as hex digits.
  package typealias Digest = @Sendable ([UInt8]) -> String

  /// SHA-256 as hex digits.
  @Sendable
  package static func digest(of bytes: [UInt8]) -> String {
    ContentDigest.hex(of: bytes)
  }
}
