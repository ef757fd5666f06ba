/// Why an export can't be read: what failed, in which file, and what to do next.
package struct ExportError: Error, Hashable, Sendable {
  /// The kind of failure.
  package enum Code: String, CaseIterable, Hashable, Sendable {
    /// Nothing lies at the path.
    case notFound = "not_found"
    /// This user may not read the file.
    case notAuthorized = "not_authorized"
    /// The disk, the network drive or the pipe failed.
    case unreadable
    /// No `HealthData` in the file, or in any file of the zip or folder.
    case notAnExport = "not_an_export"
    /// More than one export in the zip or folder.
    case ambiguous
    /// The export in the zip is encrypted.
    case encrypted
    /// The zip uses a method that is not known here.
    case unsupported
    /// The file ends before the export does.
    case truncated
    /// The bytes are not those that were packed.
    case corrupt
    /// A zip that unpacks to far more than any export: a zip bomb.
    case absurd
    /// A temporary file could not be written or read.
    case spool
  }

  package let code: Code
  /// The file or folder as the caller named it; `-` for standard input.
  package let path: String
  /// The entry of the zip, or the file in the folder, if the failure is about one.
  package let entry: String?
  /// What is wrong, as one clause without a full stop.
  package let message: String
  /// What to do next, as one imperative clause.
  package let remedy: String

  package init(
    _ code: Code, _ message: String, path: String, entry: String? = nil, remedy: String
  ) {
    (self.code, self.message, self.path, self.remedy) = (code, message, path, remedy)
    self.entry = entry.map(Self.printable)
  }

  /// A name from an archive without what would steer a terminal, and not too long for a line.
  private static func printable(_ name: String) -> String {
    let short = name.count > 200 ? name.prefix(200) + "…" : name[...]
    return String(
      String.UnicodeScalarView(
        short.unicodeScalars.map { scalar in
          switch scalar.properties.generalCategory {
          case .control, .format, .lineSeparator, .paragraphSeparator: "\u{FFFD}"
          default: scalar
          }
        }))
  }
}

extension ExportError: CustomStringConvertible {
  /// One line: the file, what is wrong, what to do next.
  package var description: String {
    let place = entry.map { "\(path) (\($0))" } ?? path
    return "\(place): \(message); \(remedy)"
  }
}
