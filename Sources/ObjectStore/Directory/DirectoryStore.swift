public import Foundation

/// A store in a folder: one file per object, at the path that its key spells.
///
/// - A create is atomic and exclusive, a replace is compare-and-swap among all processes of the
///   machine, and a reader never sees a part-written file.
/// - An acknowledged write is on the disk: it survives `kill -9` and a power cut. What a killed
///   writer leaves behind is removed by a later one.
/// - Files are readable by their owner alone (0600, folders 0700), or by the group too where the
///   folder that they are made in is setgid: with the rights that the group has there. A store of
///   another user, who could not read them, is not written to.
/// - Links inside the root are not followed. What is neither file nor folder, and a file that a
///   cloud drive has not downloaded, is listed with its obstacle and fails to be read: it never
///   looks as if nothing were there.
/// - The folder `.s3health` inside the root is the store's own (locks, files on their way) and is
///   never listed. It may be deleted while no program uses the store. In iCloud Drive it is named
///   `.s3health.nosync`, which keeps it on this machine.
/// - A key can't be the beginning of another one's folders: `a` and `a/b` exclude each other. On a
///   disk that does not tell upper from lower case, keys that differ only so are one object.
///
/// Blocking calls run on threads of their own, at most 16 at a time.
public struct DirectoryStore: ObjectStore {
  private let place: DirectoryPlace

  /// The store in the folder that a file URL names.
  ///
  /// - Parameter createsRoot: makes the folder, and those above it, where missing.
  /// - Throws: `invalidRequest` for another kind of URL or where there is no folder but a file,
  ///   `storeMissing` where there is nothing, `notAuthorized` or `unavailable` where it can't be
  ///   opened.
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

  /// The store with other options than the usual.
  package init(
    path: String, createsRoot: Bool = false, options: DirectoryOptions
  ) throws(StoreError) {
    guard !path.isEmpty, !path.utf8.contains(0) else {
      throw StoreError(
        .invalidRequest, "the path of the store is empty or no path",
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
    try await perform(key) { try DirectoryOperation($0, key, $1).get(limit: limit) }
  }

  /// Writes the file of an object; `unknown` only if the disk fails after the write is visible.
  public func put(
    _ key: ObjectKey, _ body: [UInt8], if precondition: Precondition
  ) async throws(StoreError) -> PutOutcome {
    try await perform(key) { try DirectoryOperation($0, key, $1).put(body, if: precondition) }
  }

  /// Lists files below the prefix; without etags, which would mean reading all of them.
  public func list(_ request: ListRequest) async throws(StoreError) -> ListPage {
    try request.check()
    return try await perform(nil) { place, cancellation in
      var listing = DirectoryListing(request, cancellation)
      return try listing.run(in: place)
    }
  }

  /// Removes the file of an object, and folders that this leaves empty.
  public func delete(_ key: ObjectKey) async throws(StoreError) {
    try await perform(key) { try DirectoryOperation($0, key, $1).delete() }
  }

  /// Fails where another user owns the store who could not read what this one writes.
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

  /// True for a folder of iCloud Drive.
  package var isInCloudDrive: Bool { CloudDrive.contains(place.root) }

  /// `compareAndSwap` where the file system has locks that work, else `createOnly`; needs the right
  /// to write.
  public func conditionalWrites() async throws(StoreError) -> ConditionalWrites {
    try await perform(nil) { place, _ in try place.guarantees() }
  }

  /// The SHA-256 of the bytes, quoted.
  public func predictedETag(of body: [UInt8]) -> ETag? { ContentDigest.etag(of: body) }
}

extension DirectoryStore {
  private func perform<Value: Sendable>(
    _ key: ObjectKey?,
    _ work: @escaping @Sendable (DirectoryPlace, Cancellation) throws -> Value
  ) async throws(StoreError) -> Value {
    let place = place
    return try await BlockingWork.shared.run { cancellation throws(StoreError) in
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

  /// Makes the folder and those above it, and brings them to the disk.
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
      // Somebody else may have made it; that it is no folder shows when it is opened.
      guard error.number == EEXIST else { throw error }
    }
    try Descriptor.folder(path: parent).synchronize()
  }
}
