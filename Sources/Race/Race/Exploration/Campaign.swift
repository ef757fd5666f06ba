/// The result of many random runs of one subject.
package struct CampaignReport: Sendable {
  package let subject: Subject
  package let firstSeed: UInt64
  package var runs = 0
  package var steps = 0
  package var faults = 0
  package var runsOfStrategy: [Strategy: Int] = [:]
  package var branches: Set<PublishBranch> = []
  /// A fingerprint of every step of every run. Equal seeds give equal fingerprints.
  package var digest: UInt64 = 0xCBF2_9CE4_8422_2325
  /// The run that broke a promise, if there is one.
  package var failure: Failure?

  /// A broken promise, with the shortest schedule found that breaks it.
  package struct Failure: Sendable {
    package let seed: UInt64
    package let strategy: Strategy
    package let breach: Breach
    /// The number of steps before shrinking.
    package let length: Int
    package let shortest: Schedule
  }
}

/// Runs random schedules until a promise is broken or enough were run.
package struct Campaign {
  private var runs: RandomRuns
  private var report: CampaignReport

  /// - Parameter writers: how many writers each run has; two to four if nil.
  package init(_ subject: Subject, seed: UInt64, writers: Int? = nil) throws {
    runs = try RandomRuns(subject, writers: writers)
    report = CampaignReport(subject: subject, firstSeed: seed)
  }

  /// Runs `count` more schedules, or fewer if one fails.
  package mutating func play(_ count: Int) -> CampaignReport {
    for _ in 0..<count where report.failure == nil {
      let seed = report.firstSeed &+ UInt64(report.runs)
      let race = runs.race(seed)
      report.runs += 1
      report.steps += race.steps.count
      report.faults += race.faults
      report.runsOfStrategy[Strategy(of: seed), default: 0] += 1
      for step in race.steps { mix(step.fingerprint) }
      mix(UInt64(truncatingIfNeeded: race.world.pointer))
      guard let breach = race.breach else { continue }
      var shrinking = Shrinking(model: runs.model)
      report.failure = .init(
        seed: seed, strategy: Strategy(of: seed), breach: breach,
        length: race.steps.count,
        shortest: shrinking.shrink(Schedule(race.scenario, race.steps)))
    }
    report.branches = runs.model.automata.branches
    return report
  }

  /// The complete schedule of one seed.
  package static func schedule(
    of seed: UInt64, _ subject: Subject, writers: Int? = nil
  ) throws -> Schedule {
    var runs = try RandomRuns(subject, writers: writers)
    let race = runs.race(seed)
    return Schedule(race.scenario, race.steps)
  }

  private mutating func mix(_ value: UInt64) {
    report.digest = (report.digest ^ value) &* 0x100_0000_01B3
  }
}

extension Schedule {
  /// The shortest schedule found that breaks the same promise.
  package func shrunk() throws -> Schedule {
    var shrinking = Shrinking(model: try RaceModel(scenario.subject))
    return shrinking.shrink(self)
  }
}

extension Step {
  /// A different number for every step.
  fileprivate var fingerprint: UInt64 {
    let number: Int =
      switch self {
      case .advance(let index, let outcome): index << 8 | outcome.number << 16
      case .crash(let index, let leavesWrite): 1 | index << 8 | (leavesWrite ? 1 : 0) << 16
      case .restart(let index): 2 | index << 8
      case .read(let index, let isStale): 3 | index << 8 | (isStale ? 1 : 0) << 16
      case .arrive(let index): 4 | index << 8
      case .interfere(.deletePointer): 5
      case .interfere(.overwritePointer): 5 | 1 << 8
      case .interfere(.brokenRevision): 5 | 2 << 8
      }
    return UInt64(number)
  }
}

extension RequestOutcome {
  fileprivate var number: Int {
    switch self {
    case .answered: 0
    case .lostBefore: 1
    case .lostAfter: 2
    case .delayed: 3
    case .duplicated: 4
    case .resent: 5
    case .conflict: 6
    case .refused: 7
    case .serverError: 8
    case .errorBody: 9
    case .stale: 10
    }
  }
}
