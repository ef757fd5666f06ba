/// The result of removing the scratch objects that interrupted probes left behind (R28).
package struct ScratchSweep: Hashable, Sendable {
  /// How many were removed.
  package var removed = 0
  /// How many are known to remain.
  package var left = 0
  /// How many were written too lately to be removed: another probe may use them.
  package var recent = 0
  /// Why those that should have been removed remain.
  package var problem: StoreError?
}

extension ScratchSweep: CustomStringConvertible {
  package var description: String {
    if let problem { return "\(left) left behind: \(problem)" }
    let parts = [removed == 0 ? nil : "\(removed) removed", stay].compactMap { $0 }
    return parts.isEmpty ? "nothing was left" : parts.joined(separator: "; ")
  }

  /// Every probe sweeps what is older than an hour.
  private var stay: String? {
    switch recent {
    case 0: nil
    case 1: "1 object of the last hour stays for now, because another probe may use it"
    default: "\(recent) objects of the last hour stay for now, because another probe may use them"
    }
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
      (sweep.left, sweep.recent) = (old.count, entries.count - old.count)
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
