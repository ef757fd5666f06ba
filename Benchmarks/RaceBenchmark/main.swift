import Race
import StoreTesting

// `RaceBenchmark [OPERATIONS]`: a history of a million, and a fifth as many schedules.
let operations = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 1_000_000

// A history by 64 clients, most of them overlapping, that is linearizable.
var random = SplitMix64(seed: 1)
var history: [RegisterOperation] = []
var register = 0
for time in 0..<operations {
  let (from, to) = (time * 10 - random.below(640), time * 10 + random.below(640))
  if random.below(2) == 0 {
    let value = 1 + time / 2 - random.below(64)
    register = max(register, value)
    history.append(.init(.write, max(1, value), from: from, to: to))
  } else {
    history.append(.init(.read, register, from: from, to: to))
  }
}
var refutation: MaxRegisterChecker.Refutation?
let duration = ContinuousClock().measure { refutation = MaxRegisterChecker.refute(history) }
print(
  "checker: \(history.count) operations in \(duration), \(refutation.map { "\($0)" } ?? "linearizable")"
)

// Random schedules of two to four uploaders and a reader or two, on one core.
let field = try LedgerField()
var race = ModelRace()
race.runs = operations / 50
_ = race.race(field, exploring: [])
(race.seed, race.runs) = (UInt64(race.runs) + 1, operations / 5)
var report: RaceReport?
let racing = ContinuousClock().measure { report = race.race(field, exploring: []) }
let seconds =
  Double(racing.components.seconds) + Double(racing.components.attoseconds) / 1e18
print(
  "model: \(race.runs) schedules in \(racing), \(Int(Double(race.runs) / seconds)) a second,",
  report?.failure == nil ? "no regression" : "a regression")
