package import ObjectStore

/// Carries out a fault plan: numbers the requests, decides the fault of each, and remembers the
/// writes that are delayed. Pure: the store around it does what it returns.
package struct FaultSchedule: Sendable {
  /// A write that will reach the store later.
  package struct LateWrite: Hashable, Sendable {
    package let due: Int
    package let key: ObjectKey
    /// Nil for a delete.
    package let body: [UInt8]?
    package let precondition: Precondition
  }

  /// What to do with a request that has arrived.
  package struct Arrival: Sendable {
    package let request: StoreRequest
    package let fault: Fault?
    /// The delayed writes to apply to the store first, in this order.
    package let late: [LateWrite]
  }

  package private(set) var arrived = 0
  private let plan: FaultPlan
  private var matches: [Int]
  private var late: [LateWrite] = []

  package init(_ plan: FaultPlan) {
    self.plan = plan
    matches = plan.rules.map { _ in 0 }
  }

  /// Receives the next request.
  package mutating func arrive(
    _ kind: StoreRequest.Kind, _ key: String, if precondition: Precondition? = nil
  ) -> Arrival {
    arrived += 1
    let request = StoreRequest(
      kind: kind, key: key, precondition: precondition, ordinal: arrived)
    var struck: Fault?
    for (index, rule) in plan.rules.enumerated() where rule.matches(request) {
      matches[index] += 1
      if struck == nil, rule.which?.contains(matches[index]) ?? true { struck = rule.fault }
    }
    let due = late.filter { $0.due <= arrived }
    late.removeAll { $0.due <= arrived }
    let fault = plan.positions[arrived] ?? struck ?? plan.lottery?.fault(at: arrived)
    return Arrival(request: request, fault: fault, late: due)
  }

  /// Delays a write until `requests` more requests have arrived.
  package mutating func postpone(
    _ key: ObjectKey, _ body: [UInt8]?, if precondition: Precondition, requests: Int
  ) {
    late.append(
      LateWrite(
        due: arrived + max(1, requests), key: key, body: body, precondition: precondition))
  }

  /// Removes and returns all delayed writes, in the order in which they were sent.
  package mutating func settle() -> [LateWrite] {
    defer { late = [] }
    return late
  }
}
