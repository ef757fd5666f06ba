import ArgumentParser
import CommandLineKit
import HealthLedger
import HealthModel
import HealthStreams

/// `raw verify`: reads every batch and reports what is wrong.
struct StreamsVerifyCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify",
    abstract: "Check batches for gaps, duplicates, wrong counts and foreign objects.",
    discussion: """
      Reads every batch: its size, compression, id, counts and entries. It reports objects that don't \
      belong there, pauses of more than 5 minutes in location and 1 minute in audio, entries that \
      are stored twice, and markers older than a day. It only reads. Exits with 1 if there are \
      findings. Dates are in UTC.

        s3health raw verify
        s3health raw verify 7d --allow-gaps
      """)

  @OptionGroup var options: StreamOptions

  @Flag(help: "Report gaps without failing.")
  var allowGaps = false

  @Flag(help: "Report entries that are stored twice without failing.")
  var allowDuplicates = false

  @OptionGroup var output: OutputOptions

  func run() async throws {
    try await reportingErrors(output.output) { () async throws(LedgerError) in
      let opened = try options.open()
      var progress = ProgressLine("checking batch", total: nil)
      defer { progress.clear() }
      var allowed: Set<StreamFinding.Code> = []
      if allowGaps { allowed.insert(.gap) }
      if allowDuplicates { allowed.insert(.duplicates) }
      var report = StreamVerifyReport(opened: opened, allowed: allowed)
      let offset = await opened.store.store.clockOffset() ?? 0
      let now = LedgerEnvironment.system.now().adding(seconds: offset)
      try await opened.run { () async throws(StreamError) in
        for stream in opened.streams {
          let inspection = try await opened.store.inspect(
            stream, on: opened.dates, device: opened.device, advance: { progress.advance() },
            report: { report.add($0) })
          report.add(inspection)
        }
        if opened.device == nil, opened.streams.count == StreamName.allCases.count {
          try await opened.store.inspectRoot { report.add($0) }
        }
        if opened.streams.contains(.healthKit) {
          try await opened.store.inspectMarkers(now: now) { report.add($0) }
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
