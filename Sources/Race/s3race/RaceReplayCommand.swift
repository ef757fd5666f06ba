import ArgumentParser
import CommandLineKit
import HealthLedger
import HealthModel
import Race

/// `s3race replay`: one random run again, request by request.
struct RaceReplayCommand: ResultCommand {
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

  func result() async throws(LedgerError) -> any CommandResult {
    switch world {
    case .ledger: try replay(LedgerField.self)
    case .hubs: try replay(HubField.self)
    case .outbox: try replay(OutboxField.self)
    }
  }

  private func replay<Field: RacedField>(
    _: Field.Type
  ) throws(LedgerError) -> any CommandResult {
    var run = try showingProgress { _ in
      try Field(subject.flatMap { Field.Flaw(rawValue: $0) }).run(of: seed)
    }
    if shrink { run = run.shrunk }
    return ReplayReport(
      world: Field.name, name: run.start.title, steps: run.lines, broken: run.breach,
      history: history ? (run.world as? LedgerWorld)?.history : nil)
  }
}

/// One run, as text for people and as the document of docs/OUTPUT.md.
private struct ReplayReport: CommandResult {
  let world: String
  let name: String
  let steps: [String]
  let broken: Breach?
  /// What is printed instead, if it was asked for.
  let history: RaceHistory?

  var exitCode: ExitCode { broken == nil ? .success : foundSomething }

  func lines(_ terminal: Terminal) -> [String] {
    if let recorded { return [String(decoding: recorded, as: UTF8.self)] }
    return ModelReport.lines(name, steps, broken, terminal)
  }

  func json() throws(LedgerError) -> [UInt8] {
    if let recorded { return recorded }
    return try JSONValue(encoding: document).canonicalBytes
  }

  var document: any Encodable {
    var members: Document = [
      "world": world, "name": name, "good": broken == nil, "steps": steps,
    ]
    members["broken"] = broken.map {
      ["oracle": $0.oracle, "message": $0.message] as Document
    }
    return members
  }

  private var recorded: [UInt8]? { history.map { HistoryFile.encode($0).dropLast() } }
}
