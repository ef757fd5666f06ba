import CommandLineKit
import Foundation
import HealthLedger
import HealthModel

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
