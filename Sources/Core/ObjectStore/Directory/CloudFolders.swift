public import Foundation

/// What a folder store needs of a service that synchronises folders. `SystemCloud` is iCloud's.
///
/// Both calls may block. The store makes them on threads of its own.
public protocol CloudFolders: Sendable {
  /// The folder of a container; nil if nobody is signed in or the app may not use it.
  ///
  /// - Parameter identifier: such as `iCloud.org.example.health`; nil for the app's first container.
  func container(_ identifier: String?) -> URL?

  /// Runs `work` once, while nobody else who takes part changes the file.
  ///
  /// - Throws: what `work` throws, or why it could not run. In the second case nothing has changed.
  func coordinate(_ change: CloudChange, of file: URL, _ work: () throws -> Void) throws
}

/// What a store does to a file.
public enum CloudChange: Hashable, Sendable {
  /// It makes the file, or puts another in its place.
  case replace
  /// It removes the file.
  case remove
}

#if canImport(Darwin)
  /// iCloud, by the system's own calls. Only compiled so far, never run.
  public struct SystemCloud: CloudFolders {
    /// iCloud of the person who is signed in on this device.
    public init() {}

    /// Asks the system, which may take a while the first time.
    public func container(_ identifier: String?) -> URL? {
      FileManager.default.url(forUbiquityContainerIdentifier: identifier)
    }

    /// Waits for others that coordinate access to the file.
    public func coordinate(
      _ change: CloudChange, of file: URL, _ work: () throws -> Void
    ) throws {
      var (refusal, outcome): (NSError?, Result<Void, any Error>?)
      NSFileCoordinator().coordinate(
        writingItemAt: file, options: change == .remove ? .forDeleting : .forReplacing,
        error: &refusal
      ) { _ in outcome = Result { try work() } }
      if let refusal { throw refusal }
      try outcome?.get()
    }
  }
#endif

extension DirectoryStore {
  /// The store in the folder `Documents` of a container, where the Files app shows it. Its writes are
  /// coordinated with the synchronisation. The folder is made if it is missing.
  ///
  /// Call it away from the main thread: a first answer can take a while. A file that the device has
  /// not downloaded is never missing: it is listed, and reading it fails until it is there.
  ///
  /// - Throws: `storeMissing` if there is no container, and what `init(root:createsRoot:)` throws.
  public init(
    cloudContainer identifier: String?, in cloud: any CloudFolders
  ) throws(StoreError) {
    guard let container = cloud.container(identifier) else {
      throw StoreError(
        .storeMissing,
        "the iCloud container \(identifier ?? "of this app") can't be used on this device",
        remedy: """
          sign in to iCloud, turn on iCloud Drive for this app, and check the app's entitlements
          """)
    }
    var options = DirectoryOptions()
    options.cloud = cloud
    try self.init(
      path: container.appending(path: "Documents").path(percentEncoded: false), createsRoot: true,
      options: options)
  }
}

extension DirectoryPlace {
  /// Runs a change of an object's file, coordinated where the store is in a cloud's folder.
  func change<Value>(
    _ change: CloudChange, _ key: ObjectKey, _ work: () throws -> Value
  ) throws -> Value {
    guard let cloud = options.cloud else { return try work() }
    var outcome: Result<Value, any Error>?
    do {
      try cloud.coordinate(change, of: URL(filePath: root).appending(path: key.rawValue)) {
        outcome = Result { try work() }
      }
    } catch {
      throw StoreError(
        .unavailable, "\(key) can't be written while iCloud uses it (\(error))",
        key: key.rawValue, remedy: .retryLater, isRetryable: true)
    }
    guard let outcome else {
      throw StoreError(.internal, "the coordination of \(key) did nothing", key: key.rawValue)
    }
    return try outcome.get()
  }
}
