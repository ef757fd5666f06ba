import Foundation
package import HealthLedger
import ObjectStore

/// A configuration file's text with some settings changed. Comments and everything else stay.
package struct ConfigurationEdit {
  /// A setting with its old and new value.
  package struct Change: Hashable, Sendable {
    package let name: Setting
    /// Nil if the file does not have the setting.
    package let old: String?
    /// Nil if it is removed.
    package let new: String?
  }

  package let file: ConfigurationFile
  /// The settings whose values in the file differ, in the order given.
  package let changes: [Change]

  /// - Parameters:
  ///   - wanted: the new values; nil removes a setting.
  ///   - heading: the first comment of a new file, with its newline.
  /// - Throws: `LedgerError` for a value that the file's format can't hold.
  package init(
    _ file: ConfigurationFile, setting wanted: [(name: Setting, value: String?)],
    heading: String
  ) throws(LedgerError) {
    changes = wanted.filter { file.values[$0.name] != $0.value }
      .map { Change(name: $0.name, old: file.values[$0.name], new: $0.value) }
    var text = file.text.isEmpty ? heading : file.text
    for change in changes { Self.set(change.name, change.new, in: &text) }
    // Whatever a value contains, reading the file back must give the same value.
    let edited: ConfigurationFile
    do {
      edited = try ConfigurationFile(path: file.path, text: text)
    } catch {
      throw Self.unfit(changes)
    }
    guard wanted.allSatisfy({ edited.values[$0.name] == $0.value }) else {
      throw Self.unfit(changes)
    }
    self.file = edited
  }

  /// Changes the line that sets a name, or adds one; without a value, removes all that set it.
  private static func set(
    _ name: Setting, _ value: String?, in text: inout String
  ) {
    func line() -> Substring? {
      ConfigurationFile.lines(of: text).last { line in
        let content = ConfigurationFile.withoutComment(line)
        guard let end = content.firstIndex(of: "=") else { return false }
        return content[..<end].trimmed == name.rawValue
      }
    }
    guard let value else {
      while let line = line() {
        let end = line.endIndex == text.endIndex ? line.endIndex : text.index(after: line.endIndex)
        text.removeSubrange(line.startIndex..<end)
      }
      return
    }
    if let line = line() {
      let content = ConfigurationFile.withoutComment(line)
      let blanks = content.reversed().prefix(while: \.isWhitespace).count
      let tail = line.dropFirst(content.count - blanks)
      let head = line.prefix { $0 != "=" }
      text.replaceSubrange(line.startIndex..<line.endIndex, with: "\(head)= \(value)\(tail)")
    } else {
      let end = text.contains("\r\n" as Character) ? "\r\n" : "\n"
      if let last = text.last, !last.isNewline { text += end }
      text += "\(name.rawValue) = \(value)\(end)"
    }
  }

  private static func unfit(_ changes: [Change]) -> LedgerError {
    let values = changes.compactMap { change in change.new.map { "\"\($0)\"" } }
      .joined(separator: ", ")
    return LedgerError(
      .invalidArguments, "a configuration file can't hold one of \(values)",
      remedy: "leave out line ends, blanks at the ends, and # after a blank")
  }
}

extension ConfigurationEdit {
  /// The first line of a new configuration file.
  package static let usualHeading =
    "# Settings of s3health: name = value. `s3health doctor` shows them.\n"

  /// Writes the file. Returns false if it already has these settings.
  @discardableResult
  package func write() throws(LedgerError) -> Bool {
    guard !changes.isEmpty else { return false }
    let folder = file.folder
    do throws(SystemFailure) {
      try PrivateFolder.create(folder)
    } catch {
      throw LedgerError(
        .storageUnavailable, "the folder \(folder) can't be created: \(error.reason)",
        remedy: "create it, or use a file elsewhere with --config")
    }
    do throws(LedgerError) {
      try PrivateFile(file.path, for: "the configuration file")
        .replace(with: Array(file.text.utf8))
    } catch {
      throw LedgerError(
        error.code, error.message,
        remedy:
          "give this user write permission for \(folder), or use a file elsewhere with --config")
    }
    return true
  }
}
