internal import AppleExport
package import HealthLedger
internal import HealthModel

/// What the last export had, in a file: a line of JSON with the sources, then the records in their
/// order, four words each.
package struct SnapshotFile: Sendable {
  private let file: WordFile
  let sources: [ExportSource]
  /// How many records there are, and how many of them are not gone.
  package let (count, alive): (Int, Int)
  /// When the export was made, in seconds since 1970; nil if it did not say.
  package let madeAt: Int?

  private static let format = "samples.v0"

  /// Opens a file; nil if there is none.
  package init?(path: String) throws(LedgerError) {
    guard let file = try WordFile(path: path) else { return nil }
    guard let value = try? JSONValue(parsing: file.header),
      value["format"]?.stringValue == Self.format,
      let count = value["count"]?.numberValue.flatMap(Int.init(exactly:)), count >= 0,
      let alive = value["alive"]?.numberValue.flatMap(Int.init(exactly:)),
      let names = value["sources"]?.arrayValue
    else { throw LedgerError(damaged: path, "it is damaged") }
    guard file.wordCount == count * SnapshotRecord.wordCount else {
      throw LedgerError(damaged: path, "it is cut off")
    }
    sources = names.map { pair in
      let pair = pair.arrayValue ?? []
      return ExportSource(
        name: pair.first?.stringValue ?? "", hardware: pair.dropFirst().first?.stringValue ?? "")
    }
    madeAt = value["made_at"]?.numberValue.flatMap(Int.init(exactly:))
    (self.file, self.count, self.alive) = (file, count, alive)
  }

  /// Reads the records in their order, in bounded memory.
  struct Reader {
    private let snapshot: SnapshotFile
    private var next: Int
    private var words: [UInt64] = []
    private var index = 0

    private static let block = 4096

    /// - Parameter first: the record to begin with.
    init(_ snapshot: SnapshotFile, from first: Int = 0) {
      (self.snapshot, next) = (snapshot, min(first, snapshot.count))
    }

    mutating func record() throws(LedgerError) -> SnapshotRecord? {
      if index == words.count {
        let count = min(Self.block, snapshot.count - next)
        words = try snapshot.file.words(
          at: next * SnapshotRecord.wordCount, count: count * SnapshotRecord.wordCount)
        (next, index) = (next + count, 0)
      }
      guard index < words.count else { return nil }
      defer { index += SnapshotRecord.wordCount }
      return SnapshotRecord(words: words[index..<index + SnapshotRecord.wordCount])
    }
  }

  /// The line that begins a file.
  static func header(
    _ sources: [ExportSource], count: Int, alive: Int, madeAt: Int?
  ) -> [UInt8] {
    var members: [String: JSONValue] = [
      "format": .string(format), "count": .number(Double(count)), "alive": .number(Double(alive)),
      "sources": .array(sources.map { .array([.string($0.name), .string($0.hardware)]) }),
    ]
    if let madeAt { members["made_at"] = .number(Double(madeAt)) }
    return JSONValue.object(members).canonicalBytes
  }
}
