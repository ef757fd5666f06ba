import Foundation

/// One operation on one object of a folder, on a thread that may block.
struct DirectoryOperation {
  let place: DirectoryPlace
  let key: ObjectKey
  let path: ObjectPath
  let cancellation: Cancellation

  init(_ place: DirectoryPlace, _ key: ObjectKey, _ cancellation: Cancellation) throws {
    (self.place, self.key, self.cancellation) = (place, key, cancellation)
    path = try ObjectPath(key)
  }

  func get(limit: Int) throws -> StoredObject? {
    guard let folder = try place.folder(path.folders), let found = try status(in: folder),
      try isObject(found), let file = try folder.file(path.name)
    else { return nil }
    // Again, for it may be another file by now.
    let status = try file.status()
    guard try isObject(status) else { return nil }
    guard let body = try file.read(limit: limit) else { throw StoreError.larger(than: limit, key) }
    return StoredObject(
      body: body, etag: ContentDigest.etag(of: body), lastModified: status.lastModified)
  }

  func delete() throws {
    try place.checkOwner()
    guard let folder = try place.folder(path.folders),
      let status = try status(in: folder), try isObject(status)
    else { return }
    try withLock {
      if unlinkat(folder.number, path.name, 0) != 0, errno != ENOENT {
        throw SystemFailure("removing a file")
      }
    }
    try folder.synchronize()
    try place.removeEmptyFolders(path.folders)
  }

  /// Of what has the object's name; nil where nothing has, fails where a cloud drive has evicted it.
  func status(in folder: borrowing Descriptor) throws -> FileStatus? {
    if let status = try folder.status(of: path.name) { return status }
    guard try folder.hasPlaceholder(of: path.name) else { return nil }
    throw Obstacle.notDownloaded.error(key.rawValue, in: place.root, key: key.rawValue)
  }

  /// False for a folder, which is no object; fails for what can't be read as one.
  func isObject(_ status: FileStatus) throws -> Bool {
    if let obstacle = Obstacle(status) {
      throw obstacle.error(key.rawValue, in: place.root, key: key.rawValue)
    }
    return status.kind == .file
  }

  /// Runs `work` while no other process replaces or removes the object.
  func withLock<Value>(_ work: () throws -> Value) throws -> Value {
    guard try place.guarantees() == .compareAndSwap else { return try work() }
    let lock = try KeyLock.acquire(
      key, in: place.workFolder("locks"), patience: place.options.lockPatience, cancellation)
    return try lock.held(work)
  }

  /// The body as a complete file on the disk, without its name yet.
  func temporaryFile(_ body: [UInt8]) throws -> TemporaryFile {
    if place.isTimeToSweep() {
      // What can't be swept must not keep anybody from writing.
      try? TemporaryFile.sweep(place.workFolder("tmp"), olderThan: place.options.leftoverAge)
    }
    return try TemporaryFile.write(body, in: place.workFolder("tmp"))
  }

  /// Tries again where another process has removed an empty folder or a file under our hands.
  func retrying<Value>(_ work: () throws -> Value) throws -> Value {
    for _ in 0..<100 {
      do {
        return try work()
      } catch let failure as SystemFailure where failure.number == ENOENT {
        try cancellation.check()
      }
    }
    throw StoreError(
      .unavailable, "other programs keep removing files below \(place.root)", key: key.rawValue,
      remedy: "end them, then try again", isRetryable: true)
  }
}
