/// Shortens a failing schedule by removing single steps, faults and clients.
struct Shrinking {
  var model: RaceModel

  /// A shorter schedule that breaks the same promise, or the same schedule if there is none.
  mutating func shrink(_ schedule: Schedule) -> Schedule {
    let race = play(schedule)
    guard let oracle = race.breach?.oracle else { return schedule }
    return smallestFailure(
      from: Schedule(schedule.scenario, race.steps), weight: \.weight,
      candidates: Self.candidates
    ) { candidate in
      let race = play(candidate)
      return race.breach?.oracle == oracle ? Schedule(candidate.scenario, race.steps) : nil
    }
  }

  /// Takes the steps that the world allows, skipping others, up to the first broken promise.
  mutating func play(_ schedule: Schedule) -> Race {
    var race = Race(schedule.scenario, model.beginning(schedule.scenario))
    for step in schedule.steps where model.allows(step, in: race.world) {
      guard race.take(step, &model) else { return race }
    }
    race.judge()
    return race
  }

  private static func candidates(_ schedule: Schedule) -> [Schedule] {
    var candidates: [Schedule] = []
    for client in (0..<schedule.scenario.writers).reversed() where schedule.scenario.writers > 1 {
      var fewer = schedule
      fewer.scenario.writers -= 1
      fewer.steps = fewer.steps.compactMap { $0.without(writer: client) }
      candidates.append(fewer)
    }
    if schedule.scenario.readers > 0 {
      var fewer = schedule
      fewer.scenario.readers -= 1
      candidates.append(fewer)
    }
    candidates += schedule.steps.shortened(by: [8, 4, 2, 1])
      .map { Schedule(schedule.scenario, $0) }
    for (place, step) in schedule.steps.enumerated() {
      var plain = schedule
      switch step {
      case .advance(let index, let outcome) where outcome != .answered:
        plain.steps[place] = .advance(index, .answered)
      case .crash(let index, true): plain.steps[place] = .crash(index, leavesWrite: false)
      default: continue
      }
      candidates.append(plain)
    }
    var plainer = schedule
    plainer.scenario.clocks = .near
    candidates.append(plainer)
    plainer = schedule
    plainer.scenario.hasTwins = false
    candidates.append(plainer)
    plainer = schedule
    plainer.scenario.hasOutdated = false
    candidates.append(plainer)
    if schedule.scenario.interference == 0 {
      plainer = schedule
      plainer.scenario.start = .absent
      candidates.append(plainer)
    }
    return candidates
  }
}

extension Schedule {
  /// What shrinking reduces: steps first, then clients, faults and settings.
  fileprivate var weight: Int {
    let faults = steps.count { step in
      switch step {
      case .advance(_, .answered): false
      case .crash(_, true), .advance: true
      default: false
      }
    }
    return steps.count * 1000 + (scenario.writers + scenario.readers) * 50 + faults * 8
      + (scenario.clocks == .near ? 0 : 2) + (scenario.hasTwins ? 1 : 0)
      + (scenario.hasOutdated ? 1 : 0) + (scenario.start == .absent ? 0 : 1)
  }
}

extension Step {
  /// The step after a client was removed and the following ones renumbered; nil if it was that
  /// client's.
  fileprivate func without(writer gone: Int) -> Step? {
    func moved(_ index: Int) -> Int { index > gone ? index - 1 : index }
    switch self {
    case .advance(let index, let outcome):
      return index == gone ? nil : .advance(moved(index), outcome)
    case .crash(let index, let leaves):
      return index == gone ? nil : .crash(moved(index), leavesWrite: leaves)
    case .restart(let index): return index == gone ? nil : .restart(moved(index))
    case .read, .arrive, .interfere: return self
    }
  }
}
