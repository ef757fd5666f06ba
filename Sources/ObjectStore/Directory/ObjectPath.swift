/// Where an object lies below the root: one folder per segment of its key.
struct ObjectPath {
  /// The store's own folder, below which no object can be.
  static let workFolder = ".s3health"
  /// The same in a cloud drive, which leaves what is named so on its machine.
  static let unsynchronisedWorkFolder = workFolder + ".nosync"

  /// In any case: some disks don't tell cases apart.
  static func isWorkFolder(_ name: String) -> Bool {
    [workFolder, unsynchronisedWorkFolder].contains(name.lowercased())
  }

  let folders: [String]
  let name: String

  /// Fails for keys inside the store's own folder.
  init(_ key: ObjectKey) throws(StoreError) {
    let segments = key.rawValue.utf8.split(separator: UInt8(ascii: "/")).map {
      String(Substring($0))
    }
    guard let first = segments.first, let last = segments.last,
      !Self.isWorkFolder(first)
    else {
      throw StoreError(
        .invalidRequest, "folders named \(Self.workFolder) are the store's own", key: key.rawValue,
        remedy: "choose another prefix")
    }
    (folders, name) = (segments.dropLast(), last)
  }
}
