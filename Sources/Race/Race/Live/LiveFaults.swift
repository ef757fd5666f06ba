import ObjectStore
package import StoreTesting

/// Faults that the processes of a race inject between the ledger and the store.
package struct LiveFaults: Codable, Hashable, Sendable {
  /// A fault by its name on the command line, the same as the fault proxy's if that has it.
  package enum Kind: String, Codable, CaseIterable, Hashable, Sendable {
    case lostBefore = "drop"
    case lostAfter = "lose"
    case delayed = "delay"
    case duplicated = "duplicate"
    case resent = "resend"
    case conflict = "409"
    case preconditionFailed = "412"
    case unavailable = "503"
    case slow
    /// A write that ignores its condition: a control that a race must catch.
    case stripped = "strip"

    /// The fault for the fault-injecting store.
    package var fault: Fault {
      switch self {
      case .lostBefore: .lost
      case .lostAfter: .answerLost
      case .delayed: .delayed(requests: 5)
      case .duplicated: .duplicatedLate(requests: 3)
      case .resent: .resent
      case .conflict: .refused(.conflict)
      case .preconditionFailed: .refused(.preconditionFailed)
      case .unavailable: .refused(.unavailable)
      case .slow: .slow(.milliseconds(20))
      case .stripped: .preconditionStripped
      }
    }
  }

  package var kinds: [Kind] = []
  /// How many of 1,000 requests meet a fault.
  package var perMille = 0

  package init(_ kinds: [Kind] = [], perMille: Int = 0) {
    (self.kinds, self.perMille) = (kinds, perMille)
  }
}

/// A store with injected faults, and functions for those.
struct FaultedStore: Sendable {
  let store: any ObjectStore
  /// Applies every delayed write to the store.
  let settle: @Sendable () async -> Void
  /// The faults since the last call, counted by name.
  let struck: @Sendable () -> [LiveFaults.Kind: Int]

  private init(
    _ store: any ObjectStore, settle: @escaping @Sendable () async -> Void,
    struck: @escaping @Sendable () -> [LiveFaults.Kind: Int]
  ) {
    (self.store, self.settle, self.struck) = (store, settle, struck)
  }

  /// The store itself if there are no faults.
  init(_ base: any ObjectStore, _ faults: LiveFaults, seed: UInt64) {
    guard !faults.kinds.isEmpty, faults.perMille > 0 else {
      self.init(base, settle: {}, struck: { [:] })
      return
    }
    let plan = FaultPlan(
      lottery: .init(seed: seed, perMille: faults.perMille, faults: faults.kinds.map(\.fault)))
    self.init(opening: base, plan, faults.kinds)
  }

  private init<Base: ObjectStore>(
    opening base: Base, _ plan: FaultPlan, _ kinds: [LiveFaults.Kind]
  ) {
    let faulty = FaultInjectingStore(base, plan: plan)
    let seen = Counter()
    self.init(faulty, settle: { await faulty.settle() }) {
      let entries = faulty.log.entries
      var counts: [LiveFaults.Kind: Int] = [:]
      for entry in entries.dropFirst(seen.exchange(entries.count)) {
        guard let fault = entry.fault, let kind = kinds.first(where: { $0.fault == fault }) else {
          continue
        }
        counts[kind, default: 0] += 1
      }
      return counts
    }
  }
}
