import Foundation

/// A file that is written beside the one that it replaces, and then takes its name: whoever reads
/// finds the old content or the new, and never a part. Removed with this value, unless it
/// got its name.
///
/// It is a new file of this user, who alone can read it, whoever owned the old one.
/// `TemporaryFile` does the same in a folder that is open, so that nobody can exchange the folder.
package final class FileReplacement {
  private let path: String
  private let part: String
  private let file: Descriptor

  /// Begins a file. Whatever has its name stays until it is complete.
  ///
  /// Removes what writers that crashed left in the folder a day ago or earlier.
  package init(of path: String) throws(SystemFailure) {
    self.path = path
    let folder = Self.folder(of: path)
    LeftoverParts.sweep(folder, prefix: Self.prefix, suffix: Self.suffix)
    part =
      folder + "/" + Self.prefix + String(UInt64.random(in: 0 ... .max), radix: 16) + Self.suffix
    file = try Descriptor.privateFile(path: part)
  }

  deinit { unlink(part) }

  package func append(_ bytes: [UInt8]) throws(SystemFailure) { try file.write(bytes) }

  /// Gives the file its name, in the place of any file that has it.
  ///
  /// - Parameter isDurable: whether it and its name must outlast a crash of the machine.
  /// - Throws: `SystemFailure`. Then the old file is still there, unless only the folder could not
  ///   be written to the disk.
  package func replace(isDurable: Bool = true) throws(SystemFailure) {
    if isDurable { try file.synchronize() }
    try check("naming a file") { rename(part, path) }
    guard isDurable else { return }
    let folder: Descriptor
    do throws(SystemFailure) {
      folder = try Descriptor.folder(path: Self.folder(of: path))
    } catch {
      // A folder may let this user make files and not read it. Then there is no way to write it to
      // the disk.
      guard error.number == EACCES else { throw error }
      return
    }
    try folder.synchronize()
  }

  /// Gives the file its name; throws EEXIST if there is a file of that name.
  package func create() throws(SystemFailure) {
    try file.synchronize()
    try check("naming a file") { link(part, path) }
  }

  private static let prefix = ".s3health-"
  private static let suffix = ".part"

  private static func folder(of path: String) -> String {
    guard let end = path.lastIndex(of: "/") else { return "." }
    return end == path.startIndex ? "/" : String(path[..<end])
  }
}

extension SmallFile {
  /// Replaces a file as a whole (`FileReplacement`).
  package static func replace(
    _ path: String, with bytes: [UInt8], isDurable: Bool = true
  ) throws(SystemFailure) {
    let file = try FileReplacement(of: path)
    try file.append(bytes)
    try file.replace(isDurable: isDurable)
  }

  /// Makes a file whole or not at all; fails if there is one.
  package static func create(_ path: String, _ bytes: [UInt8]) throws(SystemFailure) {
    let file = try FileReplacement(of: path)
    try file.append(bytes)
    try file.create()
  }
}
