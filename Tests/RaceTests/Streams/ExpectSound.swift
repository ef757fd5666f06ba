import Race
import Testing

/// Expects that no order of events breaks a promise, that all were tried, and that these faults did
/// happen.
func expectSound<World: RacedWorld>(
  _ exploration: Exploration<World>, fired: Set<String>,
  sourceLocation: SourceLocation = #_sourceLocation
) {
  #expect(
    exploration.breach == nil, "\(exploration.steps.map(\.description))",
    sourceLocation: sourceLocation)
  #expect(exploration.isComplete && exploration.ends > 0, sourceLocation: sourceLocation)
  #expect(
    fired.isSubset(of: exploration.faults.keys), "\(exploration.faults)",
    sourceLocation: sourceLocation)
}
