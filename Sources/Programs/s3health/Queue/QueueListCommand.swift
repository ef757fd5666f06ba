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
      Uploaded entries stay for three days. `status` shows how many there are of each kind.

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
