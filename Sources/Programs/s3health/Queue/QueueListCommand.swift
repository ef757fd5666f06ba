import ArgumentParser
import CommandLineKit
import HealthLedger
import HealthModel
import HealthStreams
import Outbox

/// `raw queue`: shows the entries in the outbox, without their content.
struct QueueListCommand: ResultCommand {
  /// What became of an entry.
  enum State: String, ExpressibleByArgument, CaseIterable {
    case pending, failed, uploaded
  }

  static let configuration = CommandConfiguration(
    commandName: "queue",
    abstract: "List the entries in the outbox, the oldest first.",
    discussion: """
      Uploaded entries stay for three days. `status --output json` counts them.

        s3health raw queue
        s3health raw queue --status failed --output json
      """)

  @Option(help: .init("Only entries of this stream.", valueName: "name"))
  var stream: StreamArgument<QueuedStreams>?

  @Option(help: "Only entries with this status: pending, failed or uploaded.")
  var status: State?

  @Option(help: .init("List at most this many entries.", valueName: "n"))
  var limit = 100

  @OptionGroup var outbox: OutboxOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var settings: QueueSettings

  func validate() throws {
    if !(1...1_000_000).contains(limit) {
      throw ValidationError("--limit must be 1 to 1,000,000")
    }
  }

  func result() async throws(LedgerError) -> any CommandResult {
    let file = outbox.file(try settings.settings().store)
    let outbox = try queued(try Outbox.ifPresent(file))
    // One more shows whether there are more.
    let found =
      try queued(
        try outbox?.entries(stream: stream?.stream, status: status?.rawValue, limit: limit + 1))
      ?? []
    return QueueList(
      outbox: file.path, entries: found.prefix(limit).map(QueueList.Entry.init),
      hasMore: found.count > limit)
  }
}

/// What `raw queue` found.
struct QueueList: CommandResult, Encodable {
  let outbox: String
  let entries: [Entry]
  let hasMore: Bool

  struct Entry: Encodable {
    let number, bytes, uploadAttempts: Int
    let streamName, id, status: String
    let start, createdAt: Timestamp
    let nextAttemptDate: Timestamp?
    let lastError, batchId: String?

    init(_ entry: QueuedEntry) {
      (number, streamName, id) = (entry.number, entry.stream, entry.entryID)
      (start, bytes, createdAt) = (entry.start, entry.bytes, entry.createdAt)
      (status, uploadAttempts) = (entry.status, entry.attempts)
      (nextAttemptDate, lastError, batchId) = (entry.nextAttempt, entry.lastError, entry.batchID)
    }

    /// - Parameter width: of the line; one that does not fit has the id below.
    func line(_ width: Int) -> String {
      let stream = StreamName(rawValue: streamName)?.shortName ?? streamName
      let row =
        "\(number)".padded(to: 12) + " " + stream.padded(to: 11) + " " + status.padded(to: 9)
        + " " + "\(uploadAttempts)".leftPadded(to: 8) + " " + bytes.grouped.leftPadded(to: 10)
        + "  \(start)"
      let id = id.printable
      return row + (row.count + 2 + id.count > width ? "\n    " : "  ") + id
        + (lastError.map { status == "uploaded" ? "" : "\n    \($0.printable)" } ?? "")
    }
  }

  func lines(_ terminal: Terminal) -> [String] {
    guard !entries.isEmpty else { return ["no entries"] }
    let head =
      "entry        stream      status    attempts      bytes  begins                id"
    return [terminal.styled(head, .strong)]
      + entries.map { $0.line(terminal.isTerminal ? terminal.width : .max) }
      + (hasMore ? ["(more are omitted; --limit shows them)"] : [])
  }
}

/// `raw drop`: removes entries that nobody confirmed.
struct QueueDropCommand: ResultCommand {
  static let configuration = CommandConfiguration(
    commandName: "drop",
    abstract: "Remove entries that were not uploaded.",
    discussion: """
      Without --yes it only shows how many there are. What is removed is recorded as a gap, which \
      `status --verbose` shows, and the feeds that the entries came from are read again from the start.

        s3health raw drop --failed
        s3health raw drop --all --stream audio --yes
      """)

  @Flag(help: "Remove failed entries.")
  var failed = false

  @Flag(help: "Remove pending and failed entries.")
  var all = false

  @Option(help: .init("Only entries of this stream.", valueName: "name"))
  var stream: StreamArgument<QueuedStreams>?

  @Flag(help: "Allow drop to remove them.")
  var yes = false

  @OptionGroup var outbox: OutboxOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var settings: QueueSettings

  func validate() throws {
    if failed == all { throw ValidationError("give either --failed or --all") }
  }

  func result() async throws(LedgerError) -> any CommandResult {
    let file = outbox.file(try settings.settings().store)
    let count = try count(try queued(try Outbox.ifPresent(file)))
    return Dropped(entries: count, dropped: yes && count > 0, isAllowed: yes)
  }

  struct Dropped: CommandResult, Encodable {
    let entries: Int
    let dropped: Bool
    @TextOnly var isAllowed: Bool

    func lines(_ terminal: Terminal) -> [String] {
      let what = entries.counted("entry", "entries")
      return [isAllowed ? "removed \(what)" : "would remove \(what); --yes removes them"]
    }
  }

  /// How many entries are removed, or would be.
  private func count(_ outbox: Outbox?) throws(LedgerError) -> Int {
    guard let outbox else { return 0 }
    if yes { return try queued(try outbox.drop(stream: stream?.stream, onlyFailed: failed)) }
    let counts = try queued(try outbox.status()).streamCounts
    return counts.reduce(0) { sum, each in
      guard stream == nil || stream?.stream == each.key else { return sum }
      return sum + each.value.failed + (all ? each.value.pending : 0)
    }
  }
}
