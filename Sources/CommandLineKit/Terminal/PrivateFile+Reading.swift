import Foundation
package import HealthLedger

/// Files that a program keeps for itself in the user's private folder.
extension PrivateFile {
  /// What is in such a file.
  package enum Contents {
    case none
    case bytes([UInt8])
    /// It is there, but it can't be read, is too large, or is a link.
    case unusable
  }

  /// Reads a file whole. A link is not followed, and a pipe not waited for.
  package static func contents(of path: String, maximumBytes: Int) -> Contents {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else { return errno == ENOENT || errno == ENOTDIR ? .none : .unusable }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while bytes.count <= maximumBytes {
      let count = buffer.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
      if count == 0 { return .bytes(bytes) }
      if count > 0 { bytes += buffer[..<count] } else if errno != EINTR { break }
    }
    return .unusable
  }

  /// Creates the private folder if it does not exist. Only its owner can look into it.
  package static func makeFolder(_ folder: String) throws(LedgerError) {
    do {
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch {
      throw LedgerError(
        .storageUnavailable, "the private folder can't be created: \(error.localizedDescription)",
        key: folder, remedy: "make its parent folder writable")
    }
  }
}
