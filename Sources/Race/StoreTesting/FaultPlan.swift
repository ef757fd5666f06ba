/// Which requests meet which fault. It is a value, so that a failing run can be printed and repeated.
package struct RequestPlan<Fault: PlannedFault>: Hashable, Sendable {
  /// A kind of request, and the fault that some of these requests meet.
  package struct Rule: Hashable, Sendable {
    package var fault: Fault
    /// Nil for every kind.
    package var kind: RequestKind?
    /// The end of the key, of a listing's prefix, or of a path.
    package var suffix: String
    /// Which of the matching requests, from 1; nil for all.
    package var which: Set<Int>?

    /// A fault for some requests of a kind, for keys with this suffix.
    package init(
      _ fault: Fault, on kind: RequestKind? = nil, suffix: String = "", which: Set<Int>? = [1]
    ) {
      (self.fault, self.kind, self.suffix, self.which) = (fault, kind, suffix, which)
    }
  }

  /// How often a fault is drawn.
  package struct Chance: Hashable, Sendable {
    package var fault: Fault
    /// Of a million requests for which it can be drawn, how many meet it.
    package var perMillion: Int
    /// The most occurrences; nil for no limit.
    package var budget: Int?

    package init(_ fault: Fault, perMillion: Int, budget: Int? = nil) {
      (self.fault, self.perMillion, self.budget) = (fault, perMillion, budget)
    }
  }

  /// The request with this number, from 1, meets this fault. These take precedence.
  package var positions: [Int: Fault]
  /// The first rule that matches wins. Each rule counts its own matches.
  package var rules: [Rule]
  package var chances: [Chance]
  package var seed: UInt64

  package init(
    positions: [Int: Fault] = [:], rules: [Rule] = [], chances: [Chance] = [], seed: UInt64 = 0
  ) {
    (self.positions, self.rules, self.chances, self.seed) = (positions, rules, chances, seed)
  }

  /// So many of a million requests meet one of these faults, each as often as any other.
  package init(drawing faults: [Fault], perMillion: Int, seed: UInt64) {
    let chances = faults.map { Chance($0, perMillion: perMillion / faults.count) }
    self.init(chances: chances, seed: seed)
  }

  /// No faults.
  package static var none: RequestPlan { RequestPlan() }
}

/// Something that can go wrong with a request.
package protocol PlannedFault: Hashable, Sendable {
  /// Whether it can be drawn for requests of a kind.
  func befalls(_ kind: RequestKind) -> Bool
}

/// What a request is for.
package enum RequestKind: String, Hashable, Sendable, CaseIterable {
  case get, head, list, put, post, delete

  /// Whether it may change what is stored.
  package var isWrite: Bool { self == .put || self == .post || self == .delete }
}

/// Carries out a plan: numbers the requests and decides the fault of each. Pure.
package struct RequestSchedule<Fault: PlannedFault>: Sendable {
  /// The decision for one request.
  package struct Arrival: Hashable, Sendable {
    /// The number in order of arrival, from 1.
    package let number: Int
    package let fault: Fault?
    /// Draws what else is to be drawn for it.
    package var chance: SplitMix64
  }

  package private(set) var arrived = 0
  private let plan: RequestPlan<Fault>
  private var matches: [Int]
  private var spent: [Int]

  package init(_ plan: RequestPlan<Fault>) {
    self.plan = plan
    matches = plan.rules.map { _ in 0 }
    spent = plan.chances.map { _ in 0 }
  }

  /// Receives the next request.
  package mutating func arrive(_ kind: RequestKind, _ key: String) -> Arrival {
    arrived += 1
    var ruled: Fault?
    for (index, rule) in plan.rules.enumerated()
    where (rule.kind ?? kind) == kind && key.hasSuffix(rule.suffix) {
      matches[index] += 1
      if ruled == nil, rule.which?.contains(matches[index]) ?? true { ruled = rule.fault }
    }
    // Depends only on the number, so that a decision does not depend on earlier draws.
    var chance = SplitMix64(seed: plan.seed, stream: UInt64(arrived))
    let drawn = draw(kind, &chance)
    let planned = plan.positions[arrived] ?? ruled
    if planned == nil, let drawn { spent[drawn] += 1 }
    let fault = planned ?? drawn.map { plan.chances[$0].fault }
    return Arrival(number: arrived, fault: fault, chance: chance)
  }

  /// The index of the drawn chance, if one is drawn.
  private func draw(_ kind: RequestKind, _ numbers: inout SplitMix64) -> Int? {
    var draw = numbers.below(1_000_000)
    for (index, chance) in plan.chances.enumerated() where chance.fault.befalls(kind) {
      if draw < chance.perMillion {
        return spent[index] < chance.budget ?? .max ? index : nil
      }
      draw -= chance.perMillion
    }
    return nil
  }
}
