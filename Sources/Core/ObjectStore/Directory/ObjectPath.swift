/// The path of an object below the root: one folder per segment of its key.
struct ObjectPath {
  /// The folder for the store's own use, below which there are no objects.
  static let workFolder = ".s3health"
  /// The same in a cloud drive, which does not synchronise folders of this name.
  static let unsynchronisedWorkFolder = workFolder + ".nosync"

  /// In upper or lower case, because some disks ignore case.
  static func isWorkFolder(_ name: String) -> Bool {
    [workFolder, unsynchronisedWorkFolder].contains(name.lowercased())
  }

  let folders: [String]
  let name: String

  /// Throws for keys inside the store's own folder.
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
