import HealthLedger

/// Whether copies of what was read are kept, how much, and who said so (R39).
struct CacheSetting: Hashable {
  /// Most bytes on the disk; 0: no copies.
  let size: Int
  let origin: String
  /// The folder of the copies.
  let folder: String

  static let defaultSize = 64_000_000

  /// A flag, else what a variable or the configuration file says, else the default.
  init(
    _ options: StoreOptions, given: (value: String, origin: String)?,
    _ directories: UserDirectories
  ) throws(LedgerError) {
    folder = directories.cache + "/objects"
    if options.noCache {
      (size, origin) = (0, "--no-cache")
    } else if let given = options.cacheSize {
      (size, origin) = (given.bytes, "--cache-size")
    } else if let (value, origin) = given {
      guard let size = ByteSizeArgument(argument: value) else {
        throw LedgerError(
          .invalidArguments, "\(origin): the cache's size is \"\(value.prefix(40))\"",
          remedy: "use a size such as 64MB, or 0 to keep no copies")
      }
      (self.size, self.origin) = (size.bytes, origin)
    } else {
      (size, origin) = (Self.defaultSize, "default")
    }
  }

  /// For `doctor`.
  var description: String { size == 0 ? "off" : "\(size.inBytes) in \(folder)" }
}
