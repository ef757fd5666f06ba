/// Races the machines of a world without a store: every order of the steps of small worlds, random
/// orders of larger ones, and the same with mistakes built in, each of which must be caught.
package struct ModelRace: Sendable {
  package var seed: UInt64 = 1
  /// Random runs.
  package var runs = 0
  /// Where an exploration stops, to limit memory.
  package var maximumStates = 20_000_000
  /// How many random runs a control may take before its worlds are explored.
  static let mostControlRuns = 20_000
  private static let mostControlStates = 500_000
  /// Random runs in which each fault fires.
  private static let runsForAllFaults = 500

  package init() {}

  /// Explores and races, and then the controls, unless a promise is broken.
  ///
  /// - Parameter progress: called with a line for people before each part.
  package func run<Field: RacedField>(
    _ field: Field, exploring worlds: [Field.World], progress: (String) -> Void = { _ in }
  ) throws -> RaceReport {
    var report = race(field, exploring: worlds, progress: progress)
    for flaw in Field.Flaw.allCases where report.failure == nil {
      progress("negative control \(flaw.rawValue)")
      report.controls.append(
        .init(
          name: flaw.rawValue, summary: flaw.summary, caught: try caught(Field(flaw))))
    }
    return report
  }

  package func race<Field: RacedField>(
    _ field: Field, exploring worlds: [Field.World], progress: (String) -> Void = { _ in }
  ) -> RaceReport {
    var report = RaceReport(world: Field.name, seed: seed)
    for (index, world) in worlds.enumerated() where report.failure == nil {
      progress("exploring \(index + 1)/\(worlds.count)")
      report.add(Exploration(of: world, maximumStates: maximumStates), of: world)
    }
    for number in 0..<runs where report.failure == nil {
      if number.isMultiple(of: 5000) { progress("random runs \(number)/\(runs)") }
      let seed = seed &+ UInt64(number)
      report.add(field.run(of: seed), of: seed)
    }
    if report.runs >= Self.runsForAllFaults {
      report.unfired = Field.faults.filter { report.faults[$0] == nil }
    }
    let (all, taken) = field.decisions
    report.decisions = all.filter(taken.contains)
    report.missedDecisions = all.filter { !taken.contains($0) }
    return report
  }

  /// How a mistake is caught; nil if it is not.
  package func caught<Field: RacedField>(_ field: Field) throws -> RaceReport.Caught? {
    for number in 0..<Self.mostControlRuns {
      let run = field.run(of: seed &+ UInt64(number))
      if let way = run.way { return .init(way: way, runs: number + 1) }
    }
    for world in try field.worlds(isThorough: false) {
      let found = Exploration(of: world, maximumStates: Self.mostControlStates)
      if let way = found.way(from: world) { return .init(way: way, runs: nil) }
    }
    return nil
  }
}

/// The shortest way to a broken promise that was found.
package struct BrokenWay: Sendable {
  package let breach: Breach
  /// In what world.
  package let title: String
  /// For people.
  package let steps: [String]
}

extension RandomRun {
  /// The way to what it broke; nil if it broke nothing.
  fileprivate var way: BrokenWay? {
    guard breach != nil else { return nil }
    let run = shrunk
    return run.breach.map { BrokenWay(breach: $0, title: run.start.title, steps: run.lines) }
  }
}

extension Exploration {
  fileprivate func way(from start: World) -> BrokenWay? {
    // A way that only leads to where it has been breaks nothing by itself.
    breach.map {
      RandomRun(of: start, steps).way
        ?? BrokenWay(breach: $0, title: start.title, steps: start.lines(of: steps))
    }
  }
}

/// What a race without a store has found.
package struct RaceReport: Sendable {
  /// An exploration, with the members that its document has.
  package struct Explored: Encodable, Sendable {
    package let name: String
    package let states: Int
    package let transitions: Int
    package let ends: Int
    package let interleavings: Double
    package let longest: Int
    package let complete: Bool
  }

  package struct Control: Sendable {
    package let name: String
    package let summary: String
    /// What caught it, and how: nil if nothing did.
    package let caught: Caught?
  }

  package struct Caught: Sendable {
    package let way: BrokenWay
    /// The random runs that it took; nil if it was found by exploring.
    package let runs: Int?
  }

  package struct Failure: Sendable {
    package let way: BrokenWay
    /// The random run that found it; nil if it was found by exploring.
    package let seed: UInt64?
  }

  /// The name of the world.
  package let world: String
  /// The seed of the first random run.
  package let seed: UInt64
  package private(set) var explored: [Explored] = []
  package private(set) var runs = 0
  package private(set) var steps = 0
  /// A fingerprint of every step of every run. Equal seeds give equal fingerprints.
  package private(set) var digest: UInt64 = 0xCBF2_9CE4_8422_2325
  /// How often each fault fired.
  package private(set) var faults: [String: Int] = [:]
  /// Faults that should have fired and never did.
  package fileprivate(set) var unfired: [String] = []
  /// Decisions of the machines that some order reached, and those that none did.
  package fileprivate(set) var decisions: [String] = []
  package fileprivate(set) var missedDecisions: [String] = []
  package private(set) var failure: Failure?
  package fileprivate(set) var controls: [Control] = []

  init(world: String, seed: UInt64) { (self.world, self.seed) = (world, seed) }

  /// The number of interleavings and runs.
  package var schedules: Double { explored.reduce(Double(runs)) { $0 + $1.interleavings } }
  package var isComplete: Bool { explored.allSatisfy { $0.complete && $0.ends > 0 } }
  package var missed: [String] { controls.filter { $0.caught == nil }.map(\.name) }
  /// True if no promise was broken, all was tried, and every control was caught.
  package var isGood: Bool {
    failure == nil && isComplete && missed.isEmpty && unfired.isEmpty
  }

  fileprivate mutating func add<World>(_ found: Exploration<World>, of world: World) {
    explored.append(
      Explored(
        name: world.title, states: found.states, transitions: found.transitions,
        ends: found.ends, interleavings: found.interleavings, longest: found.depth,
        complete: found.isComplete))
    faults.merge(found.faults) { $0 + $1 }
    failure = found.way(from: world).map { Failure(way: $0, seed: nil) }
  }

  fileprivate mutating func add<World>(_ run: RandomRun<World>, of seed: UInt64) {
    runs += 1
    steps += run.steps.count
    faults.merge(run.faults) { $0 + $1 }
    for step in run.steps {
      for byte in step.description.utf8 { digest = (digest ^ UInt64(byte)) &* 0x100_0000_01B3 }
    }
    failure = run.way.map { Failure(way: $0, seed: seed) }
  }
}
