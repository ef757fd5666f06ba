import Foundation

/// What distinguishes two states of a file without reading it. A file that was changed within one tick
/// of the file system's clock and kept its size looks the same.
package struct FileVersion: Hashable, Sendable {
  package let size: Int
  /// The time of its last change, since 1970.
  package let seconds: Int
  package let nanoseconds: Int
  private let identity: FileIdentity
  private let kind: FileStatus.Kind

  /// The state of what is at a path, through links; nil if there is nothing.
  package init?(_ path: String) {
    var found = stat()
    guard stat(path, &found) == 0 else { return nil }
    let status = FileStatus(found)
    (size, identity, kind) = (status.size, status.identity, status.kind)
    (seconds, nanoseconds) = (status.change.seconds, status.change.nanoseconds)
  }

  /// Whether it is an ordinary file.
  package var isFile: Bool { kind == .file }

  /// The version as text, which a later run compares with its own.
  package var text: String { "\(identity.number)-\(size)-\(seconds).\(nanoseconds)" }
}
