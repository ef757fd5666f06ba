import HealthModel

/// Reads a request member by member and keeps every fault.
struct BatchRequestReader {
  let streams: [StreamName]
  var faults: [RequestFault] = []

  init(streams: [StreamName]) { self.streams = streams }

  /// What a body says beside its entries.
  struct Head {
    let stream: StreamName
    let deviceID: String
    let appVersion: String
    let session: String?
  }

  /// The members of a body, and those of its metadata.
  static let members: Set<String> = ["stream_name", "device_id", "data", "batch_metadata"]
  static let metadataMembers: Set<String> = ["app_version", "session", "total_records"]

  mutating func read(_ value: JSONValue) -> IngestRequest? {
    guard let members = object(value, "") else { return nil }
    refuseOthers(members, than: Self.members, in: "")
    var entries: [StreamEntry?]?
    let head = head(members) { (reader, stream) in
      entries = reader.entries(members, of: stream)
      return entries?.count
    }
    if case .object(let metadata)? = members["batch_metadata"] {
      refuseOthers(metadata, than: Self.metadataMembers, in: "/batch_metadata")
    }
    guard let head, let entries else { return nil }
    return IngestRequest(
      stream: head.stream, deviceID: head.deviceID, appVersion: head.appVersion,
      session: head.session, entries: entries.compactMap { $0 })
  }

  /// Reads all but the entries. Other members are not looked at.
  ///
  /// - Parameter count: how many entries there are; nil if they can't be read.
  mutating func head(
    _ members: [String: JSONValue], _ count: (inout BatchRequestReader, StreamName?) -> Int?
  ) -> Head? {
    let stream = stream(members)
    let device = device(members)
    let metadata = require("batch_metadata", of: members, in: "").flatMap {
      object($0, "/batch_metadata")
    }
    let count = count(&self, stream)
    guard let metadata else { return nil }
    let place = "/batch_metadata"
    let version = require("app_version", of: metadata, in: place).flatMap { value in
      checked { () throws(RequestFault) in try BatchMember.appVersion(value.stringValue) }
    }
    let session = metadata["session"].flatMap { value in
      checked { () throws(RequestFault) in try BatchMember.session(value.stringValue) }
    }
    let total = require("total_records", of: metadata, in: place)
    if let total, let count, total != .number(Double(count)) {
      faults.append(
        RequestFault(
          .wrongTotal, "\(place)/total_records",
          "\"total_records\" is not \(count), the number of entries in \"data\""))
    }
    guard let stream, let device, let version, count != nil else { return nil }
    return Head(stream: stream, deviceID: device, appVersion: version, session: session)
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
    return checked { () throws(RequestFault) in
      try BatchMember.deviceID(value.stringValue ?? "")
    }
  }

  /// One element for each of `data`; nil for those at fault.
  private mutating func entries(
    _ members: [String: JSONValue], of stream: StreamName?
  ) -> [StreamEntry?]? {
    guard let value = require("data", of: members, in: "") else { return nil }
    guard let values = value.arrayValue, !values.isEmpty else {
      faults.append(.noEntries)
      return nil
    }
    guard checked({ () throws(RequestFault) in try BatchMember.count(values.count) }) != nil else {
      return nil
    }
    guard let stream else { return values.map { _ in nil } }
    return values.enumerated().map { index, value in
      do throws(RequestFault) {
        return try StreamEntry(value, of: stream)
      } catch {
        faults.append(error.inEntry(at: index))
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

  private mutating func checked<Value>(_ read: () throws(RequestFault) -> Value) -> Value? {
    do throws(RequestFault) {
      return try read()
    } catch {
      faults.append(error)
      return nil
    }
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
