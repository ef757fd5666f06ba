import Foundation

/// A file that takes up space until the disk is full, so that there is room for uploading and for
/// deleting rows: even that writes to the journal first (R48).
struct ReserveFile {
  static let bytes = 8_000_000

  private let path: String

  init(of database: String) { path = database + ".reserve" }

  /// Whether the space is there to be given up.
  var isKept: Bool {
    var status = stat()
    return stat(path, &status) == 0 && Int(status.st_size) == Self.bytes
  }

  /// Creates the file if it is missing. If there is no room for it, there is none.
  func keep() {
    if isKept { return }
    let descriptor = open(path, O_CREAT | O_WRONLY | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    // Zeros are written, because a hole takes up nothing.
    let zeros = [UInt8](repeating: 0, count: 1_000_000)
    var written = 0
    while written < Self.bytes {
      let count = zeros.withUnsafeBytes {
        pwrite(descriptor, $0.baseAddress, min(zeros.count, Self.bytes - written), off_t(written))
      }
      guard count > 0 else {
        unlink(path)
        return
      }
      written += count
    }
  }

  /// Gives the space up; false if there was none.
  func give() -> Bool { unlink(path) == 0 }
}
