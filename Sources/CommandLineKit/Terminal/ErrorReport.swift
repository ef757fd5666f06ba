package import HealthLedger
package import HealthModel

extension LedgerError {
  /// For people: what failed, for which object, by which rule, and what to do next. Names of files
  /// and keys are escaped, so that they can't add lines.
  package var report: String {
    var lines = ["\(Program.name): \(message.printable)"]
    lines += details.map { "  \($0.words.printable)" }
    if let key { lines.append("  object: \(key.printable)") }
    if let rule { lines.append("  rule:   \(rule) of SPEC.md") }
    if let remedy { lines.append("  do:     \(remedy.words.printable)") }
    return lines.joined(separator: "\n")
  }

  /// `code`, `message`, `retryable`, and `key`, `rule` and `remedy` if they are known.
  package var document: JSONValue {
    var members: [String: JSONValue] = [
      "code": .string(code.rawValue),
      "message": .string(([message] + details.map(\.words)).joined(separator: "\n  ")),
      "retryable": .bool(isRetryable),
    ]
    if let key { members["key"] = .string(key) }
    if let rule { members["rule"] = .string(rule) }
    if let remedy { members["remedy"] = .string(remedy.words) }
    return .object(members)
  }
}
