import SigV4

/// A parsed `~/.aws/config` or `~/.aws/credentials`: sections of settings, one of which may be a
/// block of further settings.
///
/// Every value counts as a secret, since the credentials file is written in the same terms.
struct AWSFile: Hashable, Sendable {
  enum Value: Hashable, Sendable {
    case text(Secret)
    /// The indented lines below a `name =` without a value.
    case block([String: Secret])
  }

  /// As people know it, such as `~/.aws/config`.
  let name: String
  /// By the text between the brackets; setting names are in lower case.
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
  /// Without white space at either end.
  var trimmingSpace: SubSequence {
    guard let first = firstIndex(where: { !$0.isWhitespace }),
      let last = lastIndex(where: { !$0.isWhitespace })
    else { return self[startIndex..<startIndex] }
    return self[first...last]
  }
}
