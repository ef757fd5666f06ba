import Foundation

extension Collector {
  /// Who publishes the days that are derived from samples (R49): the same in every store and on every machine,
  /// so that readers can tell them from what a phone or an importer has published.
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
  /// Whether a deriver published it (R49).
  package var isDerived: Bool {
    collector?.collectorID == Collector.derivation.collectorID
  }
}
