package import HealthModel
package import ObjectStore

/// Where a key of a pack says that it belongs (R66).
package struct PackPlace: Hashable, Sendable {
  /// The stream of all its batches.
  package let stream: StreamName
  /// Their device: a UUID in lower case.
  package let deviceID: String
  /// The UTC date of all their entries.
  package let date: CalendarDate
  /// The pack's id: 64 lower-case hex digits.
  package let id: String
}

/// A pack's key as listed.
package struct ListedPack: Hashable, Sendable {
  package let key: ObjectKey
  package let place: PackPlace
  /// The packed size in bytes.
  package let size: Int
  /// When it was stored, by the store's clock, in seconds since 1970.
  package let lastModified: Int?
}

/// A pack that was listed and can't be used, and why.
package struct DamagedPack: Hashable, Sendable {
  package let listed: ListedPack
  package let message: String
  package let code: BatchFault.Code
}

extension StreamLayout {
  /// What the name of a pack ends with. It begins with 64 hex digits, so that programs that know no
  /// packs take it for a conflict copy: they stop, and never take a part of a day for all of it.
  private static let packSuffix = ".pack.gz"

  /// The key of a pack.
  package func key(of pack: PackPlace) -> ObjectKey {
    key(prefix(of: pack.stream, device: pack.deviceID, on: pack.date) + pack.id + Self.packSuffix)
  }

  /// Parses a key of a pack; nil for any other key.
  package func packPlace(_ key: String) -> PackPlace? {
    filed(key, Self.packSuffix).map {
      PackPlace(stream: $0.stream, deviceID: $0.deviceID, date: $0.date, id: $0.id)
    }
  }
}
