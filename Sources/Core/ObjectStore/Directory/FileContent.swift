import ContentDigests
import Foundation

extension Descriptor {
  /// Reads to the end; nil if the file has more than `limit` bytes.
  ///
  /// - Parameter size: the size in the file's status. Usually one call reads all of it and finds the end.
  func read(_ size: Int, limit: Int) throws(SystemFailure) -> [UInt8]? {
    guard size <= limit else { return nil }
    var body = [UInt8](unsafeUninitializedCapacity: size + 1) { buffer, count in
      // An error here occurs again below, where it is reported.
      count = max(0, Foundation.read(number, buffer.baseAddress, buffer.count))
    }
    if body.count == size { return body }
    try readChunks { chunk in
      body.append(contentsOf: chunk)
      return body.count <= limit
    }
    return body.count <= limit ? body : nil
  }

  /// The first bytes, up to a number.
  func read(first count: Int) throws(SystemFailure) -> [UInt8] {
    var bytes: [UInt8] = []
    try readChunks { chunk in
      bytes.append(contentsOf: chunk.prefix(count - bytes.count))
      return bytes.count < count
    }
    return bytes
  }

  /// The etag of the content, computed in constant memory.
  func contentETag() throws(SystemFailure) -> ETag {
    var digest = ContentDigest()
    try readChunks { chunk in
      digest.update(chunk)
      return true
    }
    return ETag(digest)
  }

  private func readChunks(_ take: (UnsafeRawBufferPointer) -> Bool) throws(SystemFailure) {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
    defer { buffer.deallocate() }
    while true {
      let count = Foundation.read(number, buffer.baseAddress, buffer.count)
      if count == 0 { return }
      guard count > 0 else {
        if errno == EINTR { continue }
        throw SystemFailure("reading a file")
      }
      guard take(UnsafeRawBufferPointer(rebasing: buffer[..<count])) else { return }
    }
  }

  func write(_ body: [UInt8]) throws(SystemFailure) {
    var written = 0
    while written < body.count {
      let count = body.withUnsafeBytes { bytes in
        Foundation.write(number, bytes.baseAddress.map { $0 + written }, bytes.count - written)
      }
      if count >= 0 {
        written += count
      } else if errno != EINTR {
        throw SystemFailure("writing a file")
      }
    }
  }

  /// Writes content, or a folder's entries, to the disk itself.
  func synchronize() throws(SystemFailure) {
    #if canImport(Darwin)
      // Plain fsync leaves the data in the drive's cache. Not every file system supports this call.
      if fcntl(number, F_FULLFSYNC) == 0 { return }
    #endif
    do throws(SystemFailure) {
      try check("writing to the disk") { fsync(number) }
    } catch {
      // Some network file systems do not support fsync for folders.
      guard error.number == EINVAL || error.number == ENOTSUP else { throw error }
    }
  }
}
