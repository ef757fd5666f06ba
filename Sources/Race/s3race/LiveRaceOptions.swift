import ArgumentParser
import CommandLineKit
import Race

/// Options of a race on a real store.
struct LiveRaceOptions: ParsableArguments {
  @Option(help: .init("Number of writer processes, 1 to 64. Default: 4.", valueName: "n"))
  var processes: Int?

  @Option(
    help: .init(
      "How long it takes, with probe and controls: 60s, 5m, 1h. Default: 5s.", valueName: "time"))
  var duration: DurationArgument?

  @Option(
    help: .init(
      "Race until this many publishes are acknowledged, instead of for a time.", valueName: "n"))
  var publishes: Int?

  @Option(
    help: .init(
      "How often each writer process is killed in a round, 0 to 100. Default: 2.",
      valueName: "n"))
  var kills: Int?

  @Option(
    help: .init(
      "Treat the store's conditional writes as compare-and-swap, whatever the probe finds.",
      valueName: "compare-and-swap"))
  var assume: AssumeArgument?

  @Option(
    help: .init(
      "Name of the scratch folder below .s3health-race/; it must be empty. Default: a random one.",
      valueName: "name"))
  var scratch: String?

  @Option(
    help: .init(
      "File for all histories (JSON lines). Default: written only if a promise was broken.",
      valueName: "file"))
  var history: String?

  /// An option that was given.
  var firstGiven: String? {
    let given = [
      ("--processes", processes != nil), ("--duration", duration != nil),
      ("--publishes", publishes != nil), ("--kills", kills != nil), ("--assume", assume != nil),
      ("--scratch", scratch != nil), ("--history", history != nil),
    ]
    return given.first(where: \.1)?.0
  }

  func validate(writers: Int?, readers: Int?) throws {
    if let writers, !(1...256).contains(writers) {
      throw ValidationError("--writers must be 1 to 256")
    }
    if let readers, !(0...64).contains(readers) {
      throw ValidationError("--readers must be 0 to 64")
    }
    if let processes, !(1...64).contains(processes) {
      throw ValidationError("--processes must be 1 to 64")
    }
    if let processes, let writers, processes > writers {
      throw ValidationError("--processes must not be more than --writers")
    }
    if let kills, !(0...100).contains(kills) { throw ValidationError("--kills must be 0 to 100") }
    if let publishes, !(1...100_000_000).contains(publishes) {
      throw ValidationError("--publishes must be 1 to 100000000")
    }
    if publishes != nil, duration != nil {
      throw ValidationError("--publishes and --duration can't be used together")
    }
    if let scratch, scratch.isEmpty || scratch.unicodeScalars.contains("/") {
      throw ValidationError("--scratch must be a name without slashes")
    }
  }

  var plan: LivePlan {
    var plan = LivePlan()
    plan.processes = processes ?? plan.processes
    plan.duration = duration?.duration ?? plan.duration
    plan.publishes = publishes
    plan.kills = kills ?? plan.kills
    plan.assumesCompareAndSwap = assume != nil
    plan.scratch = scratch
    plan.history = history
    return plan
  }
}

/// How a race treats a store's conditional writes, whatever was found.
enum AssumeArgument: String, ExpressibleByArgument, CaseIterable {
  case compareAndSwap = "compare-and-swap"
}
