import Foundation
import ObjectStore

/// The file of a server's tokens, mode 0600, which is replaced as a whole (R54).
package struct DeviceTokenFile: Hashable, Sendable {
  package let path: String

  package init(_ path: String) { self.path = path }

  /// The tokens; none if the file does not exist.
  package func read() throws(HubServerError) -> TokenTable {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      guard errno == ENOENT else { throw failure("can't be read") }
      return TokenTable()
    }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw failure("can't be read") }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw HubServerError(.tokensInaccessible, "\(path) is not an ordinary file")
    }
    guard status.st_mode & 0o077 == 0 else {
      throw HubServerError(
        .tokensNotPrivate,
        "\(path) is accessible to other users than its owner (mode 0600 is needed)")
    }
    guard status.st_size <= TokenTable.maximumBytes else {
      throw HubServerError(.tokensDamaged, "\(path) is not a file of tokens")
    }
    var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
    var filled = 0
    while filled < bytes.count {
      let count = bytes.withUnsafeMutableBytes {
        Foundation.read(descriptor, $0.baseAddress?.advanced(by: filled), $0.count - filled)
      }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw failure("can't be read") }
      guard count > 0 else { break }
      filled += count
    }
    guard filled == bytes.count, let table = TokenTable(parsing: bytes) else {
      throw HubServerError(.tokensDamaged, "\(path) is not a file of tokens, or is damaged")
    }
    return table
  }

  /// Changes the tokens. Two programs that change them at once wait for each other.
  ///
  /// - Parameter change: returns whether to write.
  package func update<Failure: Error>(
    _ change: (inout TokenTable) throws(Failure) -> Bool
  ) throws(HubServerError) -> Result<Bool, Failure> {
    let lock: LockFile
    do throws(SystemFailure) {
      lock = try LockFile(path + ".lock")
      try lock.wait()
    } catch {
      throw failure("can't be locked", error)
    }
    defer { lock.release() }
    var table = try read()
    do throws(Failure) {
      guard try change(&table) else { return .success(false) }
    } catch {
      return .failure(error)
    }
    do throws(SystemFailure) {
      try SmallFile.replace(path, with: table.document)
    } catch {
      throw failure("can't be written", error)
    }
    return .success(true)
  }

  /// Nil if there is no file.
  func version() -> FileVersion? { FileVersion(path) }

  private func failure(
    _ what: String, _ failure: SystemFailure = SystemFailure()
  ) -> HubServerError {
    HubServerError(.tokensInaccessible, "\(path) \(what): \(failure.reason)")
  }
}
