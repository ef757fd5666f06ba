import Foundation
package import HealthLedger
package import HealthModel
package import HealthStreams
import ObjectStore

/// Which installation derives the days of a folder that a service synchronises between machines
/// (R49).
///
/// There, two machines see each other's objects only after a while. So only the one that
/// `streams/v0/.deriver` names derives days. A store that all machines see alike needs no such thing.
package enum NamedDeriver {
  /// Makes this installation the deriver, unless another is.
  ///
  /// - Throws: `LedgerError` INVALID_ARGUMENTS if another one is.
  package static func claim(
    _ streams: StreamStore, by collector: Collector
  ) async throws(LedgerError) {
    guard let key = ObjectKey(streams.layout.rootPrefix + ".deriver") else { return }
    let own = JSONValue.object(["collector_id": .string(collector.collectorID.uuidString)])
    do throws(StoreError) {
      // If another machine was faster, the second reading shows it.
      for _ in 0..<2 {
        if let found = try await streams.store.get(key, limit: 4096) {
          guard found.body != own.canonicalBytes else { return }
          throw StoreError(.invalidRequest, "another installation derives the days of this folder")
        }
        if case .stored = try await streams.store.put(key, own.canonicalBytes, if: .absent) {
          return
        }
      }
      throw StoreError(.unavailable, "the folder's deriver could not be named")
    } catch {
      var reported = LedgerError(error)
      reported.key = key.rawValue
      reported.rule = "R49"
      reported.remedy =
        error.code == .invalidRequest
        ? "collect from the streams there; or remove this object, to let this machine do it"
        : reported.remedy
      throw reported
    }
  }
}
