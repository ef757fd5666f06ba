import ArgumentParser
import CommandLineKit
import HealthLedger
import HealthModel
import HealthStreams

/// `streams compact`: packs old batches, those of a date or month into one object (R66).
struct StreamsCompactCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "compact",
    abstract: "Pack old batches, those of a date or month into one object.",
    discussion: """
      An upload every five minutes leaves 288 objects a day in each stream. This puts those of one \
      stream, device and date into one object, and once all of a month is old enough those of the \
      month, reads it back, and removes the small ones in a later \
      run, at least 20 minutes after. What was uploaded, when and how it counts stays as it is. It \
      never runs by itself. Before the first time, update every program that reads the store: older \
      ones do not know packs, and stop at such dates. Payloads and posted records are not packed. \
      Exits with 1 if something was left alone that is not as it should be.

        s3health streams compact --dry-run
        s3health streams compact --older-than 30d
      """)

  @Option(
    help: .init(
      "Pack what is at least this old, by its date and by when it was stored; 7d or more.",
      valueName: "days"))
  var olderThan = DayCountArgument(days: 30)

  @Flag(help: "Show what would be done; write nothing.")
  var dryRun = false

  @OptionGroup var options: StreamOptions
  @OptionGroup var output: OutputOptions

  func validate() throws {
    if olderThan.days * 86_400 < CompactionScope.minimumAge {
      throw ValidationError("--older-than must be at least 7d")
    }
    if options.stream.contains(where: { $0.stream == .healthAutoExport }) {
      throw ValidationError("payloads are not packed; give another --stream, or none")
    }
  }

  func run() async throws {
    try await reportingErrors(output.output) { () async throws(LedgerError) in
      let opened = try options.open(for: dryRun ? .reading : .writing)
      guard opened.opened.backend != .icloudDrive else {
        throw LedgerError(
          .invalidArguments,
          "this folder is synchronised: other machines may see that batches are gone before they "
            + "see the pack", rule: "R66",
          remedy: "keep such a folder as it is, or move to a bucket"
        )
      }
      var report = CompactionReport(
        opened: opened, isDryRun: dryRun, days: olderThan.days)
      var progress = ProgressLine("packing month", total: nil)
      defer { progress.clear() }
      let offset = await opened.store.store.clockOffset() ?? 0
      let now = LedgerEnvironment.system.now().adding(seconds: offset)
      try await opened.run { () async throws(StreamError) in
        for stream in opened.streams where stream != .healthAutoExport {
          let scope = CompactionScope(
            stream: stream, device: opened.device, dates: opened.dates, now: now,
            age: olderThan.days * 86_400, isDryRun: dryRun)
          try await opened.store.compact(
            scope,
            done: {
              report.add($0, of: stream)
              progress.advance()
            }, left: { report.add($0) }, waiting: { report.add($0) })
        }
      }
      progress.clear()
      switch output.output {
      case .json: try StandardStreams.write(report.document)
      case .text:
        try StandardStreams.writeLine(report.lines(.standardOutput()).joined(separator: "\n"))
      }
      return report.fails ? .init(1) : .success
    }
  }
}
