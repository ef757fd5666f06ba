import ObjectStore
import Secrets

/// A parsed `~/.aws/config` or `~/.aws/credentials`: sections of settings. The value of a setting
/// may be a block of further settings.
///
/// Every value is treated as a secret, because the credentials file has the same format.
struct AWSFile: Hashable, Sendable {
  enum Value: Hashable, Sendable {
    case text(Secret)
    /// The indented lines below a `name =` without a value.
    case block([String: Secret])
  }

  /// The name that people use, such as `~/.aws/config`.
  let name: String
  /// Keyed by the text between the brackets. Names of settings are in lower case.
  var sections: [String: [String: Value]] = [:]

  /// The settings of a profile: `[profile x]` in a config file, `[x]` in a credentials file.
  func profile(_ name: String, isCredentialsFile: Bool) -> [String: Value]? {
    if isCredentialsFile { return sections[name] }
    if name == "default", let settings = sections["default"] { return settings }
    return section("profile", name)
  }

  /// The settings of `[kind name]`; the name may be in quotes.
  func section(_ kind: String, _ name: String) -> [String: Value]? {
    for (header, settings) in sections {
      guard header.hasPrefix(kind), let space = header.firstIndex(where: { $0.isWhitespace }),
        header[..<space] == kind
      else { continue }
      var written = header[space...].trimmingSpace
      for quote in ["\"", "'"] where written.count >= 2 {
        if written.hasPrefix(quote), written.hasSuffix(quote) {
          written = written.dropFirst().dropLast()
        }
      }
      if written == name { return settings }
    }
    return nil
  }
}

extension StringProtocol {
  /// Without white space at both ends.
  package var trimmingSpace: SubSequence {
    guard let first = firstIndex(where: { !$0.isWhitespace }),
      let last = lastIndex(where: { !$0.isWhitespace })
    else { return self[startIndex..<startIndex] }
    return self[first...last]
  }
}

/// Parses the AWS files as the AWS CLI and boto3 do (Python's configparser). Errors have line
/// numbers, but never the line itself, which may hold a secret.
///
/// `name = value` or `name: value` below `[section]`. Whole-line comments begin with `#` or `;`. A
/// line that is indented deeper than its setting continues it. There are no comments after a value.
struct AWSFileParser {
  /// Larger files and longer lines are not settings that a person wrote.
  static let maximumBytes = 1 << 20
  static let maximumLineBytes = 64 << 10

  private let name: String
  private var file: AWSFile
  private var section: String?
  private var setting: (name: String, indent: Int, lines: [String], number: Int)?

  static func parse(_ bytes: [UInt8], name: String) throws(StoreError) -> AWSFile {
    guard bytes.count <= maximumBytes else {
      throw StoreError(.invalidRequest, "\(name) is larger than \(maximumBytes >> 20) MB")
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw StoreError(.invalidRequest, "\(name) is not UTF-8", remedy: "save it as UTF-8")
    }
    var parser = AWSFileParser(name: name, file: AWSFile(name: name))
    let body = text.hasPrefix("\u{FEFF}") ? text.dropFirst() : text[...]
    for (i, line) in body.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
      .enumerated()
    {
      try parser.take(line, number: i + 1)
    }
    try parser.endSetting()
    return parser.file
  }

  private mutating func take(_ line: Substring, number: Int) throws(StoreError) {
    guard line.utf8.count <= Self.maximumLineBytes else {
      throw problem("is longer than \(Self.maximumLineBytes >> 10) KB", number)
    }
    let trimmed = line.trimmingSpace
    guard !trimmed.isEmpty, !trimmed.hasPrefix("#"), !trimmed.hasPrefix(";") else { return }
    let indent = line.prefix { $0.isWhitespace }.count

    if let open = setting, indent > open.indent {
      setting?.lines.append(String(trimmed))
      return
    }
    try endSetting()
    if trimmed.hasPrefix("[") {
      guard let close = trimmed.lastIndex(of: "]") else {
        throw problem("has no closing ]", number)
      }
      let header = String(trimmed[trimmed.index(after: trimmed.startIndex)..<close].trimmingSpace)
      guard !header.isEmpty else { throw problem("has no section name between [ and ]", number) }
      guard file.sections[header] == nil else {
        throw problem("begins a section that is there already", number)
      }
      file.sections[header] = [:]
      section = header
      return
    }
    guard section != nil else { throw problem("comes before any [section]", number) }
    guard let separator = trimmed.firstIndex(where: { $0 == "=" || $0 == ":" }),
      separator != trimmed.startIndex
    else { throw problem("is neither a [section] nor name = value", number) }
    let value = trimmed[trimmed.index(after: separator)...].trimmingSpace
    setting = (
      trimmed[..<separator].trimmingSpace.lowercased(), indent, [String(value)], number
    )
  }

  private mutating func endSetting() throws(StoreError) {
    guard let section, let (name, _, lines, number) = setting else { return }
    setting = nil
    guard file.sections[section]?[name] == nil else {
      throw problem("sets what its section has set already", number)
    }
    guard lines.count > 1, lines[0].isEmpty else {
      file.sections[section]?[name] = .text(Secret(lines.joined(separator: "\n")))
      return
    }
    var block: [String: Secret] = [:]
    for line in lines.dropFirst() {
      guard let separator = line.firstIndex(of: "=") else {
        throw problem("begins a block with a line that is not name = value", number)
      }
      block[String(line[..<separator].trimmingSpace)] = Secret(
        String(line[line.index(after: separator)...].trimmingSpace))
    }
    file.sections[section]?[name] = .block(block)
  }

  private func problem(_ what: String, _ number: Int) -> StoreError {
    StoreError(
      .invalidRequest, "\(name): line \(number) \(what)", remedy: "correct that line")
  }
}
