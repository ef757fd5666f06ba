extension LedgerWorld {
  /// One step of a race.
  package enum Step: Hashable, Sendable {
    /// A writer's request reaches the store or not, and its answer comes back or not.
    case advance(Int, RequestOutcome)
    /// A writer dies. The write that it was sending is lost or arrives later.
    case crash(Int, leavesWrite: Bool)
    case restart(Int)
    /// A reader's request.
    case read(Int, isStale: Bool)
    /// A write arrives that nobody waits for any more.
    case arrive(Int)
    case interfere(Interference)

    package enum Interference: String, CaseIterable, Hashable, Sendable {
      case deletePointer = "delete-pointer"
      case overwritePointer = "overwrite-pointer"
      case brokenRevision = "broken-revision"
    }
  }
}

extension LedgerWorld.Step.Interference {
  /// Each interference happens once: a client that read an absent pointer can't notice a second
  /// time.
  var bit: UInt8 {
    switch self {
    case .deletePointer: 1
    case .overwritePointer: 2
    case .brokenRevision: 4
    }
  }
}

extension LedgerWorld.Step: CustomStringConvertible {
  /// `u1`, `u1/lost-after`, `k1`, `k1+`, `s1`, `r1`, `r1/stale`, `z1`, `m/delete-pointer`.
  package var description: String {
    switch self {
    case .advance(let index, .answered): "u\(index + 1)"
    case .advance(let index, let outcome): "u\(index + 1)/\(outcome.rawValue)"
    case .crash(let index, let leavesWrite): "k\(index + 1)\(leavesWrite ? "+" : "")"
    case .restart(let index): "s\(index + 1)"
    case .read(let index, let isStale): "r\(index + 1)\(isStale ? "/stale" : "")"
    case .arrive(let index): "z\(index + 1)"
    case .interfere(let deed): "m/\(deed.rawValue)"
    }
  }
}
