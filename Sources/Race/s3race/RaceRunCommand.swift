import ArgumentParser
import CommandLineKit
import Foundation
import HealthLedger
import Race

/// `s3race run`, the default.
struct RaceRunCommand: ResultCommand {
  static let configuration = CommandConfiguration(
    commandName: "run", abstract: "Race the ledger on a store, and for a moment on the model.")

  @OptionGroup(title: "The race") var field: LiveRaceOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup(title: "The store") var store: StoreOptions

  func result() async throws(LedgerError) -> any CommandResult {
    let start = ContinuousClock.now
    Diagnostics.start(store)
    let plan = field.plan
    var race = try StoreRace(plan, store, try RaceFaults(field.faults))
    try await race.prepare()
    let found = try Self.interruptible { () throws(LedgerError) in
      try Self.raceBeside(isShort: !field.isDetailed, seed: plan.seed)
    }
    let elapsed = ContinuousClock.now - start
    let model = ModelReport(found: found, duration: elapsed)
    let (terminal, format) = (Terminal.progress(), output.output)
    // Without the option the five seconds are for the store alone.
    let spent = field.duration == nil ? .zero : elapsed
    let (result, leftover) = await race.run(spent: spent) { line in
      if terminal.isTerminal { StandardStreams.overwrite(line) }
    } interrupted: { result in
      try? LiveReport(result: result, plan: plan, model: model).print(format)
    }
    return LiveReport(result: try result.get(), plan: plan, model: model, leftover: leftover)
  }

  /// Runs the race on the model, which can't be cancelled, after the scratch folder is claimed and before
  /// the first round. A signal ends the program at once, with a message.
  private static func interruptible<Value>(
    _ work: () throws(LedgerError) -> Value
  ) throws(LedgerError) -> Value {
    EndSignals.listen(for: [SIGINT, SIGTERM, SIGHUP], unlessIgnored: [SIGHUP]) { number, _ in
      StandardStreams.remark(StoreRace.interruptedEarly)
      endBySignal(number)
    }
    defer { EndSignals.release() }
    return try work()
  }

  /// The race on the model beside a race on a store; longer if no options were given.
  private static func raceBeside(
    isShort: Bool, seed: UInt64
  ) throws(LedgerError) -> RaceReport {
    try showingProgress { progress in
      var race = ModelRace()
      (race.seed, race.runs) = (seed, isShort ? 100_000 : 2000)
      let field = try LedgerField()
      return try race.run(
        field, exploring: isShort ? field.worlds(isThorough: false) : [], progress: progress)
    }
  }
}
