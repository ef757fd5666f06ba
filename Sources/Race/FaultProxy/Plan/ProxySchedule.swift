import StoreTesting

/// Carries out a plan: numbers the requests and decides the fault of each. Pure.
struct ProxySchedule: Sendable {
  /// The decision for one request.
  struct Decision: Hashable, Sendable {
    /// The number in order of arrival, from 1.
    let number: Int
    let fault: ProxyFault?
    /// How long the answer waits, for faults that delay it.
    let slowness: Duration
    /// How much later than necessary a late send comes.
    let lateness: Duration
  }

  private let plan: ProxyPlan
  private var arrived = 0
  private var matches: [Int]
  private var spent: [Int]

  init(_ plan: ProxyPlan) {
    self.plan = plan
    matches = plan.rules.map { _ in 0 }
    spent = plan.chances.map { _ in 0 }
  }

  /// Receives the next request.
  mutating func arrive(_ operation: ProxiedOperation, path: String) -> Decision {
    arrived += 1
    var ruled: ProxyFault?
    for (index, rule) in plan.rules.enumerated() where rule.matches(operation, path) {
      matches[index] += 1
      if ruled == nil, rule.which?.contains(matches[index]) ?? true { ruled = rule.fault }
    }
    // Depends only on the number, so that a decision does not depend on earlier draws.
    var numbers = SplitMix64(seed: plan.seed, stream: UInt64(arrived))
    let drawn = draw(operation, &numbers)
    if plan.positions[arrived] == nil, ruled == nil, let drawn { spent[drawn] += 1 }
    return Decision(
      number: arrived,
      fault: plan.positions[arrived] ?? ruled ?? drawn.map { plan.chances[$0].fault },
      slowness: plan.slowest * numbers.fraction(), lateness: plan.latest * numbers.fraction())
  }

  /// The index of the drawn chance, if one is drawn.
  private func draw(_ operation: ProxiedOperation, _ numbers: inout SplitMix64) -> Int? {
    var draw = numbers.below(1_000_000)
    for (index, chance) in plan.chances.enumerated() {
      guard operation.isWrite || chance.fault.befallsReads else { continue }
      if draw < chance.perMillion {
        return spent[index] < chance.budget ?? .max ? index : nil
      }
      draw -= chance.perMillion
    }
    return nil
  }
}
