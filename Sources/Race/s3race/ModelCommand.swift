import ArgumentParser
import CommandLineKit
import HealthLedger
import Race

/// `s3race model`: every order of events, and random ones, in a world without a store.
struct ModelCommand: ResultCommand {
  static let configuration = CommandConfiguration(
    commandName: "model", abstract: "Race on a model of a store only.")

  @Option(
    help: .init(
      "What to race: ledger, hubs or outbox. Default: ledger.",
      discussion: """
        hubs: two hubs that make the days of one bucket, a sweeper, another writer and a table. \
        outbox: two collectors and two syncs of one outbox. For who works on s3health, and the \
        nightly job: no store of a person is in them.
        """,
      valueName: "world", visibility: .hidden))
  var world = RaceWorld.ledger

  @Flag(help: "Explore every interleaving from each start, without random runs.")
  var exhaustive = false

  @Option(
    help: .init(
      "Number of random runs, without exploring. Default: 100000.", valueName: "n"))
  var runs: Int?

  @Option(help: .init("Writers of an exploration, 1 to 4. Default: 2.", valueName: "n"))
  var writers: Int?

  @Option(help: .init("Readers of an exploration, 0 to 2. Default: 1.", valueName: "n"))
  var readers: Int?

  @Option(help: .init("Faults of an exploration, 0 to 3. Default: 1.", valueName: "n"))
  var faults: Int?

  @Option(
    help: .init(
      "Writers that crash in an exploration, 0 to 3. Default: 1 with --exhaustive and at most 3 writers, otherwise 0.",
      valueName: "n"))
  var crashes: Int?

  @Option(help: .init("Most states of an exploration, to limit memory.", valueName: "n"))
  var maxStates = 20_000_000

  @Option(help: .init("Seed of the random generator.", valueName: "n"))
  var seed: UInt64 = 1

  @OptionGroup var output: OutputOptions

  func validate() throws {
    let given: [(name: String, number: Int?, range: ClosedRange<Int>)] = [
      ("--writers", writers, 1...4), ("--readers", readers, 0...2), ("--faults", faults, 0...3),
      ("--crashes", crashes, 0...3),
    ]
    if world != .ledger, let first = given.first(where: { $0.number != nil }) {
      throw ValidationError(
        "\(first.name) is for the ledger and can't be used with --world \(world)")
    }
    try validateRanges(
      given + [("--runs", runs, 1...1_000_000_000), ("--max-states", maxStates, 1000...50_000_000)])
    if runs != nil, exhaustive {
      throw ValidationError("--runs and --exhaustive can't be used together")
    }
  }

  func result() async throws(LedgerError) -> any CommandResult {
    let start = ContinuousClock.now
    let found = try showingProgress { progress in
      switch world {
      case .ledger:
        let field = try LedgerField()
        return try race(field, exploring: scenarios.map(field.world), progress)
      case .hubs: return try race(HubField(), progress)
      case .outbox: return try race(OutboxField(), progress)
      }
    }
    return ModelReport(found: found, duration: .now - start)
  }

  /// Without options, a little of both is run.
  private func race<Field: RacedField>(
    _ field: Field, exploring worlds: [Field.World]? = nil, _ progress: (String) -> Void
  ) throws -> RaceReport {
    var race = ModelRace()
    (race.seed, race.maximumStates) = (seed, maxStates)
    if !exhaustive { race.runs = runs ?? (world == .ledger ? 100_000 : 20_000) }
    let all = try worlds ?? field.worlds(isThorough: exhaustive)
    return try race.run(field, exploring: runs == nil ? all : [], progress: progress)
  }

  private var scenarios: [Scenario] {
    Scenario.all(
      writers: writers ?? 2, readers: readers ?? 1, faults: faults ?? 1,
      crashes: crashes ?? (exhaustive && writers ?? 2 < 4 ? 1 : 0))
  }
}

/// Refuses the first number that is given and out of its range.
func validateRanges(_ given: [(name: String, number: Int?, range: ClosedRange<Int>)]) throws {
  for (name, number, range) in given {
    if let number, !range.contains(number) {
      throw ValidationError("\(name) must be \(range.lowerBound) to \(range.upperBound)")
    }
  }
}

/// What `--world` names.
enum RaceWorld: String, ExpressibleByArgument, CaseIterable {
  case ledger, hubs, outbox

  /// The names of what is broken on purpose in it.
  var controls: [String] {
    switch self {
    case .ledger: LedgerFlaw.allCases.map(\.rawValue)
    case .hubs: HubFlaw.allCases.map(\.rawValue)
    case .outbox: OutboxFlaw.allCases.map(\.rawValue)
    }
  }
}

/// Does work on the model and shows on a terminal what it does.
func showingProgress<Value>(
  _ work: ((String) -> Void) throws -> Value
) throws(LedgerError) -> Value {
  let terminal = Terminal.progress()
  defer { if terminal.isTerminal { StandardStreams.overwrite("") } }
  do {
    return try work { part in
      if terminal.isTerminal { StandardStreams.overwrite("racing on the model: \(part)") }
    }
  } catch {
    throw LedgerError(.internal, "the model can't be set up: \(error)")
  }
}
