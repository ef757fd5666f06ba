import Foundation

/// One operation on one object of a folder. Runs on a thread that may block.
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
    // Usually one call opens the file. If it fails, opening step by step finds out why.
    if let file = try place.openRoot().file(below: key.rawValue) {
      let status = try file.status()
      if status.kind == .file, Obstacle(status) == nil {
        return try content(of: file, status, limit)
      }
    }
    guard let folder = try place.folder(path.folders), let found = try status(in: folder),
      try isObject(found), let file = try folder.file(path.name)
    else { return nil }
    // Read the status again, because it may be another file by now.
    let status = try file.status()
    return try isObject(status) ? content(of: file, status, limit) : nil
  }

  private func content(
    of file: borrowing Descriptor, _ status: FileStatus, _ limit: Int
  ) throws -> StoredObject {
    guard let body = try file.read(status.size, limit: limit) else {
      throw StoreError.larger(than: limit, key)
    }
    return StoredObject(
      body: body, etag: ETag(digestOf: body), lastModified: status.lastModified)
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

  /// The status of whatever has the object's name; nil if there is nothing. Throws if a cloud drive
  /// has evicted it.
  func status(in folder: borrowing Descriptor) throws -> FileStatus? {
    if let status = try folder.status(of: path.name) { return status }
    guard try folder.hasPlaceholder(of: path.name) else { return nil }
    throw Obstacle.notDownloaded.error(key.rawValue, in: place.root, key: key.rawValue)
  }

  /// False for a folder, which is not an object. Throws for anything that can't be read as an
  /// object.
  func isObject(_ status: FileStatus) throws -> Bool {
    if let obstacle = Obstacle(status) {
      throw obstacle.error(key.rawValue, in: place.root, key: key.rawValue)
    }
    return status.kind == .file
  }

  /// Runs `work` while no other process can replace or remove the object.
  func withLock<Value>(_ work: () throws -> Value) throws -> Value {
    guard try place.guarantees() == .compareAndSwap else { return try work() }
    let lock = try KeyLock.acquire(
      key, in: place.workFolder("locks"), patience: place.options.lockPatience, cancellation)
    return try lock.held(work)
  }

  /// The body as a complete file on the disk that does not have its final name yet.
  func temporaryFile(_ body: [UInt8]) throws -> TemporaryFile {
    if place.isTimeToSweep() {
      // A failed sweep must not prevent writing.
      try? TemporaryFile.sweep(place.workFolder("tmp"), olderThan: place.options.leftoverAge)
    }
    return try TemporaryFile.write(body, in: place.workFolder("tmp"))
  }

  /// Repeats `work` if another process has removed an empty folder or a file that it was using.
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
