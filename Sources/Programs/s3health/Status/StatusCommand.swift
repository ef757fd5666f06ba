import ArgumentParser
import CommandLineKit
import HealthLedger
import HealthModel

/// `status`: whether the data is fresh, and whether everything runs.
struct StatusCommand: OutputCommand, ConfiguredCommand {
  static let configuration = CommandConfiguration(
    commandName: "status",
    abstract: "Show whether the data is fresh and everything runs.",
    discussion: """
      Shows the newest day with its sources, how the last collect, sync and push went, and what \
      waits. What is wrong has the command that mends it. Exits with 1 if something is wrong, with \
      66 if the store holds no days, and with the code of the failure if it can't be read. With \
      --quiet it prints nothing while all is well, for cron.

        s3health status
        s3health status --max-age 2h
        s3health status --log --since 2h
        s3health status --log --type sync_failed,push_failed --follow

      The log is a file of JSON lines that only you can read. It keeps the newest one to two \
      megabytes.
      """)

  @Option(
    help: .init("It is wrong, too, if no upload succeeded for this long.", valueName: "age"))
  var maxAge: DurationArgument?

  @Flag(help: "Print the log of what was done on this machine instead.")
  var log = false

  @Option(
    help: .init(
      "With --log: only events since then, such as 2h, a date, or a time with its zone.",
      valueName: "moment"))
  var since: String?

  @Option(
    help: .init(
      "With --log: only events of these types, separated by commas.",
      discussion: "Types: \(EventFilter.types.joined(separator: ", ")).", valueName: "types"))
  var type: [String] = []

  @Flag(name: .shortAndLong, help: "With --log: keep printing new events until interrupted.")
  var follow = false

  @OptionGroup var outbox: OutboxOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup(title: "Store") var store: StoreOptions

  func validate() throws {
    if log, maxAge != nil { throw ValidationError("--log and --max-age can't be used together") }
    if !log, since != nil || !type.isEmpty || follow {
      throw ValidationError("--since, --type and --follow need --log")
    }
  }

  func perform() async throws(LedgerError) -> ExitCode {
    let settings = try Settings(store, timeZone: nil)
    if log {
      let filter = try EventFilter(types: type, since: since, settings)
      try await EventListing(settings, filter, output.output).print(follows: follow)
      return .success
    }
    let report = await StatusReport(
      settings, outbox.file(settings.store), maximumAge: maxAge?.seconds)
    try report.print(format)
    return report.exitCode
  }
}
