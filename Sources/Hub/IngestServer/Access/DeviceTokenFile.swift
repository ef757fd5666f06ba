import Foundation
import ObjectStore

/// Why the file of tokens, or the object, can't be used.
package struct TokenFileError: Error, Hashable, Sendable {
  package enum Code: Hashable, Sendable {
    /// The system refuses to read or write it.
    case inaccessible
    /// Others than the owner may read or write it.
    case notPrivate
    /// It is not a file of tokens.
    case damaged
  }

  package let code: Code
  /// One clause; it quotes nothing of the file.
  package let message: String

  init(_ code: Code, _ message: String) { (self.code, self.message) = (code, message) }
}

/// The file of a server's tokens, mode 0600, which is replaced as a whole (R54).
package struct DeviceTokenFile: Hashable, Sendable {
  package let path: String

  package init(_ path: String) { self.path = path }

  /// The tokens; none if the file does not exist.
  package func read() throws(TokenFileError) -> TokenTable {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      guard errno == ENOENT else { throw failure("can't be read") }
      return TokenTable()
    }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw failure("can't be read") }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw TokenFileError(.inaccessible, "\(path) is not an ordinary file")
    }
    guard status.st_mode & 0o077 == 0 else {
      throw TokenFileError(
        .notPrivate, "\(path) is accessible to other users than its owner (mode 0600 is needed)")
    }
    guard status.st_size <= TokenTable.maximumBytes else {
      throw TokenFileError(.damaged, "\(path) is not a file of tokens")
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
      throw TokenFileError(.damaged, "\(path) is not a file of tokens, or is damaged")
    }
    return table
  }

  /// Changes the tokens. Two programs that change them at once wait for each other.
  ///
  /// - Parameter change: returns whether to write.
  package func update<Failure: Error>(
    _ change: (inout TokenTable) throws(Failure) -> Bool
  ) throws(TokenFileError) -> Result<Bool, Failure> {
    let lock = open(path + ".lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard lock >= 0 else { throw failure("can't be locked") }
    defer { close(lock) }
    while flock(lock, LOCK_EX) != 0 {
      guard errno == EINTR else { throw failure("can't be locked") }
    }
    var table = try read()
    do throws(Failure) {
      guard try change(&table) else { return .success(false) }
    } catch {
      return .failure(error)
    }
    try replace(with: table.document)
    return .success(true)
  }

  private func replace(with bytes: [UInt8]) throws(TokenFileError) {
    let part = path + ".part"
    unlink(part)
    let descriptor = open(part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw failure("can't be written") }
    var isWritten = true
    var rest = bytes[...]
    while isWritten, !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
      if count >= 0 {
        rest = rest.dropFirst(count)
      } else if errno != EINTR {
        isWritten = false
      }
    }
    isWritten = isWritten && fsync(descriptor) == 0
    close(descriptor)
    guard isWritten, rename(part, path) == 0 else {
      let error = failure("can't be written")
      unlink(part)
      throw error
    }
  }

  /// Nil if there is no file.
  func version() -> FileVersion? { FileVersion(path) }

  private func failure(_ what: String) -> TokenFileError {
    TokenFileError(.inaccessible, "\(path) \(what): \(String(cString: strerror(errno)))")
  }
}
