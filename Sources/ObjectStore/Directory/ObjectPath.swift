/// Where an object lies below the root: one folder per segment of its key.
struct ObjectPath {
  /// The store's own folder, below which no object can be.
  static let workFolder = ".s3health"

  let folders: [String]
  let name: String

  /// Fails for keys inside the store's own folder, in any case: some disks don't tell cases apart.
  init(_ key: ObjectKey) throws(StoreError) {
    let segments = key.rawValue.utf8.split(separator: UInt8(ascii: "/")).map {
      String(Substring($0))
    }
    guard let first = segments.first, let last = segments.last,
      first.lowercased() != Self.workFolder
    else {
      throw StoreError(
        .invalidRequest, "the folder \(Self.workFolder) is the store's own", key: key.rawValue,
        remedy: "choose another prefix")
    }
    (folders, name) = (segments.dropLast(), last)
  }
}
