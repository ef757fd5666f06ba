import Race

// Races whatever publish and resolve machines this was built with, and prints what broke first:
// one line for every interleaving of two uploaders and a reader, one for random schedules.

func tell(_ words: String...) { print(words.joined(separator: "\t")) }

var visited = 0
var broken: Breach?
for scenario in ModelRace.allScenarios(writers: 2, readers: 1, faults: 1, crashes: 1) {
  var exploration = try ExhaustiveExploration(scenario, maximumStates: 400_000)
  let report = exploration.run()
  visited += report.states
  broken = report.breach ?? (report.isComplete ? nil : .neverEnds)
  if broken != nil { break }
}
tell("exhaustive", broken?.oracle ?? "-", "\(visited)")

var campaign = try Campaign(.sound, seed: 1)
let report = campaign.play(20_000)
tell("random", report.failure?.breach.oracle ?? "-", "\(report.runs)")
