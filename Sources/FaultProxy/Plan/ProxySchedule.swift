import StoreTesting

/// The course of a plan: numbers the requests and says what befalls each. Pure.
struct ProxySchedule: Sendable {
  /// What befalls one request.
  struct Decision: Hashable, Sendable {
    /// Place among all requests, from 1, in order of arrival.
    let number: Int
    let fault: ProxyFault?
    /// How long the answer waits, where the fault is that it does.
    let slowness: Duration
    /// How much later than possible a late send comes.
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

  /// Takes in the next request.
  mutating func arrive(_ operation: ProxiedOperation, path: String) -> Decision {
    arrived += 1
    var ruled: ProxyFault?
    for (index, rule) in plan.rules.enumerated() where rule.matches(operation, path) {
      matches[index] += 1
      if ruled == nil, rule.which?.contains(matches[index]) ?? true { ruled = rule.fault }
    }
    // Of the number alone, so that a decision does not depend on what was drawn before.
    var numbers = SplitMix64(seed: plan.seed, stream: UInt64(arrived))
    let drawn = draw(operation, &numbers)
    if plan.positions[arrived] == nil, ruled == nil, let drawn { spent[drawn] += 1 }
    return Decision(
      number: arrived,
      fault: plan.positions[arrived] ?? ruled ?? drawn.map { plan.chances[$0].fault },
      slowness: plan.slowest * numbers.fraction(), lateness: plan.latest * numbers.fraction())
  }

  /// The place of the chance that is drawn, if one is.
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
