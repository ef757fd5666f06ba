/// A file of 64-bit words that grows at its end and is read anywhere: where an import keeps samples
/// that it has no room for.
package protocol SpoolFile {
  /// Appends words.
  mutating func append(_ words: [UInt64]) throws(SpoolFailure)
  /// Reads `count` words from the `index`-th on; all of them were appended before.
  func words(at index: Int, count: Int) throws(SpoolFailure) -> [UInt64]
}

/// What a temporary file could not do.
package struct SpoolFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// What was tried, such as `writing`.
  package let doing: String
  /// The folder of the file.
  package let folder: String
  /// The system's `errno`; 0 where the file ended too early.
  package let number: Int32
  /// The system's words for it.
  package let reason: String

  package init(doing: String, folder: String, number: Int32, reason: String) {
    (self.doing, self.folder, self.number, self.reason) = (doing, folder, number, reason)
  }

  package var description: String {
    "\(doing) a temporary file in \(folder) failed: \(reason); free some room there, or name "
      + "another folder in TMPDIR"
  }
}
