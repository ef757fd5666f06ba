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

  func plan(seed: UInt64) -> FaultPlan {
    kinds.isEmpty
      ? .none
      : FaultPlan(drawing: kinds.map(\.fault), perMillion: perMille * 1000, seed: seed)
  }
}
