import ArgumentParser
import RaceHarness

/// Options of a race on the model.
struct ModelRaceOptions: ParsableArguments {
  @Flag(help: "Race on the model only.")
  var model = false

  @Flag(help: "Explore every interleaving, from each start, and nothing at random.")
  var exhaustive = false

  @Option(
    help: .init(
      "Writers that die in an exploration, 0 to 3; 1 with --exhaustive and fewer than 4, else 0.",
      valueName: "n"))
  var crashes: Int?

  @Option(help: .init("Random schedules; 100000 if nothing is said.", valueName: "n"))
  var runs: Int?

  @Option(help: .init("Give up an exploration at so many states, to bound memory.", valueName: "n"))
  var maxStates = 20_000_000

  /// Whether the model alone is asked for.
  var isAsked: Bool { model || exhaustive || runs != nil }

  /// An option that only the model has.
  var firstGiven: String? { crashes == nil ? nil : "--crashes" }

  func validate(writers: Int?, readers: Int?, faults: String?) throws {
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
      throw ValidationError("--runs plays at random: leave it out with --exhaustive")
    }
    if !(1000...50_000_000).contains(maxStates) {
      throw ValidationError("--max-states must be 1000 to 50000000")
    }
  }

  /// The race that these options ask for.
  func race(_ writers: Int?, _ readers: Int?, _ faults: String?, _ seed: UInt64) -> ModelRace {
    var race = ModelRace()
    (race.seed, race.writers, race.maximumStates) = (seed, writers, maxStates)
    // A number of runs asks for these alone; nothing asks for a little of both.
    if runs == nil {
      race.scenarios = ModelRace.allScenarios(
        writers: writers ?? 2, readers: readers ?? 1, faults: faults.flatMap { Int($0) } ?? 1,
        crashes: crashes ?? (exhaustive && writers ?? 2 < 4 ? 1 : 0))
    }
    if !exhaustive { race.runs = runs ?? 100_000 }
    return race
  }

  /// What is raced on the model beside a race on a store; more where nothing was said.
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
