import ArgumentParser
import CommandLineKit
import Foundation
import HealthLedger
import HealthModel
import S3Store
import StoreAccess

/// What `doctor` found, as text for people and as the document of docs/OUTPUT.md.
struct DoctorReport {
  var name = ""
  /// Nil if the store could not be opened.
  var backend: Backend?
  var settings: [SettingOrigin]
  private var checks: [DiagnosticCheck] = []

  init(settings: [SettingOrigin]) { self.settings = settings }

  mutating func add(_ check: DiagnosticCheck) { checks.append(check) }

  mutating func add(_ more: [DiagnosticCheck]) { checks += more }

  var exitCode: ExitCode {
    if let code = checks.compactMap(\.code).first { return code.exitCode }
    return checks.contains { $0.outcome == .warning } ? foundSomething : .success
  }

  func print(_ format: OutputFormat) throws(LedgerError) {
    switch format {
    case .json: try StandardStreams.write(document)
    case .text:
      try StandardStreams.writeLine(lines(.standardOutput()).joined(separator: "\n"))
    }
  }

  func lines(_ terminal: Terminal) -> [String] {
    let home = UserDirectories(environment: ProcessInfo.processInfo.environment).home + "/"
    // A row must fit on a line. The JSON document has the whole path.
    func fromHome(_ origin: String) -> String {
      origin.hasPrefix(home) ? "~/" + origin.dropFirst(home.count) : origin
    }
    let nameWidth = settings.map(\.setting.count).max() ?? 0
    let valueWidth = min(48, settings.map(\.value.printable.count).max() ?? 0)
    var lines = [terminal.styled("Settings", .strong)]
    lines += settings.map { setting in
      "  \(setting.setting.padded(to: nameWidth))  \(setting.value.printable.padded(to: valueWidth))  "
        + terminal.styled(fromHome(setting.origin).printable, .faint)
    }
    lines += ["", terminal.styled("Checks", .strong)]
    for check in checks {
      let word = terminal.styled(check.outcome.rawValue.padded(to: 7), check.outcome.style)
      lines.append("  \(word)  \(check.name): \(check.detail.printable)")
      lines += check.steps.map { terminal.styled("             \($0.printable)", .faint) }
      if let remedy = check.remedy { lines.append("           do: \(remedy.words.printable)") }
    }
    return lines
  }

  var document: JSONValue {
    .object([
      "store": .string(name),
      "backend": backend.map { .string($0.rawValue) } ?? .null,
      "healthy": .bool(exitCode == .success),
      "settings": .array(
        settings.map {
          .object([
            "setting": .string($0.setting), "value": .string($0.value),
            "origin": .string($0.origin),
          ])
        }),
      "checks": .array(
        checks.map { check in
          var members: [String: JSONValue] = [
            "name": .string(check.name), "outcome": .string(check.outcome.rawValue),
            "detail": .string(check.detail), "steps": .array(check.steps.map { .string($0) }),
          ]
          if let remedy = check.remedy { members["remedy"] = .string(remedy.words) }
          if let code = check.code { members["code"] = .string(code.rawValue) }
          return .object(members)
        }),
    ])
  }
}

extension DiagnosticCheck.Outcome {
  var style: Terminal.Style {
    switch self {
    case .ok: .good
    case .warning: .doubtful
    case .failed: .bad
    case .skipped: .faint
    }
  }
}
