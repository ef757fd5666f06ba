import ArgumentParser
import CommandLineKit
import Race

/// Options of a race on a real store.
struct LiveRaceOptions: ParsableArguments {
  @Option(help: .init("Writers, 1 to 256. Default: 8.", valueName: "n"))
  var writers: Int?

  @Option(help: .init("Readers, 0 to 64. Default: 2.", valueName: "n"))
  var readers: Int?

  @Option(help: .init("Number of writer processes, 1 to 64. Default: 4.", valueName: "n"))
  var processes: Int?

  @Option(
    help: .init(
      "none, or faults with a rate, such as all:5%.",
      discussion: """
        docs/RACE.md lists the faults. Default: 3% of every fault that a sound store must survive.
        """,
      valueName: "faults"))
  var faults: String?

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

  @Option(help: .init("Seed of the random generator.", valueName: "n"))
  var seed: UInt64 = 1

  /// Whether a person asked for more than a short run.
  var isDetailed: Bool {
    let numbers = [writers, readers, processes, publishes, kills]
    return numbers.contains { $0 != nil } || [faults, scratch, history].contains { $0 != nil }
      || duration != nil || assume != nil
  }

  func validate() throws {
    try validateRanges([
      ("--writers", writers, 1...256), ("--readers", readers, 0...64),
      ("--processes", processes, 1...64), ("--kills", kills, 0...100),
      ("--publishes", publishes, 1...100_000_000),
    ])
    if let processes, let writers, processes > writers {
      throw ValidationError("--processes must not be more than --writers")
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
    (plan.writers, plan.readers, plan.seed) = (writers ?? 8, readers ?? 2, seed)
    plan.processes = min(processes ?? plan.processes, plan.writers)
    plan.duration = duration?.duration ?? plan.duration
    plan.publishes = publishes
    plan.isShort = !isDetailed
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
