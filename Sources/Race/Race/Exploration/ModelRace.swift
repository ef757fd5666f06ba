/// What to race on the model: scenarios to explore completely, random runs, and negative controls.
package struct ModelRace: Sendable {
  package var scenarios: [Scenario] = []
  package var runs = 0
  package var seed: UInt64 = 1
  /// Writers of the random runs; two to four if nil.
  package var writers: Int?
  /// The most states of one exhaustive exploration.
  package var maximumStates = 20_000_000

  package init() {}

  /// All results.
  package struct Report: Sendable {
    package var explorations: [ExhaustiveReport] = []
    package var campaign: CampaignReport?
    package var kills: [Kill] = []

    /// Branches of the publish machine that some schedule took.
    package var branches: Set<PublishBranch> {
      explorations.reduce(into: campaign?.branches ?? []) { $0.formUnion($1.branches) }
    }

    /// The number of interleavings and runs.
    package var schedules: Double {
      explorations.reduce(Double(campaign?.runs ?? 0)) { $0 + $1.interleavings }
    }

    /// The first broken promise of the unmodified protocol, with its shortest schedule.
    package var failure: (breach: Breach, schedule: Schedule)?

    package var missedControls: [Kill] { kills.filter { !$0.isCaught } }

    package var isIncomplete: Bool { explorations.contains { !$0.isComplete } }

    /// True if nothing regressed, everything was finished, and every control was caught.
    package var isGood: Bool { failure == nil && missedControls.isEmpty && !isIncomplete }
  }

  /// Every start with these budgets, and further cases that can be explored completely: colliding
  /// ids, equal data, older data, interference by other programs, outcomes that need many faults, and
  /// the calendar's end.
  package static func allScenarios(
    writers: Int, readers: Int, faults: Int, crashes: Int
  ) -> [Scenario] {
    var base = Scenario()
    (base.writers, base.readers, base.faults, base.crashes) = (writers, readers, faults, crashes)
    var scenarios = Scenario.Start.allCases.map { start in
      var scenario = base
      scenario.start = start
      return scenario
    }
    var colliding = base
    colliding.clocks = .same
    var twins = base
    twins.start = .corrupt
    twins.hasTwins = writers > 1
    var outdated = base
    outdated.hasOutdated = true
    var interfered = base
    interfered.start = .present
    (interfered.faults, interfered.crashes, interfered.interference) = (
      crashes > 0 ? min(faults, 1) : 0, 0, 1
    )
    var interferedTwice = interfered
    (interferedTwice.readers, interferedTwice.faults, interferedTwice.interference) = (0, 0, 2)
    var givingUp = Scenario()
    (givingUp.writers, givingUp.readers, givingUp.faults, givingUp.crashes) = (1, 0, 16, 0)
    givingUp.outcomes = [.conflict, .lostBefore]
    var ending = Scenario()
    ending.isAtCalendarEnd = true
    var skipping = base
    (skipping.start, skipping.movesPointer) = (.present, false)
    scenarios += [
      colliding, twins, outdated, skipping, interfered, interferedTwice, givingUp, ending,
    ]
    return scenarios
  }

  /// Runs everything. Calls `progress` with the name of each part before it begins.
  package func run(progress: (String) -> Void = { _ in }) throws -> Report {
    var report = Report()
    for (index, scenario) in scenarios.enumerated() {
      progress("exploring \(index + 1)/\(scenarios.count)")
      var exploration = try ExhaustiveExploration(scenario, maximumStates: maximumStates)
      let found = exploration.run()
      report.explorations.append(found)
      if let breach = found.breach, report.failure == nil {
        report.failure = (breach, try Schedule(scenario, found.steps).shrunk())
      }
    }
    if runs > 0 {
      var campaign = try Campaign(.sound, seed: seed, writers: writers)
      let portion = max(1, min(runs, 20_000))
      var done = 0
      while done < runs {
        progress("random runs \(done)/\(runs)")
        let count = min(portion, runs - done)
        let state = campaign.play(count)
        report.campaign = state
        done += count
        guard state.failure == nil else { break }
      }
      if let failure = report.campaign?.failure, report.failure == nil {
        report.failure = (failure.breach, failure.shortest)
      }
    }
    progress("negative controls")
    report.kills = try KillMatrix.run(seed: seed)
    return report
  }
}

/// One negative control: whether the harness caught it, how, and how quickly.
package struct Kill: Sendable {
  package let subject: Subject
  package let report: CampaignReport

  package var isCaught: Bool { report.failure != nil }
}

/// Races every broken protocol and every broken store until it is caught.
package enum KillMatrix {
  /// The number of runs after which a control counts as missed.
  package static let maximumRuns = 20_000

  package static func run(seed: UInt64) throws -> [Kill] {
    try Subject.broken.map { subject in
      var campaign = try Campaign(subject, seed: seed)
      return Kill(subject: subject, report: campaign.play(maximumRuns))
    }
  }
}
