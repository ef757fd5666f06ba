import Foundation

/// Reads and writes single files that are small, such as settings.
package enum SmallFile {
  /// At most `maximumBytes` of a file and one more, so that the caller notices if there is more.
  package static func read(_ path: String, maximumBytes: Int) throws(SystemFailure) -> [UInt8] {
    try Descriptor.file(path: path).read(first: maximumBytes + 1)
  }

  /// Makes a file that only its owner can read, whole or not at all; fails if there is one.
  ///
  /// - Parameter draft: the name, in the same folder, under which it is written first.
  package static func create(
    _ path: String, as draft: String, _ bytes: [UInt8]
  ) throws(SystemFailure) {
    let parent = URL(filePath: path).deletingLastPathComponent().path
    let folder = try Descriptor.folder(path: parent)
    let file = try folder.privateFile(draft)
    defer { unlinkat(folder.number, draft, 0) }
    try file.write(bytes)
    try file.synchronize()
    let name = URL(filePath: path).lastPathComponent
    try check("naming a file") { linkat(folder.number, draft, folder.number, name, 0) }
  }
}
