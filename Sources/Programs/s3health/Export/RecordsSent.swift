import CommandLineKit
import ContentDigests
import Foundation
import HealthExports
import HealthLedger
import HealthModel
import ObjectStore
import Outbox

/// What earlier runs of `export records` have delivered to each receiver, so that the next one posts
/// only what is new: the digest of each record as it was sent last.
struct RecordsSent {
  private let file: PrivateFile
  private let receiver: String
  private let forgets: Bool
  /// By the digest of a record's kind and id.
  private var sent: [String: String]
  /// When the newest export whose records were sent was made.
  private var exportedAt: Timestamp?

  /// The most bytes of the file: about half a million records.
  private static let maximumBytes = 32 << 20

  /// - Parameters:
  ///   - folder: the user's private folder.
  ///   - receiver: `receiver(_:_:)`.
  ///   - forgets: whether everything is new.
  init(in folder: String, to receiver: String, forgets: Bool) throws(LedgerError) {
    (self.receiver, self.forgets) = (receiver, forgets)
    try PrivateFile.makeFolder(folder)
    file = try PrivateFile(folder + "/records-sent.json", for: "what the export has sent")
    let held = Self.held(file)
    sent = held.sent[receiver] ?? [:]
    exportedAt = held.exports[receiver].flatMap { Timestamp($0) }
  }

  /// A name for a server and a token. The token decides whose rows they are: what was sent for Ann was
  /// not sent for Bob.
  static func receiver(_ endpoint: IngestEndpoint, _ token: DeviceToken) -> String {
    String(ContentDigest.hex(of: Array("\(endpoint.url) \(token.text)".utf8)).prefix(32))
  }

  private static func held(
    _ file: PrivateFile
  ) -> (sent: [String: [String: String]], exports: [String: String]) {
    guard case .bytes(let bytes) = PrivateFile.contents(of: file.path, maximumBytes: maximumBytes),
      let held = try? JSONValue(parsing: bytes), case .object(let receivers)? = held["receivers"]
    else { return ([:], [:]) }
    return (receivers.mapValues(texts), held["exported_at"].map(texts) ?? [:])
  }

  private static func texts(_ value: JSONValue) -> [String: String] {
    guard case .object(let members) = value else { return [:] }
    return members.compactMapValues(\.stringValue)
  }

  /// When the newest export whose records were sent was made, if that is later than `moment`.
  func newerExport(than moment: Timestamp?) -> Timestamp? {
    guard !forgets, let moment, let exportedAt, exportedAt > moment else { return nil }
    return exportedAt
  }

  /// The records that were never sent.
  func unsent(of batch: RecordBatch) -> RecordBatch {
    batch.taking(
      batch.values.enumerated().lazy.filter {
        sent[Self.digests(of: $1, batch.kind).name] == nil
      }.map(\.offset))
  }

  /// The records that say something that the server does not know.
  func news(of batch: RecordBatch) -> RecordBatch {
    if forgets { return batch }
    return batch.taking(
      batch.values.enumerated().lazy.filter { _, value in
        let (name, digest) = Self.digests(of: value, batch.kind)
        return sent[name] != digest
      }.map(\.offset))
  }

  /// Those of these metrics whose number the server still has.
  func taken(of none: [MetricRecord]) -> [MetricRecord] {
    if sent.isEmpty { return [] }
    let batch = RecordBatch.metrics(none)
    return zip(none, batch.values).compactMap { record, value in
      let (name, digest) = Self.digests(of: value, batch.kind)
      return sent[name].flatMap { $0 == digest ? nil : record }
    }
  }

  /// The server has all of these.
  ///
  /// - Parameter moment: when their export was made, if they come from one.
  mutating func confirm(
    _ batches: [RecordBatch], exportedAt moment: Timestamp?
  ) throws(LedgerError) {
    // An older export that was posted as a whole replaces the newer one.
    exportedAt = forgets ? moment ?? exportedAt : [exportedAt, moment].compactMap(\.self).max()
    for batch in batches {
      for value in batch.values {
        let (name, digest) = Self.digests(of: value, batch.kind)
        sent[name] = digest
      }
    }
    // What can't be read back would be posted again; it is better to say nothing than half.
    let held = Self.held(file)
    let all = held.sent.merging([receiver: sent]) { $1 }
    var exports = held.exports
    exports[receiver] = exportedAt.map { "\($0)" }
    for receivers in [all, [receiver: sent], [:]] {
      let document = JSONValue.object([
        "receivers": .object(
          receivers.mapValues { JSONValue.object($0.mapValues(JSONValue.string)) }),
        "exported_at": .object(
          exports.filter { receivers[$0.key] != nil }.mapValues(JSONValue.string)),
      ])
      let bytes = document.canonicalBytes + [UInt8(ascii: "\n")]
      if bytes.count > Self.maximumBytes { continue }
      return try file.replace(with: bytes)
    }
  }

  private static func digests(
    of value: JSONValue, _ kind: RecordKind
  ) -> (name: String, digest: String) {
    let id = value["healthkit_uuid"]?.stringValue ?? ""
    return (
      String(ContentDigest.hex(of: Array("\(kind.rawValue) \(id)".utf8)).prefix(16)),
      String(ContentDigest.hex(of: value.canonicalBytes).prefix(16))
    )
  }
}

/// What a run of `export records` has delivered, so that one that was interrupted goes on where it
/// stopped. The file goes when the run is complete.
struct RecordsRun {
  private let file: PrivateFile
  private let receiver: String
  /// A part of each request's key: a later run may send an old value again, and it is news then.
  let id: String
  private var confirmed: Set<String>

  /// The most bytes of the file.
  private static let maximumBytes = 16 << 20

  /// - Parameters:
  ///   - folder: the user's private folder.
  ///   - receiver: that of `RecordsSent`.
  init(in folder: String, to receiver: String) throws(LedgerError) {
    self.receiver = receiver
    try PrivateFile.makeFolder(folder)
    let path = folder + "/records-run.json"
    file = try PrivateFile(path, for: "the progress of the export")
    if case .bytes(let bytes) = PrivateFile.contents(of: path, maximumBytes: Self.maximumBytes),
      let held = try? JSONValue(parsing: bytes),
      held["receiver"]?.stringValue == receiver, let id = held["run"]?.stringValue,
      let confirmed = held["confirmed"]?.arrayValue
    {
      self.id = id
      self.confirmed = Set(confirmed.compactMap(\.stringValue))
    } else {
      id = UUID().uuidString.lowercased()
      confirmed = []
    }
  }

  func isConfirmed(_ digest: String) -> Bool { confirmed.contains(digest) }

  mutating func confirm(_ digest: String) throws(LedgerError) {
    confirmed.insert(digest)
    let document = JSONValue.object([
      "receiver": .string(receiver), "run": .string(id),
      "confirmed": .array(confirmed.sorted().map(JSONValue.string)),
    ])
    try file.replace(with: document.canonicalBytes + [UInt8(ascii: "\n")])
  }

  /// The run is complete.
  func finish() { unlink(file.path) }
}
