import Foundation

extension DirectoryOperation {
  func put(_ body: [UInt8], if precondition: Precondition) throws -> PutOutcome {
    try place.checkOwner()
    switch precondition {
    case .absent: return try retrying { try create(body) }
    case .matches(let etag):
      guard try place.guarantees() == .compareAndSwap else {
        throw StoreError(
          .unsupported, "this file system has no locks, so nothing can be replaced safely",
          key: key.rawValue, remedy: "keep the store on a local disk")
      }
      return try retrying { try replace(body, of: etag) }
    }
  }

  /// Writes a temporary file, then links it to its name. The file system refuses that if the name
  /// exists.
  private func create(_ body: [UInt8]) throws -> PutOutcome {
    let folder = try place.makeFolder(path.folders)
    if let status = try status(in: folder) {
      if try isObject(status) { return refused(folder) }
      // For a bucket, an empty folder does not exist.
      try check("creating an object where a folder is") {
        unlinkat(folder.number, path.name, AT_REMOVEDIR)
      }
    }
    let file = try temporaryFile(body)
    try cancellation.check()
    if place.options.usesHardLinks {
      do throws(SystemFailure) {
        try file.link(to: folder, path.name)
        return stored(body, in: folder)
      } catch {
        switch error.number {
        case EEXIST: return refused(folder)
        case EPERM, ENOTSUP, EOPNOTSUPP, ENOSYS, EMLINK, EINVAL: break
        default: throw error
        }
      }
    }
    guard try place.guarantees() == .compareAndSwap else {
      throw StoreError(
        .unsupported, "this file system has neither hard links nor locks", key: key.rawValue,
        remedy: "keep the store on a local disk")
    }
    return try withLock {
      guard try folder.status(of: path.name) == nil else { return refused(folder) }
      try file.move(to: folder, path.name)
      return stored(body, in: folder)
    }
  }

  /// Writes a temporary file, then renames it, holding the lock that every replace takes.
  private func replace(_ body: [UInt8], of etag: ETag) throws -> PutOutcome {
    guard let folder = try place.folder(path.folders) else { return .preconditionFailed }
    // Most conflicts are found here, before anything is written.
    guard try currentETag(in: folder) == etag else { return refused(folder) }
    let file = try temporaryFile(body)
    return try withLock {
      guard try currentETag(in: folder) == etag else { return refused(folder) }
      try cancellation.check()
      try file.move(to: folder, path.name)
      return stored(body, in: folder)
    }
  }

  private func currentETag(in folder: borrowing Descriptor) throws -> ETag? {
    guard let found = try status(in: folder), try isObject(found),
      let file = try folder.file(path.name), try isObject(file.status())
    else { return nil }
    return try file.contentETag()
  }

  /// The object is visible now. It counts as stored once its folder is on the disk too.
  private func stored(_ body: [UInt8], in folder: borrowing Descriptor) -> PutOutcome {
    do throws(SystemFailure) {
      try folder.synchronize()
      return .stored(ETag(digestOf: body))
    } catch {
      return .unknown(error.storeError(root: place.root, key: key))
    }
  }

  /// A caller may take the refusal as proof that its own bytes are stored. So whatever is there,
  /// whoever wrote it, must be on the disk before the answer.
  private func refused(_ folder: borrowing Descriptor) -> PutOutcome {
    do throws(SystemFailure) {
      try folder.synchronize()
      return .preconditionFailed
    } catch {
      return .unknown(error.storeError(root: place.root, key: key))
    }
  }
}
