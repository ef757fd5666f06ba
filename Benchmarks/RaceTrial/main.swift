import Race

// Races whatever publish and resolve machines this was built with, and prints what broke first:
// one line for every interleaving of two uploaders and a reader, one for random schedules.

let field = try LedgerField()
var race = ModelRace()
race.maximumStates = 400_000

func tell(_ words: String, _ report: RaceReport, _ count: Int) {
  let oracle = report.failure?.way.breach.oracle ?? (report.isComplete ? "-" : "never ends")
  print([words, oracle, "\(count)"].joined(separator: "\t"))
}

let explored = race.race(field, exploring: field.worlds(isThorough: true))
tell("exhaustive", explored, explored.explored.reduce(0) { $0 + $1.states })
race.runs = 20_000
let raced = race.race(field, exploring: [])
tell("random", raced, raced.runs)
