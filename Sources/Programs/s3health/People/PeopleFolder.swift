import CommandLineKit
import Foundation
import HealthLedger

/// The folder into which a run over people writes a file for each: `ann.csv`. Each file is replaced
/// whole or not at all, and only its owner can read it.
struct PeopleFolder: Sendable {
  private let path: String
  /// The end of the files' names, such as `csv`.
  private let ending: String
  /// What a file contains, for errors.
  private let content: String

  /// - Throws: `LedgerError` if no files can be written there. It is created if it is missing, below
  ///   a folder that exists.
  init(_ path: String, ending: String, content: String) throws(LedgerError) {
    (self.path, self.ending, self.content) = (path, ending, content)
    if mkdir(path, 0o700) != 0, errno != EEXIST {
      throw LedgerError(
        errno == ENOENT || errno == ENOTDIR ? .invalidArguments : .storageUnavailable,
        "the folder \(path.printable) can't be made: \(String(cString: strerror(errno)))",
        remedy: "name a folder that exists, or a new one in a folder that exists")
    }
    var found = stat()
    guard stat(path, &found) == 0, found.st_mode & S_IFMT == S_IFDIR else {
      throw LedgerError(
        .invalidArguments, "\(path.printable) is not a folder",
        remedy: "with --people, --out names a folder for the files of all people")
    }
  }

  /// Writes a person's file.
  ///
  /// - Returns: its path.
  func write(_ bytes: [UInt8], of id: PersonID) throws(LedgerError) -> String {
    let file = try PrivateFile("\(path)/\(id).\(ending)", for: content)
    try file.replace(with: bytes)
    return file.path
  }
}
