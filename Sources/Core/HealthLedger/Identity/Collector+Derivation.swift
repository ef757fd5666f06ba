import Foundation
package import HealthModel

extension Collector {
  /// Who publishes the days that are derived from samples (R49): the same in every store and on
  /// every machine. With ids of their own, machines that derive the same figures would replace each
  /// other's revisions for ever, because R20 compares the collector.
  package static let derivation = Collector(
    collectorID: UUID(
      uuid: (
        0x5E, 0x3A, 0x1D, 0x0C, 0x7B, 0x42, 0x4F, 0x6E, 0x9A, 0x51, 0xD4, 0x0E, 0x8C, 0x27, 0xB1,
        0x90
      )),
    deviceID: UUID(
      uuid: (
        0x5E, 0x3A, 0x1D, 0x0C, 0x7B, 0x42, 0x4F, 0x6E, 0x9A, 0x51, 0xD4, 0x0E, 0x8C, 0x27, 0xB1,
        0x91
      )))
}

extension DailyRevision {
  /// Whether the revision was derived from samples and other collectors' revisions (R49).
  package var isDerived: Bool {
    collector?.collectorID == Collector.derivation.collectorID
  }
}
