/// The result of removing the scratch objects that interrupted probes left behind (R28).
package struct ScratchSweep: Hashable, Sendable {
  /// How many were removed.
  package var removed = 0
  /// How many are known to remain.
  package var left = 0
  /// Why they remain.
  package var problem: StoreError?
}

extension ScratchSweep: CustomStringConvertible {
  package var description: String {
    guard let problem else { return removed == 0 ? "nothing was left" : "\(removed) removed" }
    return "\(left) left behind: \(problem)"
  }
}

extension ObjectStore {
  /// Removes objects below `prefix` that were last written before a moment, given in seconds since
  /// 1970 by the store's clock. Removes at most `limit` of them; the next sweep removes more.
  package func sweep(
    below prefix: String, writtenBefore moment: Int, limit: Int = 100
  ) async -> ScratchSweep {
    var sweep = ScratchSweep()
    do throws(StoreError) {
      let entries = try await list(ListRequest(prefix: prefix)).entries
      let old = entries.compactMap { entry in
        entry.lastModified.map { $0 < moment } == true ? ObjectKey(entry.key) : nil
      }
      sweep.left = old.count
      for key in old.prefix(limit) {
        try await delete(key)
        sweep.removed += 1
        sweep.left -= 1
      }
    } catch {
      sweep.problem = error
    }
    return sweep
  }
}
