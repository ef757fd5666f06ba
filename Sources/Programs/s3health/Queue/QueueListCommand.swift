import ArgumentParser
import CommandLineKit
import HealthLedger
import HealthModel
import HealthStreams
import Outbox

/// `raw queue`: shows the entries in the outbox, without their content.
struct QueueListCommand: AsyncParsableCommand {
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
  var stream: StreamArgument?

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

  func run() async throws {
    try await reportingErrors(output.output) { () async throws(LedgerError) in
      let file = outbox.file(try settings.settings().store)
      let outbox = try queued(try Outbox.ifPresent(file))
      // One more shows whether there are more.
      let found =
        try queued(
          try outbox?.entries(stream: stream?.stream, status: status?.rawValue, limit: limit + 1))
        ?? []
      let shown = found.prefix(limit)
      switch output.output {
      case .json:
        try StandardStreams.write(
          .object([
            "outbox": .string(file.path), "entries": .array(shown.map(\.document)),
            "has_more": .bool(found.count > limit),
          ]))
      case .text:
        let head =
          "entry        stream      status    attempts      bytes  begins                id"
        var lines = [Terminal.standardOutput().styled(head, .strong)]
        lines += shown.map(\.line)
        if found.isEmpty { lines = ["no entries"] }
        if found.count > limit { lines.append("(more are omitted; --limit shows them)") }
        try StandardStreams.writeLine(lines.joined(separator: "\n"))
      }
      return .success
    }
  }
}

extension QueuedEntry {
  private var shortStream: String { StreamName(rawValue: stream)?.shortName ?? stream }

  fileprivate var line: String {
    let row =
      "\(number)".padded(to: 12) + " " + shortStream.padded(to: 11) + " " + status.padded(to: 9)
      + " " + "\(attempts)".leftPadded(to: 8) + " " + bytes.grouped.leftPadded(to: 10)
      + "  \(start)  " + entryID.printable
    return row + (lastError.map { status == "uploaded" ? "" : "\n    \($0.printable)" } ?? "")
  }

  fileprivate var document: JSONValue {
    func text(_ text: String?) -> JSONValue { text.map { .string($0) } ?? .null }
    return .object([
      "number": .count(number), "stream_name": .string(stream), "id": .string(entryID),
      "start": .string("\(start)"), "bytes": .count(bytes), "created_at": .string("\(createdAt)"),
      "status": .string(status), "upload_attempts": .count(attempts),
      "next_attempt_date": text(nextAttempt.map { "\($0)" }), "last_error": text(lastError),
      "batch_id": text(batchID),
    ])
  }
}

/// `raw drop`: removes entries that nobody confirmed.
struct QueueDropCommand: AsyncParsableCommand {
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
  var stream: StreamArgument?

  @Flag(help: "Allow drop to remove them.")
  var yes = false

  @OptionGroup var outbox: OutboxOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var settings: QueueSettings

  func validate() throws {
    if failed == all { throw ValidationError("give either --failed or --all") }
  }

  func run() async throws {
    try await reportingErrors(output.output) { () async throws(LedgerError) in
      let file = outbox.file(try settings.settings().store)
      let count = try count(try queued(try Outbox.ifPresent(file)))
      switch output.output {
      case .json:
        try StandardStreams.write(
          .object(["entries": .count(count), "dropped": .bool(yes && count > 0)]))
      case .text:
        let entries = "\(count.grouped) \(count == 1 ? "entry" : "entries")"
        try StandardStreams.writeLine(
          yes ? "removed \(entries)" : "would remove \(entries); --yes removes them")
      }
      return .success
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
