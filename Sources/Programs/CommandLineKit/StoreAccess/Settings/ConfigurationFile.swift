import AWSCredentials
import Foundation
package import HealthLedger
import ObjectStore

/// `~/.config/s3health/config`: lines of `name = value`.
///
/// `#` begins a comment at the start of a line or after a blank. So a folder may be named `a#b`. A
/// setting without a value counts as not set, as an empty variable does.
package struct ConfigurationFile: Sendable {
  package let path: String
  /// The text on the disk; empty if there is no file.
  package let text: String
  package private(set) var values: [Setting: String] = [:]
  /// Of `gateway`, the one name that may be given several times.
  package private(set) var gateways: [String] = []

  /// The largest file that is read, in bytes.
  private static let maximumBytes = 65_536

  /// The file at `path`. A missing file is empty, unless it was named explicitly.
  package init(path: String, mustExist: Bool) throws(LedgerError) {
    try self.init(path: path, text: Self.read(path, mustExist: mustExist))
  }

  /// The given file, or the one that a variable names, or the default one.
  ///
  /// - Parameter mustExist: whether a file that was named must exist. The default one need not.
  package init(
    _ given: String?, _ environment: [String: String], mustExist: Bool
  ) throws(LedgerError) {
    let named = given ?? StoreSettings.variable("S3HEALTH_CONFIG", environment)
    let usual = UserDirectories(environment: environment).configuration + "/config"
    try self.init(path: named ?? usual, mustExist: mustExist && named != nil)
  }

  /// What the file says for another person than the one that it names: nothing personal. One
  /// person's source must not be published as another's days.
  func forAnother() -> ConfigurationFile {
    var file = self
    file.values = values.filter { !$0.key.isPersonal }
    file.gateways = []
    return file
  }

  private static func read(_ path: String, mustExist: Bool) throws(LedgerError) -> String {
    let bytes: [UInt8]
    do throws(SmallFile.TrustFailure) {
      bytes = try SmallFile.readTrusted(path, maximumBytes: maximumBytes)
    } catch {
      if case .system(let failure) = error, [ENOENT, ENOTDIR].contains(failure.number) {
        guard mustExist else { return "" }
        throw LedgerError(
          .invalidArguments, "there is no configuration file \(path)", remedy: "check --config")
      }
      // It can hold commands of the shell, so only its owner may have written it, as ssh wants it of its own.
      throw error.refusal(of: "the configuration file", path, "it can name commands to run")
    }
    // Editors of Windows begin a file with a mark of its encoding.
    let content = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
    guard bytes.count <= maximumBytes, let text = String(validating: content, as: UTF8.self) else {
      throw LedgerError(
        .invalidArguments, "the configuration file \(path) is not a short UTF-8 text file",
        remedy: "name another with --config")
    }
    return text
  }

  /// The file with this text, which need not be on the disk.
  package init(path: String, text: String) throws(LedgerError) {
    (self.path, self.text) = (path, text)
    for (index, line) in Self.lines(of: text).enumerated() {
      let place = "\(path), line \(index + 1):"
      let content = Self.withoutComment(line).trimmed
      if content.isEmpty { continue }
      let parts = content.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        .map(\.trimmed)
      guard parts.count == 2 else {
        throw Self.error("\(place) not `name = value`", "correct the line")
      }
      guard let name = Setting.filed.first(where: { $0.rawValue == parts[0] }) else {
        let known = Setting.filed.map(\.rawValue).joined(separator: ", ")
        throw Self.error("\(place) there is no setting \"\(parts[0])\"", "use one of \(known)")
      }
      guard values[name] == nil || name == .gateway else {
        throw Self.error(
          "\(place) \(name.rawValue) is given a second time", "keep one of the lines")
      }
      values[name] = parts[1]
      if name == .gateway { gateways.append(parts[1]) }
    }
    values = values.filter { !$0.value.isEmpty }
    gateways.removeAll(where: \.isEmpty)
  }

  /// The store's name, with the scheme of `backend` added if the name has none.
  ///
  /// - Throws: `LedgerError` if there is no such backend, or if the name is one of another
  ///   backend.
  package var storeName: String? {
    get throws(LedgerError) {
      guard let word = values[.backend] else { return values[.store] }
      guard let backend = Backend(rawValue: word) else {
        let known = Backend.allCases.map(\.rawValue).joined(separator: ", ")
        throw Self.error("\(path): there is no backend \"\(word)\"", "use one of \(known)")
      }
      guard let name = values[.store] else {
        throw Self.error("\(path): backend is given without store", "add a line store = ...")
      }
      if !backend.scheme.isEmpty, name.hasPrefix(backend.scheme) { return name }
      guard !Backend.allCases.contains(where: { !$0.scheme.isEmpty && name.hasPrefix($0.scheme) })
      else {
        throw Self.error(
          "\(path): the store \(name) is not of the backend \(word)", "correct one of the two lines"
        )
      }
      return backend.scheme + name
    }
  }

  /// Not split at "\n": an editor on Windows ends lines with "\r\n", which is a different
  /// character.
  static func lines(of text: String) -> [Substring] {
    text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
  }

  package var folder: String {
    let whole = path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
    let folder = whole[..<(whole.lastIndex(of: "/") ?? whole.startIndex)]
    return folder.isEmpty ? "/" : String(folder)
  }

  /// The path of a setting of this file or of a variable. In the file a relative one starts at the file's
  /// folder, because commands read it from any folder.
  func path(_ given: Sourced, home: String) -> Sourced {
    if given.value == "~" || given.value.hasPrefix("~/") {
      return Sourced(home + given.value.dropFirst(), by: given.origin)
    }
    guard given.origin == path, !given.value.hasPrefix("/") else { return given }
    return Sourced(folder + "/" + given.value, by: path)
  }

  static func withoutComment(_ line: Substring) -> Substring {
    var isAfterBlank = true
    for index in line.indices {
      if line[index] == "#", isAfterBlank { return line[..<index] }
      isAfterBlank = line[index].isWhitespace
    }
    return line
  }

  private static func error(
    _ message: String, _ remedy: LedgerError.Remedy
  ) -> LedgerError {
    LedgerError(.invalidArguments, message, remedy: remedy)
  }
}

extension StringProtocol {
  /// Without white space at both ends.
  package var trimmed: String { String(trimmingSpace) }
}
