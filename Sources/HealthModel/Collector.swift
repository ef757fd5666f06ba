public import Foundation

/// Who made a revision: two UUIDs that stay the same for the life of an installation (R12).
public struct Collector: Hashable, Sendable {
  /// The collecting installation.
  public let collectorID: UUID
  /// The device it runs on.
  public let deviceID: UUID

  /// A collector with these two ids.
  public init(collectorID: UUID, deviceID: UUID) {
    (self.collectorID, self.deviceID) = (collectorID, deviceID)
  }
}
