import ArgumentParser
import CommandLineKit
import HealthLedger
import HealthModel
import S3Store

/// What `doctor` found.
struct DoctorReport: CommandResult {
  var name = ""
  /// Nil if the store could not be opened.
  var backend: Backend?
  var settings: [SettingOrigin]
  private(set) var checks: [DiagnosticCheck] = []

  init(settings: [SettingOrigin]) { self.settings = settings }

  mutating func add(_ check: DiagnosticCheck) { checks.append(check) }

  mutating func add(_ more: [DiagnosticCheck]) { checks += more }

  var exitCode: ExitCode { checks.exitCode }

  /// Whether a check failed: then no command could use the settings.
  var hasFailed: Bool { checks.contains { $0.outcome == .failed } }

  /// Whether the steps of checks that passed are shown, too.
  var isDetailed = false

  func lines(_ terminal: Terminal) -> [String] {
    var lines = [terminal.styled("Settings", .strong)]
    lines += SettingList(settings).lines(terminal)
    lines += ["", terminal.styled("Checks", .strong)]
    return lines + checks.lines(terminal, inDetail: isDetailed) + ["", verdict(terminal)]
  }

  /// What all checks say together.
  private func verdict(_ terminal: Terminal) -> String {
    func names(_ outcome: DiagnosticCheck.Outcome) -> String {
      checks.filter { $0.outcome == outcome }.map(\.name).joined(separator: ", ")
    }
    if hasFailed { return terminal.styled("Not ready: \(names(.failed)) failed.", .bad) }
    switch checks.count(where: { $0.outcome == .warning }) {
    case 0: return terminal.styled("All is well: days can be published and read.", .good)
    case 1: return terminal.styled("It works, with a warning: \(names(.warning)).", .doubtful)
    default: return terminal.styled("It works, with warnings: \(names(.warning)).", .doubtful)
    }
  }

  var document: any Encodable {
    [
      "store": name, "backend": backend?.rawValue, "healthy": exitCode == .success,
      "settings": SettingList(settings), "checks": checks.document,
    ] as Document
  }
}

/// Checks as `doctor` and `status` show them.
extension [DiagnosticCheck] {
  /// The code of the first failure that has one; 1 if anything else is wrong.
  var exitCode: ExitCode {
    if let code = compactMap(\.code).first { return code.exitCode }
    return contains { $0.isWrong } ? foundSomething : .success
  }

  /// - Parameter inDetail: whether the steps of checks that passed are shown, too.
  func lines(_ terminal: Terminal, inDetail: Bool) -> [String] {
    flatMap { check in
      let word = terminal.styled(check.outcome.rawValue.padded(to: 7), check.outcome.style)
      var lines = ["  \(word)  \(check.name): \(check.detail.printable)"]
      if inDetail || check.outcome != .ok {
        lines += check.steps.map { terminal.styled("             \($0.printable)", .faint) }
      }
      if let remedy = check.remedy { lines.append("           do: \(remedy.words.printable)") }
      return lines
    }
  }

  var document: JSONValue {
    .array(
      map { check in
        var members: [String: JSONValue] = [
          "name": .string(check.name), "outcome": .string(check.outcome.rawValue),
          "detail": .string(check.detail), "steps": .array(check.steps.map { .string($0) }),
        ]
        if let remedy = check.remedy { members["remedy"] = .string(remedy.words) }
        if let code = check.code { members["code"] = .string(code.rawValue) }
        return .object(members)
      })
  }
}

extension DiagnosticCheck {
  var isWrong: Bool { outcome == .warning || outcome == .failed }
}

extension DiagnosticCheck.Outcome {
  fileprivate var style: Terminal.Style {
    switch self {
    case .ok: .good
    case .warning: .doubtful
    case .failed: .bad
    case .skipped: .faint
    }
  }
}
