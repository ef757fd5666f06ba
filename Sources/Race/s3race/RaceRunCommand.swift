import ArgumentParser
import CommandLineKit
import Foundation
import HealthLedger
import Race

/// `s3race run`, the default.
struct RaceRunCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run", abstract: "Race the ledger on the model and on the store.")

  @OptionGroup(title: "On the model") var model: ModelRaceOptions
  @OptionGroup(title: "On the store") var field: LiveRaceOptions

  @Option(
    help: .init(
      "Writers: on the store 1 to 256 (default 8), on the model 1 to 4.", valueName: "n"))
  var writers: Int?

  @Option(
    help: .init("Readers: on the store 0 to 64 (default 2), on the model 0 to 2.", valueName: "n"))
  var readers: Int?

  @Option(
    help: .init(
      "On the store: none, or faults with a rate, such as all:5%. On the model: a number.",
      discussion: """
        docs/RACE.md lists the faults. Default on the store: 3% of every fault that a sound store must survive.
        """,
      valueName: "faults"))
  var faults: String?

  @Option(help: .init("Seed of the random generator.", valueName: "n"))
  var seed: UInt64 = 1

  @OptionGroup var output: OutputOptions
  @OptionGroup(title: "The store") var store: StoreOptions

  func validate() throws {
    if model.isAsked {
      if let name = field.firstGiven {
        throw ValidationError(
          "\(name) is for a race on a store and can't be used with options for the model")
      }
      try model.validate(writers: writers, readers: readers, faults: faults)
    } else {
      if let name = model.firstGiven {
        throw ValidationError("\(name) is for the model: add --model or --exhaustive")
      }
      try field.validate(writers: writers, readers: readers)
    }
  }

  func run() async throws {
    try await reportingErrors(output.output) { () async throws(LedgerError) in
      let clock = ContinuousClock()
      let start = clock.now
      if let place = model.place {
        let report = StreamRaceReport(
          StreamRace.shown(model.race(in: place, seed)), place, seed: seed,
          duration: clock.now - start)
        try report.print(output.output)
        return report.isGood ? .success : foundSomething
      }
      if model.isAsked {
        let report = try ModelRace.run(model.race(writers, readers, faults, seed))
        try RaceReport(report, seed: seed, duration: clock.now - start).print(output.output)
        return report.isGood ? .success : foundSomething
      }
      Diagnostics.start(store)
      let faults = try RaceFaults(faults)
      var plan = field.plan
      (plan.writers, plan.readers, plan.seed) = (writers ?? 8, readers ?? 2, seed)
      plan.processes = min(plan.processes, plan.writers)
      var race = try StoreRace(plan, store, faults)
      try await race.prepare()
      let isShort = field.firstGiven == nil && writers == nil && self.faults == nil
      let report = try Self.interruptible { () throws(LedgerError) in
        try ModelRace.run(ModelRaceOptions.beside(isShort: isShort, seed: seed))
      }
      let modelReport = RaceReport(report, seed: seed, duration: clock.now - start)
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
      return report.isGood && fieldReport.isGood ? .success : foundSomething
    }
  }
}

extension RaceRunCommand {
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
}

extension ModelRace {
  /// Runs a race on the model and shows its progress on a terminal.
  static func run(_ race: ModelRace) throws(LedgerError) -> Report {
    let terminal = Terminal.progress()
    defer { if terminal.isTerminal { StandardStreams.overwrite("") } }
    do {
      return try race.run { part in
        if terminal.isTerminal { StandardStreams.overwrite("racing on the model: \(part)") }
      }
    } catch {
      throw LedgerError(.internal, "the model can't be set up: \(error)")
    }
  }
}

extension StreamRace {
  /// Runs the race and shows its progress on a terminal.
  static func shown(_ race: StreamRace) -> Report {
    let terminal = Terminal.progress()
    defer { if terminal.isTerminal { StandardStreams.overwrite("") } }
    return race.run { part in
      if terminal.isTerminal { StandardStreams.overwrite("racing on the model: \(part)") }
    }
  }
}
