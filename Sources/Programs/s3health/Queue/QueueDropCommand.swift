import ArgumentParser
import CommandLineKit
import HealthLedger
import HealthModel
import HealthStreams
import Outbox

/// `raw drop`: removes entries that nobody confirmed.
struct QueueDropCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "drop",
    abstract: "Remove entries that were not uploaded.",
    discussion: """
      Without --yes it only shows how many there are. What is removed is recorded as a gap, which \
      `status` shows, and the feeds that the entries came from are read again from the start.

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
