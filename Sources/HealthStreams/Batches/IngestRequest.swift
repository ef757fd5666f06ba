import HealthModel

/// The body of a request of 003's protocol: what a client sends to `/api/ingest` and a server
/// reads (R46).
public struct IngestRequest: Hashable, Sendable {
  /// The stream of all entries.
  public let stream: StreamName
  /// The device that collected them: a UUID in lower case.
  public let deviceID: String
  /// The version of the app that collected them; 1 to 100 bytes.
  public let appVersion: String
  /// Tells this sealing from every other of the device; nil from apps that send none.
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
    guard body.count <= SealedBatch.maximumBytes else {
      throw IngestRefusal([
        RequestFault(
          .tooLarge, "",
          "the body has \(body.count) bytes, more than \(SealedBatch.maximumBytes)")
      ])
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
    var reader = RequestReader(streams: streams)
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
  public func sealed(session: @autoclosure () -> String) -> SealedBatch {
    SealedBatch(
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

/// Reads a request member by member and keeps every fault.
private struct RequestReader {
  let streams: [StreamName]
  var faults: [RequestFault] = []

  init(streams: [StreamName]) { self.streams = streams }

  mutating func read(_ value: JSONValue) -> IngestRequest? {
    guard let members = object(value, "") else { return nil }
    refuseOthers(members, than: ["stream_name", "device_id", "data", "batch_metadata"], in: "")
    let stream = stream(members)
    let device = device(members)
    let metadata = require("batch_metadata", of: members, in: "").flatMap {
      object($0, "/batch_metadata")
    }
    let entries = entries(members, of: stream)
    guard let metadata else { return nil }
    let place = "/batch_metadata"
    refuseOthers(metadata, than: ["app_version", "session", "total_records"], in: place)
    let version = require("app_version", of: metadata, in: place).flatMap {
      text($0, "\(place)/app_version")
    }
    let session = metadata["session"].flatMap { text($0, "\(place)/session") }
    let total = require("total_records", of: metadata, in: place)
    if let total, let entries, total != .number(Double(entries.count)) {
      faults.append(
        RequestFault(
          .wrongTotal, "\(place)/total_records",
          "\"total_records\" is not \(entries.count), the number of entries in \"data\""))
    }
    guard let stream, let device, let version, let entries else { return nil }
    return IngestRequest(
      stream: stream, deviceID: device, appVersion: version, session: session,
      entries: entries.compactMap { $0 })
  }

  private mutating func stream(_ members: [String: JSONValue]) -> StreamName? {
    guard let value = require("stream_name", of: members, in: "") else { return nil }
    guard let stream = value.stringValue.flatMap(StreamName.init(rawValue:)),
      streams.contains(stream)
    else {
      let names = streams.map(\.rawValue).joined(separator: ", ")
      faults.append(
        RequestFault(.unknownStream, "/stream_name", "\"stream_name\" is not one of \(names)"))
      return nil
    }
    return stream
  }

  private mutating func device(_ members: [String: JSONValue]) -> String? {
    guard let value = require("device_id", of: members, in: "") else { return nil }
    guard let device = value.stringValue.flatMap(UUIDText.lowercased) else {
      faults.append(RequestFault(.invalidMember, "/device_id", "\"device_id\" is not a UUID"))
      return nil
    }
    return device
  }

  /// One element for each of `data`; nil for those at fault.
  private mutating func entries(
    _ members: [String: JSONValue], of stream: StreamName?
  ) -> [StreamEntry?]? {
    guard let value = require("data", of: members, in: "") else { return nil }
    guard let values = value.arrayValue, !values.isEmpty else {
      faults.append(
        RequestFault(.invalidMember, "/data", "\"data\" is not an array of at least one entry"))
      return nil
    }
    guard values.count <= SealedBatch.maximumRecords else {
      faults.append(
        RequestFault(
          .tooLarge, "/data",
          "\"data\" has \(values.count) entries, more than \(SealedBatch.maximumRecords)"))
      return nil
    }
    guard let stream else { return values.map { _ in nil } }
    return values.enumerated().map { index, value in
      do throws(EntryError) {
        return try StreamEntry(value, of: stream)
      } catch {
        faults.append(RequestFault(error, at: index))
        return nil
      }
    }
  }

  private mutating func object(_ value: JSONValue, _ pointer: String) -> [String: JSONValue]? {
    if case .object(let members) = value { return members }
    faults.append(
      RequestFault(
        .notAnObject, pointer,
        pointer.isEmpty ? "the body is not a JSON object" : "\"batch_metadata\" is not an object"))
    return nil
  }

  private mutating func require(
    _ name: String, of members: [String: JSONValue], in place: String
  ) -> JSONValue? {
    if let value = members[name] { return value }
    faults.append(RequestFault(.missingMember, "\(place)/\(name)", "\"\(name)\" is missing"))
    return nil
  }

  private mutating func text(_ value: JSONValue, _ pointer: String) -> String? {
    if let text = value.stringValue, (1...100).contains(text.utf8.count) { return text }
    faults.append(
      RequestFault(.invalidMember, pointer, "\(pointer) is not a string of 1 to 100 bytes"))
    return nil
  }

  private mutating func refuseOthers(
    _ members: [String: JSONValue], than known: Set<String>, in place: String
  ) {
    for name in members.keys.filter({ !known.contains($0) }).sorted().prefix(10) {
      let shown = name.prefix(40)
      faults.append(
        RequestFault(
          .unknownMember, place,
          "the member \"\(shown)\" is not part of the format"))
    }
  }
}
