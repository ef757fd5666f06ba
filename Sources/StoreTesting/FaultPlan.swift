/// Which requests meet which fault: a value, so that a failing run can be printed and repeated.
package struct FaultPlan: Hashable, Sendable {
  /// Requests of one sort, and the fault that some of them meet.
  package struct Rule: Hashable, Sendable {
    /// Nil: every kind.
    package var kind: StoreRequest.Kind?
    /// What the key, or a listing's prefix, ends in.
    package var keySuffix: String
    /// Which of the requests that match, from 1; nil: all.
    package var which: Set<Int>?
    package var fault: Fault

    /// A fault for some of the requests of a kind, on keys that end so.
    package init(
      _ fault: Fault, on kind: StoreRequest.Kind? = nil, keySuffix: String = "",
      which: Set<Int>? = [1]
    ) {
      (self.fault, self.kind, self.keySuffix, self.which) = (fault, kind, keySuffix, which)
    }

    func matches(_ request: StoreRequest) -> Bool {
      (kind == nil || kind == request.kind)
        && request.key.utf8.reversed().starts(with: keySuffix.utf8.reversed())
    }
  }

  /// Faults drawn by lot: the draw for a request depends on the seed and its ordinal alone.
  package struct Lottery: Hashable, Sendable {
    package var seed: UInt64
    /// Of 1,000 requests, how many meet a fault.
    package var perMille: Int
    /// Drawn from with equal chances.
    package var faults: [Fault]

    package init(seed: UInt64, perMille: Int, faults: [Fault]) {
      (self.seed, self.perMille, self.faults) = (seed, perMille, faults)
    }

    func fault(at ordinal: Int) -> Fault? {
      guard !faults.isEmpty else { return nil }
      let draw = SplitMix64.number(at: ordinal, seed: seed)
      guard Int(draw >> 32) % 1000 < perMille else { return nil }
      return faults[Int(draw & 0xFFFF_FFFF) % faults.count]
    }
  }

  /// Exact positions: the request with this ordinal meets this fault. They come first.
  package var positions: [Int: Fault]
  /// The first rule that strikes wins; each counts its own matches.
  package var rules: [Rule]
  package var lottery: Lottery?

  package init(
    positions: [Int: Fault] = [:], rules: [Rule] = [], lottery: Lottery? = nil
  ) {
    (self.positions, self.rules, self.lottery) = (positions, rules, lottery)
  }

  /// Nothing goes wrong.
  package static let none = FaultPlan()
}
