import RaceHarness
let a = CommandLine.arguments.dropFirst().compactMap { Int($0) }
// writers readers faults crashes reduced maxstates [start index]
for (i, s) in ModelRace.allScenarios(writers: a[0], readers: a[1], faults: a[2], crashes: a[3]).enumerated() where a.count < 7 || a[6] == i {
  var e = try ExhaustiveExploration(s, maximumStates: a[5], isReduced: a[4] == 1)
  let c = ContinuousClock()
  let t = c.now
  let r = e.run()
  print(i, s.start, s.clocks, s.movesPointer, "m\(s.meddling)", "f\(s.faults)", "c\(s.crashes)", r.states, r.transitions, r.interleavings, r.isComplete, r.breach.map { "\($0)" } ?? "ok", c.now - t, r.branches.count)
}
