public import Foundation

/// A store in a folder: one file per object, at the path that its key spells.
///
/// - A create is atomic and exclusive. A replace is compare-and-swap among all processes of the
///   machine. A reader never sees a partly written file.
/// - An acknowledged write is on the disk and survives `kill -9` and a power cut. A later writer
///   removes what a killed writer left behind.
/// - Only their owner can read the files (0600, folders 0700). If the folder in which they are
///   created is setgid, its group can as well, with the rights that the group has there. The store
///   refuses to write if another user owns it who could not read the files.
/// - Links inside the root are not followed. Anything that is neither a file nor a folder, and any
///   file that a cloud drive has not downloaded, is listed with its obstacle, and reading it fails.
///   It never looks as if nothing were there.
/// - The folder `.s3health` inside the root is for the store's own use (locks, files being written)
///   and is never listed. It may be deleted while no program uses the store. In iCloud Drive its
///   name is `.s3health.nosync`, which keeps it on this machine. Whatever else begins with
///   `.s3health.` there is not listed either.
/// - A key can't also be a folder of other keys: `a` and `a/b` exclude each other. On a disk that
///   ignores case, keys that differ only in case are one object.
///
/// Blocking calls run on their own threads: at most 16 reads at a time, and as many changes.
public struct DirectoryStore: ObjectStore {
  private let place: DirectoryPlace

  /// The store in the folder that a file URL names.
  ///
  /// - Parameters:
  ///   - root: the file URL of the folder.
  ///   - createsRoot: creates the folder and its parents if they are missing.
  /// - Throws: `invalidRequest` for another kind of URL, or if the path is a file; `storeMissing`
  ///   if nothing exists there; `notAuthorized` or `unavailable` if it can't be opened.
  public init(root: URL, createsRoot: Bool = false) throws(StoreError) {
    guard root.isFileURL else {
      throw StoreError(
        .invalidRequest, "\(root.scheme ?? "this") is not the scheme of a folder's URL",
        remedy: "name a folder by its path or a file:// URL")
    }
    try self.init(path: root.path(percentEncoded: false), createsRoot: createsRoot)
  }

  /// The store in the folder at a path, absolute or from the current directory.
  public init(path: String, createsRoot: Bool = false) throws(StoreError) {
    try self.init(path: path, createsRoot: createsRoot, options: DirectoryOptions())
  }

  /// The store with options other than the default.
  package init(
    path: String, createsRoot: Bool = false, options: DirectoryOptions
  ) throws(StoreError) {
    guard !path.isEmpty, !path.utf8.contains(0) else {
      throw StoreError(
        .invalidRequest, "the path of the store is empty or not a path",
        remedy: "name a folder as the store")
    }
    // A later change of the current directory must not move the store.
    var root = URL(filePath: path, directoryHint: .isDirectory).path(percentEncoded: false)
    while root.count > 1, root.hasSuffix("/") { root.removeLast() }
    place = DirectoryPlace(root: root, options: options)
    if createsRoot { try Self.makeRoot(root) }
    _ = try place.openRoot()
  }

  /// The root as an absolute path.
  public var path: String { place.root }

  /// Reads the file of an object.
  public func get(_ key: ObjectKey, limit: Int) async throws(StoreError) -> StoredObject? {
    try await perform(key, on: .reads) { try DirectoryOperation($0, key, $1).get(limit: limit) }
  }

  /// Writes the file of an object. Returns `unknown` only if the disk fails after the write has
  /// become visible.
  public func put(
    _ key: ObjectKey, _ body: [UInt8], if precondition: Precondition
  ) async throws(StoreError) -> PutOutcome {
    try await perform(key, on: .changes) { place, cancellation in
      try place.change(.replace, key) {
        try DirectoryOperation(place, key, cancellation).put(body, if: precondition)
      }
    }
  }

  /// Lists files below the prefix, without etags, because those would require reading all files.
  public func list(_ request: ListRequest) async throws(StoreError) -> ListPage {
    try request.check()
    return try await perform(nil, on: .reads) { place, cancellation in
      var listing = DirectoryListing(request, cancellation)
      return try listing.run(in: place)
    }
  }

  /// Removes the file of an object, and folders that become empty.
  public func delete(_ key: ObjectKey) async throws(StoreError) {
    try await perform(key, on: .changes) { place, cancellation in
      try place.change(.remove, key) { try DirectoryOperation(place, key, cancellation).delete() }
    }
  }

  /// Throws if another user owns the store who could not read what this user writes.
  package func checkOwner() throws(StoreError) {
    do {
      try place.checkOwner()
    } catch let failure as SystemFailure {
      throw failure.storeError(root: place.root)
    } catch let error as StoreError {
      throw error
    } catch {
      throw StoreError(.internal, "\(error)")
    }
  }

  /// True if the folder is in iCloud Drive.
  package var isInCloudDrive: Bool { CloudDrive.contains(place.root) }

  /// `compareAndSwap` if the file system has working locks, otherwise `createOnly`. Requires write
  /// permission.
  public func conditionalWrites() async throws(StoreError) -> ConditionalWrites {
    try await perform(nil, on: .changes) { place, _ in try place.guarantees() }
  }

  /// The SHA-256 of the bytes, quoted.
  public func predictedETag(of body: [UInt8]) -> ETag? { ETag(digestOf: body) }
}

extension DirectoryStore {
  private func perform<Value: Sendable>(
    _ key: ObjectKey?, on threads: BlockingWork,
    _ work: @escaping @Sendable (DirectoryPlace, Cancellation) throws -> Value
  ) async throws(StoreError) -> Value {
    let place = place
    return try await threads.run { cancellation throws(StoreError) in
      do {
        return try work(place, cancellation)
      } catch let failure as SystemFailure {
        throw failure.storeError(root: place.root, key: key)
      } catch let error as StoreError {
        throw error
      } catch {
        throw StoreError(.internal, "\(error)", key: key?.rawValue)
      }
    }
  }

  /// Creates the folder and its parents, and writes their entries to the disk.
  private static func makeRoot(_ path: String) throws(StoreError) {
    do {
      try makeFolder(path)
    } catch let failure as SystemFailure {
      throw failure.storeError(root: path)
    } catch let error as StoreError {
      throw error
    } catch {
      throw StoreError(.internal, "\(error)")
    }
  }

  private static func makeFolder(_ path: String) throws {
    if access(path, F_OK) == 0 { return }
    let parent = URL(filePath: path).deletingLastPathComponent().path(percentEncoded: false)
    if parent != path { try makeFolder(parent) }
    try DirectoryPlace.checkOwner(of: .folder(path: parent), parent, DirectoryOptions())
    do throws(SystemFailure) {
      try check("making the folder") { mkdir(path, 0o700) }
    } catch {
      // Another process may have created it. If it is not a folder, opening it fails.
      guard error.number == EEXIST else { throw error }
    }
    try Descriptor.folder(path: parent).synchronize()
  }
}
