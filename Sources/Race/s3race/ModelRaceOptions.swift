import ArgumentParser
import Race

/// Options of a race on the model.
struct ModelRaceOptions: ParsableArguments {
  @Flag(help: "Race on the model only.")
  var model = false

  @Option(
    help: .init(
      "What to race: ledger, hubs or outbox. Default: ledger.",
      discussion: """
        hubs: two hubs that make the days of one bucket, a sweeper, another writer and a table. \
        outbox: two collectors and two syncs of one outbox. Both imply --model. For who works on \
        s3health, and the nightly job: no store of a person is in them.
        """,
      valueName: "world", visibility: .hidden))
  var world: RaceWorld?

  @Flag(help: "Explore every interleaving from each start, without random schedules.")
  var exhaustive = false

  @Option(
    help: .init(
      "Writers that crash in an exploration, 0 to 3. Default: 1 with --exhaustive and at most 3 writers, otherwise 0.",
      valueName: "n"))
  var crashes: Int?

  @Option(help: .init("Number of random schedules. Default: 100000.", valueName: "n"))
  var runs: Int?

  @Option(help: .init("Most states of an exploration, to limit memory.", valueName: "n"))
  var maxStates = 20_000_000

  /// Whether only the model is requested.
  var isAsked: Bool { model || exhaustive || runs != nil || world != nil }

  /// The world of streams that is requested; nil for the ledger's.
  var place: StreamRace.Place? { world.flatMap { StreamRace.Place(rawValue: $0.rawValue) } }

  /// A given option that applies only to the model.
  var firstGiven: String? { crashes == nil ? nil : "--crashes" }

  func validate(writers: Int?, readers: Int?, faults: String?) throws {
    if let place {
      let given = [
        ("--writers", writers != nil), ("--readers", readers != nil), ("--faults", faults != nil),
        ("--crashes", crashes != nil),
      ].first { $0.1 }
      if let given {
        throw ValidationError(
          "\(given.0) is for the ledger and can't be used with --world \(place)")
      }
      if place == .outbox, runs != nil {
        throw ValidationError(
          "--runs can't be used with --world outbox, which is explored whole; add --exhaustive for more"
        )
      }
    }
    if let writers, !(1...4).contains(writers) {
      throw ValidationError("--writers must be 1 to 4")
    }
    if let readers, !(0...2).contains(readers) { throw ValidationError("--readers must be 0 to 2") }
    if let faults, !(Int(faults).map((0...3).contains) ?? false) {
      throw ValidationError("--faults must be 0 to 3 on the model")
    }
    if let crashes, !(0...3).contains(crashes) { throw ValidationError("--crashes must be 0 to 3") }
    if let runs, !(1...1_000_000_000).contains(runs) {
      throw ValidationError("--runs must be 1 to 1000000000")
    }
    if runs != nil, exhaustive {
      throw ValidationError("--runs and --exhaustive can't be used together")
    }
    if !(1000...50_000_000).contains(maxStates) {
      throw ValidationError("--max-states must be 1000 to 50000000")
    }
  }

  /// The race that these options request.
  func race(_ writers: Int?, _ readers: Int?, _ faults: String?, _ seed: UInt64) -> ModelRace {
    var race = ModelRace()
    (race.seed, race.writers, race.maximumStates) = (seed, writers, maxStates)
    // A number of runs requests only these runs. Without options, a little of both is run.
    if runs == nil {
      race.scenarios = ModelRace.allScenarios(
        writers: writers ?? 2, readers: readers ?? 1, faults: faults.flatMap { Int($0) } ?? 1,
        crashes: crashes ?? (exhaustive && writers ?? 2 < 4 ? 1 : 0))
    }
    if !exhaustive { race.runs = runs ?? 100_000 }
    return race
  }

  /// The race in a world of streams that these options request.
  func race(in place: StreamRace.Place, _ seed: UInt64) -> StreamRace {
    var race = StreamRace(place)
    (race.seed, race.maximumStates, race.isThorough) = (seed, maxStates, exhaustive)
    race.explores = runs == nil
    race.runs = runs ?? 20_000
    return race
  }

  /// The race on the model next to a race on a store; longer if no options were given.
  static func beside(isShort: Bool, seed: UInt64) -> ModelRace {
    var race = ModelRace()
    race.seed = seed
    race.runs = isShort ? 100_000 : 2000
    if isShort {
      race.scenarios = ModelRace.allScenarios(writers: 2, readers: 1, faults: 1, crashes: 0)
    }
    return race
  }
}

/// What `--world` names.
enum RaceWorld: String, ExpressibleByArgument, CaseIterable {
  case ledger, hubs, outbox
}
