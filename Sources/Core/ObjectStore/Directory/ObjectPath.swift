/// The path of an object below the root: one folder per segment of its key.
struct ObjectPath {
  /// The folder for the store's own use, below which there are no objects.
  static let workFolder = ".s3health"
  /// The same in a cloud drive, which does not synchronise folders of this name.
  static let unsynchronisedWorkFolder = workFolder + ".nosync"

  /// How the names of files begin that show for a moment who owns what is made at the root.
  static let ownerFile = workFolder + ".owner-"

  /// Whether a name at the root is the store's own. In upper or lower case, because some disks ignore
  /// case.
  static func isOwn(_ name: String) -> Bool {
    name.lowercased() == workFolder || name.lowercased().hasPrefix(workFolder + ".")
  }

  let folders: [String]
  let name: String

  /// Throws for keys inside the store's own folder.
  init(_ key: ObjectKey) throws(StoreError) {
    let segments = key.rawValue.utf8.split(separator: UInt8(ascii: "/")).map {
      String(Substring($0))
    }
    guard let first = segments.first, let last = segments.last,
      !Self.isOwn(first)
    else {
      throw StoreError(
        .invalidRequest, "\(Self.workFolder) and \(Self.workFolder).* are the store's own",
        key: key.rawValue, remedy: "choose another prefix")
    }
    (folders, name) = (segments.dropLast(), last)
  }
}
