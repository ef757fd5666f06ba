import Race
import Testing

/// Expects that no order of events breaks a promise, that all were tried, and that these faults did
/// happen.
func expectSound<World: ExplorableWorld>(
  _ exploration: Exploration<World>, fired: Set<String>,
  sourceLocation: SourceLocation = #_sourceLocation
) {
  let example = exploration.counterexample.map {
    "\($0.breach):\n\($0.steps.joined(separator: "\n"))"
  }
  #expect(example == nil, sourceLocation: sourceLocation)
  #expect(!exploration.isCutOff && exploration.ends > 0, sourceLocation: sourceLocation)
  #expect(
    fired.isSubset(of: exploration.faults.keys), "\(exploration.faults)",
    sourceLocation: sourceLocation)
}
