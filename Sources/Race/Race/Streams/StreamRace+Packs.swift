/// The race of compactors (R66).
extension StreamRace {
  func racePacks(into report: inout Report, _ progress: (String) -> Void) {
    if explores {
      for (name, scenario) in PackScenario.all(isThorough: isThorough) {
        progress("exploring " + name)
        explore(PackWorld(scenario), named: name, into: &report)
      }
    }
    race(into: &report, progress) { Self.packRun($0) }
    if runs >= 500 {
      report.unfired = PackWorld.faults.filter { report.faults[$0] == nil }
    }
    for flaw in PackFlaw.allCases where flaw != .none && report.failure == nil {
      progress("negative control " + flaw.rawValue)
      report.controls.append(
        Report.Control(
          name: flaw.rawValue, summary: flaw.summary, caught: caught(PackWorld(flaw.scenario))))
    }
  }

  /// The random run of a seed. A seed draws what the run begins with, too.
  package static func packRun(
    _ seed: UInt64, flaw: PackFlaw = .none
  ) -> (start: PackWorld, run: RandomRun<PackWorld>) {
    let start = PackWorld(flaw == .none ? .random(seed) : flaw.scenario)
    return (start, RandomRun(of: start, seed: seed))
  }
}

extension PackWorld {
  /// What can go wrong.
  package static let faults = [
    "kill", "kill with a write in flight", "write in flight", "delayed write", "late batch",
    "late batch in flight", "resend",
  ]
}

extension PackScenario {
  /// What the random run of a seed begins with.
  package static func random(_ seed: UInt64) -> PackScenario {
    let number = Int(seed % 5040)
    var scenario = PackScenario()
    scenario.runs = 1 + number % 4
    scenario.whole = number / 2 % 3
    scenario.isPacked = number % 5 == 0
    scenario.isNextDate = number / 3 % 2 == 0
    scenario.isSplit = number / 4 % 2 == 0
    scenario.kills = number % 3
    scenario.lateWrites = number % 4
    scenario.reads = 1 + number % 2
    scenario.resends = number / 7 % 3
    scenario.pauses = 1 + number % 4
    return scenario
  }

  /// The worlds that are explored whole, with their names.
  package static func all(isThorough: Bool) -> [(String, PackScenario)] {
    func made(_ change: (inout PackScenario) -> Void) -> PackScenario {
      var scenario = PackScenario()
      change(&scenario)
      return scenario
    }
    let small = [
      (
        "one compactor of dates, a reader, a kill",
        made { ($0.compactors, $0.lateBatches, $0.lateWrites) = (1, 0, 0) }
      ),
      (
        "two compactors of dates, a write in flight",
        made { ($0.reads, $0.runs, $0.kills, $0.lateBatches) = (0, 1, 0, 0) }
      ),
      (
        "a compactor of a month, a reader of two requests, a kill",
        made {
          ($0.compactors, $0.whole, $0.isPacked, $0.isNextDate) = (1, 1, true, true)
          ($0.lateWrites, $0.isSplit, $0.resends) = (0, true, 0)
        }
      ),
      (
        "one compactor of dates, one of their month, a write in flight",
        made { ($0.whole, $0.reads, $0.runs, $0.kills, $0.lateBatches) = (1, 0, 1, 0, 0) }
      ),
    ]
    guard isThorough else { return small }
    return small + [
      (
        "a compactor of a month, a reader, a kill, a batch sent again",
        made {
          ($0.compactors, $0.whole, $0.isPacked, $0.isNextDate) = (1, 1, true, true)
          $0.lateWrites = 0
        }
      )
    ]
  }
}
