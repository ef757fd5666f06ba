import ArgumentParser
import HealthLedger
import RaceHarness

/// `race run`, which is what `race` alone does.
struct RaceRunCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run", abstract: "Race the ledger on the model (default).")

  @Flag(help: "Race on the model only.")
  var model = false

  @Flag(help: "Explore every interleaving, from each start, and nothing at random.")
  var exhaustive = false

  @Option(
    help: .init("Uploaders, 1 to 4. Default: 2 exhaustively, 2 to 4 at random.", valueName: "n"))
  var writers: Int?

  @Option(help: .init("Readers of an exhaustive exploration, 0 to 2.", valueName: "n"))
  var readers = 1

  @Option(help: .init("Writes that go wrong in an exhaustive exploration, 0 to 3.", valueName: "n"))
  var faults = 1

  @Option(
    help: .init(
      "Uploaders that die in an exploration, 0 to 3; 1 with --exhaustive and fewer than 4, else 0.",
      valueName: "n"))
  var crashes: Int?

  @Option(help: .init("Random schedules; 100000 if nothing is said.", valueName: "n"))
  var runs: Int?

  @Option(help: .init("Seed of the first random schedule; the next ones count up.", valueName: "n"))
  var seed: UInt64 = 1

  @Option(help: .init("Give up an exploration at so many states, to bound memory.", valueName: "n"))
  var maxStates = 20_000_000

  @OptionGroup var output: OutputOptions

  func validate() throws {
    if let writers, !(1...4).contains(writers) {
      throw ValidationError("--writers must be 1 to 4")
    }
    if !(0...2).contains(readers) { throw ValidationError("--readers must be 0 to 2") }
    if !(0...3).contains(faults) { throw ValidationError("--faults must be 0 to 3") }
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

  func run() async throws {
    try await reportingErrors(output.output) { () async throws(LedgerError) in
      let clock = ContinuousClock()
      let start = clock.now
      let report = try raced()
      try RaceReport(report, seed: seed, duration: clock.now - start).print(output.output)
      return report.isGood ? .success : foundSomething
    }
  }

  private func raced() throws(LedgerError) -> ModelRace.Report {
    var race = ModelRace()
    (race.seed, race.writers, race.maximumStates) = (seed, writers, maxStates)
    // A number of runs asks for these alone; nothing asks for a little of both.
    if runs == nil {
      race.scenarios = ModelRace.allScenarios(
        writers: writers ?? 2, readers: readers, faults: faults,
        crashes: crashes ?? (exhaustive && writers ?? 2 < 4 ? 1 : 0))
    }
    if !exhaustive { race.runs = runs ?? 100_000 }
    let terminal = Terminal.standardError()
    defer { if terminal.isTerminal { StandardStreams.overwrite("") } }
    do {
      return try race.run { part in
        if terminal.isTerminal { StandardStreams.overwrite("racing: \(part)") }
      }
    } catch {
      throw LedgerError(.internal, "the model can't be set up: \(error)")
    }
  }
}
