package import ObjectStore

/// The course of a fault plan: numbers the requests, says what befalls each, and remembers the
/// writes that are still under way. Pure: the store around it does what it returns.
package struct FaultSchedule: Sendable {
  /// A write that will reach the store later.
  package struct LateWrite: Hashable, Sendable {
    package let due: Int
    package let key: ObjectKey
    /// Nil: a delete.
    package let body: [UInt8]?
    package let precondition: Precondition
  }

  /// What to do with a request that has arrived.
  package struct Arrival: Sendable {
    package let request: StoreRequest
    package let fault: Fault?
    /// To be applied to the store first, in this order.
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

  /// Takes in the next request.
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

  /// Remembers a write for after `requests` more requests.
  package mutating func postpone(
    _ key: ObjectKey, _ body: [UInt8]?, if precondition: Precondition, requests: Int
  ) {
    late.append(
      LateWrite(
        due: arrived + max(1, requests), key: key, body: body, precondition: precondition))
  }

  /// Takes out all writes that are still under way, in order of their sending.
  package mutating func settle() -> [LateWrite] {
    defer { late = [] }
    return late
  }
}
