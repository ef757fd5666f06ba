import ArgumentParser
import CommandLineKit
import HealthLedger
import HealthSources

/// `help R20`, which prints a rule of the specification that an error names, and `help` of a command that
/// there is not.
///
/// The texts are the documents themselves, which `Rules` links to.
struct HelpRequest {
  /// `R20`, or a word that is no command.
  private let name: String

  /// Nil if the parser answers: help of a command, or anything else.
  init?(_ arguments: [String]) {
    guard arguments.count > 2, arguments[1] == "help" else { return nil }
    let name = arguments[2].uppercased()
    if arguments.count == 3, name.wholeMatch(of: #/R[0-9]{1,3}/#) != nil {
      self.name = name
      return
    }
    var command: any ParsableCommand.Type = S3Health.self
    for word in arguments.dropFirst(2) where !word.hasPrefix("-") {
      let commands = command.configuration.subcommands
      guard let next = commands.first(where: { $0.configuration.commandName == word }) else {
        self.name = word
        return
      }
      command = next
    }
    return nil
  }

  func run() async throws {
    try await reportingErrors(.text) { () async throws(LedgerError) in
      if let text = Self.text(of: name) {
        try StandardStreams.writeLine(text)
        return .success
      }
      guard name.wholeMatch(of: #/R[0-9]{1,3}/#) == nil else {
        throw LedgerError(
          .invalidArguments, "unknown rule \(name)",
          remedy: "SPEC.md and docs/spec list all rules, from R1 on")
      }
      let commands = S3Health.configuration.subcommands.compactMap { $0.configuration.commandName }
      let meant = Suggestion.nearest(to: name, among: commands).map { "; did you mean \($0)?" }
      throw LedgerError(
        .invalidArguments, "unknown command \(name)\(meant ?? "")",
        remedy: "s3health --help lists all commands")
    }
  }

  /// A rule with its title, as its document has it, without where its code is.
  static func text(of name: String) -> String? {
    for document in documents {
      let lines = String(decoding: document, as: UTF8.self)
        .split(separator: "\n", omittingEmptySubsequences: false)
      guard let first = lines.firstIndex(where: { $0.hasPrefix("## \(name). ") }) else { continue }
      let rest = lines[(first + 1)...]
      let body = rest.prefix { !$0.hasPrefix("## ") && !$0.hasPrefix("# ") }
        .filter { !$0.hasPrefix("Code: ") }
      let text = ([lines[first].dropFirst(3)] + body).flatMap { Self.plain(String($0)) }
      return text.joined(separator: "\n").replacing(#/\n+$/#, with: "")
        .replacing(#/\n{3,}/#, with: "\n\n")
    }
    return nil
  }

  private static let documents = [
    PackageResources.SPEC_md, PackageResources.agents_md, PackageResources.counting_md,
    PackageResources.hub_md, PackageResources.outputs_md, PackageResources.people_md,
    PackageResources.publishing_md, PackageResources.stores_md, PackageResources.streams_md,
    PackageResources.verifying_md,
  ]

  /// A line without the targets of its links, broken between words if it is prose.
  private static func plain(_ line: String) -> [String] {
    let line = line.replacing(#/\[([^\]]+)\]\([^)]+\)/#) { String($0.1) }
    guard !line.hasPrefix("|"), line.count > width else { return [line] }
    let indent = line.hasPrefix("- ") ? "  " : ""
    var lines: [String] = []
    var current = ""
    for word in line.split(separator: " ") {
      if !current.isEmpty, current.count + 1 + word.count > width {
        lines.append(current)
        current = indent + word
      } else {
        current += (current.isEmpty ? "" : " ") + word
      }
    }
    return lines + [current]
  }

  private static let width = 96
}
