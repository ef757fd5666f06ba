import ArgumentParser
import CommandLineKit
import HealthLedger
import HealthModel
import Race

/// `s3race replay`: one random run again, request by request.
struct RaceReplayCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "replay", abstract: "Replay one random run and print it request by request.",
    discussion: """
      Exits with 1 if a promise was broken.

        s3race replay 7
        s3race replay 7 --subject blind-put --shrink
        s3race replay 7 --history >history.jsonl
      """)

  @Argument(help: .init("The seed of the run.", valueName: "seed"))
  var seed: UInt64

  @Option(help: .init("A negative control to race instead of the ledger.", valueName: "name"))
  var subject: String?

  @Option(
    help: .init(
      "The world that the run was in: ledger, hubs or outbox.",
      valueName: "world", visibility: .hidden))
  var world = RaceWorld.ledger

  @Flag(help: "Remove every step that the broken promise does not need.")
  var shrink = false

  @Flag(help: "Print the history for `s3race check` instead of the steps.")
  var history = false

  @OptionGroup var output: OutputOptions

  func validate() throws {
    if history, world != .ledger {
      throw ValidationError("--history can't be used with --world \(world)")
    }
    if let subject, !world.controls.contains(subject) {
      throw ValidationError(
        "--subject must be one of \(world.controls.joined(separator: ", "))")
    }
  }

  func run() async throws {
    try await reportingErrors(output.output) { () async throws(LedgerError) in
      switch world {
      case .ledger: return try replay(LedgerField.self)
      case .hubs: return try replay(HubField.self)
      case .outbox: return try replay(OutboxField.self)
      }
    }
  }

  private func replay<Field: RacedField>(_: Field.Type) throws(LedgerError) -> ExitCode {
    var run = try showingProgress { _ in
      try Field(subject.flatMap { Field.Flaw(rawValue: $0) }).run(of: seed)
    }
    if shrink { run = run.shrunk }
    if history, let history = (run.world as? LedgerWorld)?.history {
      try StandardStreams.write(HistoryFile.encode(history))
    } else if output.output == .json {
      var members: [String: JSONValue] = [
        "world": .string(Field.name), "name": .string(run.start.title),
        "good": .bool(run.breach == nil), "steps": .array(run.lines.map(JSONValue.string)),
      ]
      members["broken"] = run.breach.map {
        .object(["oracle": .string($0.oracle), "message": .string($0.message)])
      }
      try StandardStreams.write(.object(members))
    } else {
      let lines = ModelReport.lines(
        run.start.title, run.lines, run.breach, .standardOutput())
      try StandardStreams.writeLine(lines.joined(separator: "\n"))
    }
    return run.breach == nil ? .success : foundSomething
  }
}
