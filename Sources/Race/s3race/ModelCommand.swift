import ArgumentParser
import CommandLineKit
import HealthLedger
import Race

/// `s3race model`: every order of events, and random ones, in a world without a store.
struct ModelCommand: AsyncParsableCommand {
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

  @Flag(help: "Explore every interleaving from each start, without random schedules.")
  var exhaustive = false

  @Option(help: .init("Number of random schedules. Default: 100000.", valueName: "n"))
  var runs: Int?

  @Option(help: .init("Writers, 1 to 4. Default: 2; at random 2 to 4.", valueName: "n"))
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
    if world != .ledger {
      let given = [
        ("--writers", writers), ("--readers", readers), ("--faults", faults),
        ("--crashes", crashes),
      ].first { $0.1 != nil }
      if let given {
        throw ValidationError(
          "\(given.0) is for the ledger and can't be used with --world \(world)")
      }
      if world == .outbox, runs != nil {
        throw ValidationError(
          "--runs can't be used with --world outbox, which is explored whole; add --exhaustive for more"
        )
      }
    }
    try validateRanges([
      ("--writers", writers, 1...4), ("--readers", readers, 0...2), ("--faults", faults, 0...3),
      ("--crashes", crashes, 0...3), ("--runs", runs, 1...1_000_000_000),
      ("--max-states", maxStates, 1000...50_000_000),
    ])
    if runs != nil, exhaustive {
      throw ValidationError("--runs and --exhaustive can't be used together")
    }
  }

  func run() async throws {
    try await reportingErrors(output.output) { () async throws(LedgerError) in
      let clock = ContinuousClock()
      let start = clock.now
      if let place = StreamRace.Place(rawValue: world.rawValue) {
        let found = showingProgress { race(in: place).run(progress: $0) }
        let report = StreamRaceReport(found, place, seed: seed, duration: clock.now - start)
        try report.print(output.output)
        return report.isGood ? .success : foundSomething
      }
      let report = try race.shown()
      try RaceReport(report, seed: seed, duration: clock.now - start).print(output.output)
      return report.isGood ? .success : foundSomething
    }
  }

  /// The race of the ledger that the options request.
  private var race: ModelRace {
    var race = ModelRace()
    (race.seed, race.writers, race.maximumStates) = (seed, writers, maxStates)
    // A number of runs requests only these runs. Without options, a little of both is run.
    if runs == nil {
      race.scenarios = ModelRace.allScenarios(
        writers: writers ?? 2, readers: readers ?? 1, faults: faults ?? 1,
        crashes: crashes ?? (exhaustive && writers ?? 2 < 4 ? 1 : 0))
    }
    if !exhaustive { race.runs = runs ?? 100_000 }
    return race
  }

  /// The race in a world of streams that the options request.
  private func race(in place: StreamRace.Place) -> StreamRace {
    var race = StreamRace(place)
    (race.seed, race.maximumStates, race.isThorough) = (seed, maxStates, exhaustive)
    race.explores = runs == nil
    race.runs = runs ?? 20_000
    return race
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
}

extension ModelRace {
  /// Runs a race on the model and shows its progress on a terminal.
  func shown() throws(LedgerError) -> Report {
    do {
      return try showingProgress { try run(progress: $0) }
    } catch {
      throw LedgerError(.internal, "the model can't be set up: \(error)")
    }
  }
}

/// Does work on the model and shows on a terminal what it does.
private func showingProgress<Value>(
  _ work: ((String) -> Void) throws -> Value
) rethrows -> Value {
  let terminal = Terminal.progress()
  defer { if terminal.isTerminal { StandardStreams.overwrite("") } }
  return try work { part in
    if terminal.isTerminal { StandardStreams.overwrite("racing on the model: \(part)") }
  }
}
