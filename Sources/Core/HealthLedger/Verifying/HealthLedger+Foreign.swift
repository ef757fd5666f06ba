import HealthModel
import ObjectStore

extension HealthLedger {
  /// The most foreign objects outside the data that are reported one by one.
  static let maximumForeignObjects = 1000

  /// Objects below `health/v0/` but outside the years of the data. It makes two listings: one stops
  /// where the data begins, the other starts where it ends. The survey finds objects between the
  /// days.
  func foreignObjectsOutsideData() async throws(LedgerError) -> [Finding] {
    // Years begin with a digit: "0" is the least, and ":" comes after "9".
    let before = ListRequest(prefix: layout.versionPrefix)
    let after = ListRequest(prefix: layout.versionPrefix, startAfter: layout.dataPrefix + ":")
    do throws(StoreError) {
      let keys =
        try await keys(before, until: layout.dataPrefix + "0") + keys(after, until: nil)
      return Self.foreign(keys)
    } catch {
      throw LedgerError(error)
    }
  }

  private func keys(
    _ request: ListRequest, until bound: String?
  ) async throws(StoreError) -> [String] {
    var request = request
    var keys: [String] = []
    while keys.count <= Self.maximumForeignObjects {
      let page = try await list(request)
      for entry in page.entries {
        if let bound, !entry.key.utf8.lexicographicallyPrecedes(bound.utf8) { return keys }
        let isScratch = [layout.probePrefix + "/", layout.checkPrefix].contains {
          entry.key.utf8.starts(with: $0.utf8)
        }
        guard !isScratch else { continue }
        keys.append(entry.key)
      }
      guard let next = page.next else { break }
      request.continuation = next
    }
    return keys
  }

  private static func foreign(_ keys: [String]) -> [Finding] {
    let reported = keys.prefix(maximumForeignObjects)
    var findings = reported.map { DayInspection.foreign($0, date: nil) }
    if let next = keys.dropFirst(maximumForeignObjects).first {
      findings.append(
        Finding(
          .foreignObject, date: nil, key: next, "there are more foreign objects from here on",
          remedy: "list them with a tool of the store"))
    }
    return findings
  }
}
