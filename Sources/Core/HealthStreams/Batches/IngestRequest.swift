public import HealthModel

/// The body of a request (R46): what a client sends to `/api/ingest` and a server
/// reads (R46).
public struct IngestRequest: Hashable, Sendable {
  /// The stream of all entries.
  public let stream: StreamName
  /// The device that collected them: a UUID in lower case.
  public let deviceID: String
  /// The version of the app that collected them; 1 to 100 bytes.
  public let appVersion: String
  /// Distinguishes this sealing from every other of the device; nil from apps that send none.
  public let session: String?
  /// The entries in their order, each checked and normalised.
  public let entries: [StreamEntry]

  /// The deepest nesting of a body.
  public static let maximumDepth = 16

  /// Reads a body strictly. `total_records` must be the number of entries.
  ///
  /// - Throws: `IngestRefusal` with every fault.
  public init(parsing body: [UInt8]) throws(IngestRefusal) {
    try self.init(body, of: StreamName.collected)
  }

  /// Reads the body of a sealed batch, of whatever stream.
  init(sealed body: [UInt8]) throws(IngestRefusal) { try self.init(body, of: StreamName.allCases) }

  private init(_ body: [UInt8], of streams: [StreamName]) throws(IngestRefusal) {
    do throws(RequestFault) { try BatchMember.size(body.count) } catch {
      throw IngestRefusal([error])
    }
    let value: JSONValue
    do {
      value = try JSONValue(parsing: body, maximumDepth: Self.maximumDepth)
    } catch {
      throw IngestRefusal([RequestFault(.notJSON, "", "the body is not JSON: \(error)")])
    }
    try self.init(value, of: streams)
  }

  /// Reads a parsed body strictly.
  ///
  /// - Parameter streams: the streams that it may be of.
  init(
    _ value: JSONValue, of streams: [StreamName] = StreamName.allCases
  ) throws(IngestRefusal) {
    var reader = BatchRequestReader(streams: streams)
    guard let read = reader.read(value), reader.faults.isEmpty else {
      throw IngestRefusal(reader.faults)
    }
    self = read
  }

  init(
    stream: StreamName, deviceID: String, appVersion: String, session: String?,
    entries: [StreamEntry]
  ) {
    (self.stream, self.deviceID, self.appVersion) = (stream, deviceID, appVersion)
    (self.session, self.entries) = (session, entries)
  }

  /// The same entries as a sealed batch.
  ///
  /// A client's sealed body gives the same batch again, with the same id.
  ///
  /// - Parameter session: stands in for a session that the client did not send.
  /// - Throws: `RequestFault` for a session that is empty or longer than 100 bytes.
  public func sealed(session: @autoclosure () -> String) throws(RequestFault) -> SealedBatch {
    try SealedBatch(
      sealing: entries, of: stream, deviceID: deviceID, session: self.session ?? session(),
      appVersion: appVersion)
  }
}

extension IngestRequest: Codable {
  /// Decodes a body strictly.
  public init(from decoder: any Decoder) throws {
    try self.init(try JSONValue(from: decoder), of: StreamName.collected)
  }

  /// Encodes the body.
  public func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }

  /// The body as JSON.
  var value: JSONValue {
    var metadata: [String: JSONValue] = [
      "app_version": .string(appVersion), "total_records": .number(Double(entries.count)),
    ]
    metadata["session"] = session.map { .string($0) }
    return .object([
      "stream_name": .string(stream.rawValue), "device_id": .string(deviceID),
      "batch_metadata": .object(metadata),
      // The bytes are canonical JSON since they were read.
      "data": .array(entries.map { (try? JSONValue(parsing: $0.bytes)) ?? .null }),
    ])
  }
}
