import Digests
package import HealthExports
package import HealthModel

/// A posted batch as the store keeps it: an immutable object, from which the rows can be made again
/// (R56).
package struct PostedRecords: Hashable, Sendable {
  package let batch: RecordBatch
  /// The device of the token: a UUID in lower case.
  package let deviceID: String
  /// What distinguishes a batch from an equal one that says something new: a value may come back.
  package let session: String
  /// When it was received first, by the receiver's clock.
  package let receivedAt: PreciseMoment
  /// The digest of device, kind, session and records: 64 lower-case hex digits.
  package let id: String
  /// The records in canonical JSON: most of what is digested, and of the object.
  private let records: [UInt8]

  package static let schemaVersion = "health_records.v0"

  /// The most bytes of an object, unpacked: a body of 8 MiB in canonical form, and the members beside
  /// it.
  package static let maximumBytes = 64 << 20
  package static let maximumPackedBytes = 16 << 20

  package init(
    _ batch: RecordBatch, from deviceID: String, session: String, receivedAt: PreciseMoment
  ) {
    (self.batch, self.deviceID, self.session) = (batch, deviceID, session)
    self.receivedAt = receivedAt
    records = JSONValue.array(batch.values).canonicalBytes
    let device = ["device_id": JSONValue.string(deviceID), "kind": .string(batch.kind.rawValue)]
    id = SHA256.hex(Self.canonical(device, records, ["session": .string(session)]))
  }

  package var receipt: RecordReceipt { RecordReceipt(receivedAt: receivedAt, batchID: id) }

  /// The object: canonical JSON.
  package var object: [UInt8] {
    Self.canonical(
      [
        "batch_id": .string(id), "device_id": .string(deviceID),
        "kind": .string(batch.kind.rawValue), "received_at": .string("\(receivedAt)"),
      ], records,
      ["schema_version": .string(Self.schemaVersion), "session": .string(session)])
  }

  /// The canonical JSON of members: those whose names come before that of the records, and after it.
  private static func canonical(
    _ before: [String: JSONValue], _ records: [UInt8], _ after: [String: JSONValue]
  ) -> [UInt8] {
    JSONValue.object(before).canonicalBytes.dropLast() + Array(#","records":"#.utf8) + records
      + Array(",".utf8) + JSONValue.object(after).canonicalBytes.dropFirst()
  }

  /// Reads an object, and checks its digest; nil if it is not one of these.
  package init?(parsing bytes: [UInt8]) {
    guard bytes.count <= Self.maximumBytes,
      let value = try? JSONValue(parsing: bytes, maximumDepth: 9),
      value["schema_version"]?.stringValue == Self.schemaVersion,
      let kind = value["kind"]?.stringValue.flatMap({ RecordKind(rawValue: $0) }),
      let deviceID = value["device_id"]?.stringValue, let session = value["session"]?.stringValue,
      let receivedAt = value["received_at"]?.stringValue.flatMap({ PreciseMoment($0) }),
      let records = value["records"],
      // The bounds of dates were those of the day on which it was received.
      let batch = try? RecordBatch(
        json: .object(["records": records]), of: kind, in: RecordBounds(now: .last))
    else { return nil }
    self.init(batch, from: deviceID, session: session, receivedAt: receivedAt)
    guard value["batch_id"]?.stringValue == id else { return nil }
  }
}
