import ArgumentParser
import CommandLineKit
import Foundation
import HealthLedger
import HealthModel
import HealthSources
import Race

/// `s3race replay`: one schedule again, request by request.
struct RaceReplayCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "replay", abstract: "Replay one schedule and print it request by request.",
    discussion: """
      A file may hold the output of a failing run, whose schedule is replayed, or a recorded \
      history (JSON lines), which is printed event by event. Exits with 1 if a promise was broken.

        s3race replay 7
        s3race replay 'subject=sound start=absent writers=1 : u1 u1 u1 u1'
        s3race replay history.jsonl
      """)

  @Argument(
    help: .init(
      "A seed, a schedule as a failing run prints it, or a file with a schedule or a history.",
      valueName: "seed|schedule|file"))
  var schedule: String

  @Option(
    help: .init(
      "With a seed: the number of writers, if the run had --writers.", valueName: "n"))
  var writers: Int?

  @Option(
    help: .init("With a seed: a negative control to race instead of the ledger.", valueName: "name")
  )
  var subject = "sound"

  @Option(
    help: .init(
      "With a seed: the world that the run was in, ledger or hubs.",
      valueName: "world", visibility: .hidden))
  var world = RaceWorld.ledger

  @Flag(help: "Remove every step that the broken promise does not need.")
  var shrink = false

  @Flag(help: "Print the history for `s3race check` instead of the timeline.")
  var history = false

  @OptionGroup var output: OutputOptions

  func validate() throws {
    if let writers, !(1...4).contains(writers) {
      throw ValidationError("--writers must be 1 to 4")
    }
    if world != .ledger {
      try validateStreams()
      return
    }
    if Subject(name: subject) == nil {
      let names = Subject.broken.map(\.name).joined(separator: ", ")
      throw ValidationError("--subject must be sound, \(names)")
    }
  }

  /// The run of a seed in the world of hubs.
  private func validateStreams() throws {
    guard world != .outbox else {
      throw ValidationError("--world outbox is explored whole, so it has no runs to replay")
    }
    guard UInt64(schedule) != nil else {
      throw ValidationError("with --world \(world), give a seed")
    }
    if writers != nil || history {
      throw ValidationError("--writers and --history can't be used with --world \(world)")
    }
    let flaws = HubFlaw.allCases.map(\.rawValue)
    if subject != "sound", !flaws.dropFirst().contains(subject) {
      let names = flaws.dropFirst().joined(separator: ", ")
      throw ValidationError("--subject must be sound, \(names)")
    }
  }

  /// The run of a seed; nil in the world of the ledger.
  private var streamRun: StreamRunReport? {
    guard world == .hubs else { return nil }
    return StreamRunReport(
      seed: UInt64(schedule) ?? 0, HubFlaw(rawValue: subject) ?? .none, isShrunk: shrink)
  }

  func run() async throws {
    try await reportingErrors(output.output) { () async throws(LedgerError) in
      if let run = streamRun {
        try run.print(output.output)
        return run.breach == nil ? .success : foundSomething
      }
      let file = try read()
      if let file, file.schedule == nil {
        guard !shrink, !history else {
          throw LedgerError(
            .invalidArguments, "--shrink and --history are for schedules; this is a history",
            key: schedule, remedy: "leave them out")
        }
        let report = HistoryTimelineReport(file: schedule, history: try file.history())
        try report.print(output.output)
        return report.findings.isEmpty ? .success : foundSomething
      }
      let timeline = try played(file?.schedule ?? schedule)
      if history {
        try StandardStreams.write(HistoryFile.encode(timeline.history))
      } else {
        try TimelineReport(timeline).print(output.output)
      }
      return timeline.breach == nil ? .success : foundSomething
    }
  }

  /// The file that the argument names; nil if the argument is a seed or a schedule.
  private func read() throws(LedgerError) -> ReplayedFile? {
    guard UInt64(schedule) == nil else { return nil }
    if !FileManager.default.fileExists(atPath: schedule), schedule.contains(where: " :".contains) {
      return nil
    }
    return ReplayedFile(
      path: schedule,
      bytes: try InputFile.read(schedule, maximumBytes: RaceCheckCommand.maximumBytes))
  }

  private func played(_ schedule: String) throws(LedgerError) -> Timeline {
    do {
      var chosen: Schedule
      if let seed = UInt64(schedule) {
        chosen = try Campaign.schedule(
          of: seed, Subject(name: subject) ?? .sound, writers: writers)
      } else {
        chosen = try Schedule(schedule)
      }
      if shrink { chosen = try chosen.shrunk() }
      return try Timeline(chosen)
    } catch let failure as InvalidText {
      throw LedgerError(
        .invalidArguments, "this is not a schedule: \(failure.message)",
        remedy: "give a seed (a whole number), or the whole line that a failing run printed")
    } catch {
      throw LedgerError(.internal, "the model can't be set up: \(error)")
    }
  }
}

/// The file that was given to `s3race replay`.
struct ReplayedFile {
  let path: String
  let bytes: [UInt8]

  /// The schedule in a file that is not a history. It is taken from the last line that has one,
  /// which is how a failing run ends, with or without the command around it.
  var schedule: String? {
    guard bytes.first != UInt8(ascii: "{") else { return nil }
    for line in bytes.split(separator: UInt8(ascii: "\n")).reversed() where line.count < 1 << 16 {
      let text = String(decoding: line, as: UTF8.self)
      let quoted = text.split(separator: "'", omittingEmptySubsequences: false)
      let words = quoted.count == 3 ? String(quoted[1]) : text
      if (try? Schedule(words)) != nil { return words }
    }
    return nil
  }

  func history() throws(LedgerError) -> RaceHistory {
    do throws(InvalidText) {
      return try HistoryFile.decode(bytes)
    } catch {
      throw LedgerError(
        .invalidArguments, error.message, key: path,
        remedy:
          "use a file that `s3race` recorded or printed; docs/RACE.md describes its format")
    }
  }
}
