import ArgumentParser
import CommandLineKit
import HealthLedger
import HealthModel
import HealthStreams
import Outbox

/// `status`: shows how the syncs of this machine go.
struct StatusCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status",
    abstract: "Show how the outbox, syncs and pushes go.",
    discussion: """
      The numbers are counted in the outbox each time. With --max-age the exit code is 1 if the \
      last upload that succeeded is longer ago, or if there never was one.

        s3health status
        s3health status --max-age 2h
        s3health status --output json
        s3health status log --since 2h
      """, subcommands: [LogCommand.self])

  @Option(
    help: .init("Exit with 1 if no upload succeeded for this long, such as 2h.", valueName: "age"))
  var maxAge: DurationArgument?

  @OptionGroup var outbox: OutboxOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var settings: QueueSettings

  func run() async throws {
    try await reportingErrors(output.output) { () async throws(LedgerError) in
      let settings = try settings.settings()
      let file = outbox.file(settings.store)
      let status = try queued(try Outbox.ifPresent(file)?.status())
      let words = StatusWords(
        status ?? SyncStatus(), exists: status != nil, path: file.path, now: settings.now,
        maximumAge: maxAge?.seconds,
        push: PushStatusWords(PushFile(settings.store).load().memory.records, now: settings.now))
      switch output.output {
      case .json: try StandardStreams.write(words.document)
      case .text:
        try StandardStreams.writeLine(words.lines(.standardOutput()).joined(separator: "\n"))
      }
      return words.isTooOld ? foundSomething : .success
    }
  }
}
