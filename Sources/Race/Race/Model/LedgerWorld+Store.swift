import HealthModel

/// The store: which writes it accepts, and what a listing shows.
extension LedgerWorld {
  func holds(_ write: LedgerState.Write) -> Bool {
    let current = write.target == .pointer ? state.pointer : state.body(of: write.id)
    switch write.condition {
    case .none: return true
    case .absent: return current == 0 || flaw == .ignoresIfNoneMatch || flaw == .ignoresBoth
    case .matches(let code):
      return current == code || flaw == .ignoresIfMatch || flaw == .ignoresBoth
        || (flaw == .createsMissing && current == 0)
    }
  }

  /// - Returns: whether the store has accepted the write.
  @discardableResult
  mutating func apply(
    _ write: LedgerState.Write, _ check: LedgerState.Client.Check = .none
  ) -> Bool {
    guard check == .none ? holds(write) : check == .passed else { return false }
    // Computed only if it is reported, because most writes are sound.
    var name: RevisionID { Codes.revisionID(write.id) }
    switch write.target {
    case .revision(let body):
      let old = state.body(of: write.id)
      if old != 0, old != body {
        breach = Breach(
          LedgerOracle.revisionOverwritten,
          "revision \(name) was overwritten with other bytes")
      }
      state.store(write.id, body)
      for index in state.writers.indices { state.writers[index].isKept = false }
      if flaw == .eventualReads { state.newest = write.id }
    case .pointer:
      if write.id < state.high {
        breach = Breach(
          LedgerOracle.pointerWentBack,
          "latest.json went back from \(Codes.revisionID(state.high)) to \(name)")
      } else if !rules.automata.codes.isReadable(state.body(of: write.id)) {
        breach = Breach(
          LedgerOracle.pointerDangles,
          "latest.json names \(name), but there is no such readable revision")
      } else if flaw?.isOfStore != true, write.condition == .matches(write.id) {
        breach = Breach(
          LedgerOracle.pointerRewritten,
          "latest.json was overwritten with \(name), which it already named")
      }
      if flaw == .eventualReads { state.stalePointer = state.pointer }
      state.pointer = write.id
      state.high = max(state.high, write.id)
    }
    return true
  }

  func ids(after id: Codes.ID = 0, isStale: Bool) -> [Codes.ID] {
    var ids: [Codes.ID] = []
    for revision in state.revisions where revision.id > id {
      if !isStale || revision.id != state.newest { ids.append(revision.id) }
    }
    return ids
  }
}
