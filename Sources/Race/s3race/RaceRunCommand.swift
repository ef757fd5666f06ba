import ArgumentParser
import CommandLineKit
import Foundation
import HealthLedger
import Race

/// `s3race run`, the default.
struct RaceRunCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run", abstract: "Race the ledger on a store, and for a moment on the model.")

  @OptionGroup(title: "The race") var field: LiveRaceOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup(title: "The store") var store: StoreOptions

  func run() async throws {
    try await reportingErrors(output.output) { () async throws(LedgerError) in
      let clock = ContinuousClock()
      let start = clock.now
      Diagnostics.start(store)
      let plan = field.plan
      var race = try StoreRace(plan, store, try RaceFaults(field.faults))
      try await race.prepare()
      let found = try Self.interruptible { () throws(LedgerError) in
        try Self.raceBeside(isShort: !field.isDetailed, seed: plan.seed)
      }
      let modelReport = ModelReport(found, duration: clock.now - start)
      let terminal = Terminal.progress()
      let format = output.output
      // Without the option the five seconds are for the store alone.
      let spent = field.duration == nil ? .zero : clock.now - start
      let (result, leftover) = await race.run(spent: spent) { line in
        if terminal.isTerminal { StandardStreams.overwrite(line) }
      } interrupted: { result in
        try? LiveReport(result, plan).print(format, after: modelReport)
      }
      let fieldReport = LiveReport(try result.get(), plan)
      try fieldReport.print(output.output, after: modelReport)
      if let leftover { return leftover.code.exitCode }
      return modelReport.isGood && fieldReport.isGood ? .success : foundSomething
    }
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
