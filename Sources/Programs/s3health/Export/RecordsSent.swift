import CommandLineKit
import ContentDigests
import Foundation
import HealthExports
import HealthLedger
import HealthModel
import ObjectStore

/// What earlier runs of `export records` have delivered to a server, so that the next one posts only
/// what is new: of each record the digest of what it said last.
struct RecordsSent {
  private let file: PrivateFile
  private let endpoint: String
  /// By the digest of a record's kind and id.
  private var sent: [String: String] = [:]

  /// The most bytes of the file: about half a million records.
  private static let maximumBytes = 32 << 20

  /// - Parameters:
  ///   - folder: the user's private folder.
  ///   - forgets: whether to begin anew, so that everything is new.
  init(in folder: String, to endpoint: String, forgets: Bool) throws(LedgerError) {
    self.endpoint = endpoint
    try PrivateFile.makeFolder(folder)
    let path = folder + "/records-sent.json"
    file = try PrivateFile(path, for: "what the export has sent")
    if !forgets,
      case .bytes(let bytes) = PrivateFile.contents(of: path, maximumBytes: Self.maximumBytes),
      let held = try? JSONValue(parsing: bytes), held["endpoint"]?.stringValue == endpoint,
      case .object(let sent)? = held["sent"]
    {
      self.sent = sent.compactMapValues(\.stringValue)
    }
  }

  /// The records that say something that the server does not know.
  func news(of batch: RecordBatch) -> RecordBatch {
    let isNew = batch.values.map { value in
      let (name, digest) = Self.digests(of: value, batch.kind)
      return sent[name] != digest
    }
    return batch.filtered { isNew[$0] }
  }

  /// The server has all of these.
  mutating func confirm(_ batches: [RecordBatch]) throws(LedgerError) {
    for batch in batches {
      for value in batch.values {
        let (name, digest) = Self.digests(of: value, batch.kind)
        sent[name] = digest
      }
    }
    let document = JSONValue.object([
      "endpoint": .string(endpoint), "sent": .object(sent.mapValues(JSONValue.string)),
    ])
    let bytes = document.canonicalBytes + [UInt8(ascii: "\n")]
    // What can't be read back would be posted again; it is better to say nothing than half.
    try file.replace(with: bytes.count <= Self.maximumBytes ? bytes : Array("{}\n".utf8))
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

extension RecordBatch {
  /// The records whose places are wanted.
  fileprivate func filtered(_ isWanted: (Int) -> Bool) -> RecordBatch {
    func some<Record>(_ records: [Record]) -> [Record] {
      records.indices.filter(isWanted).map { records[$0] }
    }
    return switch self {
    case .metrics(let records): .metrics(some(records))
    case .workouts(let records): .workouts(some(records))
    case .sleep(let records): .sleep(some(records))
    }
  }
}
