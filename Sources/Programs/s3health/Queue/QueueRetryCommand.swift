import ArgumentParser
import CommandLineKit
import HealthLedger
import HealthModel
import Outbox

/// `queue retry`: makes failed entries pending again.
struct QueueRetryCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "retry",
    abstract: "Make failed entries pending again, including those that were refused.",
    discussion: """
      Entries that failed because a server was down become pending by themselves with the next \
      upload that succeeds.

        s3health queue retry
      """)

  @OptionGroup var outbox: OutboxOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var settings: QueueSettings

  func run() async throws {
    try await reportingErrors(output.output) { () async throws(LedgerError) in
      let file = outbox.file(try settings.settings().store)
      let count = try queued(try Outbox.ifPresent(file)?.retry()) ?? 0
      switch output.output {
      case .json: try StandardStreams.write(.object(["retried": .count(count)]))
      case .text:
        try StandardStreams.writeLine(
          count == 1 ? "1 entry is pending again" : "\(count.grouped) entries are pending again")
      }
      return .success
    }
  }
}
