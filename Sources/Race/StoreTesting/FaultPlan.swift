/// Which requests meet which fault. It is a value, so that a failing run can be printed and
/// repeated.
package struct FaultPlan: Hashable, Sendable {
  /// A kind of request, and the fault that some of these requests meet.
  package struct Rule: Hashable, Sendable {
    /// Nil for every kind.
    package var kind: StoreRequest.Kind?
    /// The end of the key, or of a listing's prefix.
    package var keySuffix: String
    /// Which of the matching requests, from 1; nil for all.
    package var which: Set<Int>?
    package var fault: Fault

    /// A fault for some requests of a kind, for keys with this suffix.
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

  /// Faults drawn at random. The draw for a request depends only on the seed and its ordinal.
  package struct Lottery: Hashable, Sendable {
    package var seed: UInt64
    /// How many of 1,000 requests meet a fault.
    package var perMille: Int
    /// The faults to draw from, with equal chances.
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

  /// Exact positions: the request with this ordinal meets this fault. These take precedence.
  package var positions: [Int: Fault]
  /// The first rule that matches wins. Each rule counts its own matches.
  package var rules: [Rule]
  package var lottery: Lottery?

  package init(
    positions: [Int: Fault] = [:], rules: [Rule] = [], lottery: Lottery? = nil
  ) {
    (self.positions, self.rules, self.lottery) = (positions, rules, lottery)
  }

  /// No faults.
  package static let none = FaultPlan()
}
