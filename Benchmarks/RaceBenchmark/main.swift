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

// Random schedules of three uploaders and a reader or two, on one core.
var campaign = try Campaign(.sound, seed: 1, writers: 3)
_ = campaign.play(operations / 50)
let runs = operations / 5
var report: CampaignReport?
let racing = ContinuousClock().measure { report = campaign.play(runs) }
let seconds =
  Double(racing.components.seconds) + Double(racing.components.attoseconds) / 1e18
print(
  "model: \(runs) schedules in \(racing), \(Int(Double(runs) / seconds)) a second,",
  report?.failure == nil ? "no regression" : "a regression")
