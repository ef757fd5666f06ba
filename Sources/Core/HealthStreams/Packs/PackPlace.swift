import HealthModel
package import ObjectStore

/// Where a key of a pack says that it belongs (R66).
package struct PackPlace: Hashable, Sendable {
  /// The stream of all its batches.
  package let stream: StreamName
  /// Their device: a UUID in lower case.
  package let deviceID: String
  /// The UTC date of all their entries, or the month of all their dates.
  package let dates: PackedDates
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

  /// The folder of a month's packs, which comes after those of all its dates.
  private static let monthFolder = "month"

  /// The prefix of the packs of a month.
  func prefix(of stream: StreamName, device: String, month: PackedDates) -> String {
    prefix(of: stream, device: device, on: month.first).dropLast(3) + Self.monthFolder + "/"
  }

  /// The key of a pack.
  package func key(of pack: PackPlace) -> ObjectKey {
    let prefix =
      pack.dates.isMonth
      ? prefix(of: pack.stream, device: pack.deviceID, month: pack.dates)
      : prefix(of: pack.stream, device: pack.deviceID, on: pack.dates.first)
    return key(prefix + pack.id + Self.packSuffix)
  }

  /// Parses a key of a pack; nil for any other key.
  package func packPlace(_ key: String) -> PackPlace? {
    var parts = key.split(separator: "/", omittingEmptySubsequences: false)
    let isMonth = parts.dropLast().last?.utf8.elementsEqual(Self.monthFolder.utf8) ?? false
    if isMonth { parts[parts.count - 2] = "01" }
    return filed(isMonth ? parts.joined(separator: "/") : key, Self.packSuffix).map {
      PackPlace(
        stream: $0.stream, deviceID: $0.deviceID,
        dates: isMonth ? .month(of: $0.date) : .date($0.date), id: $0.id)
    }
  }
}
