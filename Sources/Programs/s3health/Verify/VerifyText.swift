import CommandLineKit
import HealthLedger
import HealthModel

/// The result of `verify` for people.
struct VerifyText {
  let report: VerifyReport
  let terminal: Terminal

  /// The most days that are shown as a calendar. A longer one would scroll off the screen.
  static let longestCalendar = 731

  /// The most lines for one code. Each line is a run of findings.
  static let maximumPerCode = 50

  var lines: [String] {
    var lines = [
      "\(report.storeName.printable)  \(report.dates.lowerBound) to \(report.dates.upperBound)"
    ]
    if terminal.isTerminal, report.days.count <= Self.longestCalendar {
      let calendar = MonthCalendar(
        days: report.days.map { ($0.date, $0.status) }, terminal: terminal)
      lines += [""] + calendar.lines + ["", calendar.legend, ""]
    }
    lines += DateRuns(report.missingDates).runs.map { run in
      let extent =
        run.first == run.last ? "\(run.first)" : "\(run.first) to \(run.last) (\(run.count) days)"
      return "\(terminal.styled("missing", report.allowsMissing ? .doubtful : .bad))  \(extent)"
    }
    lines += findingLines + repairLines
    return lines + [summary]
  }

  private var findingLines: [String] {
    var lines: [String] = []
    var shown: [String: Int] = [:]
    var hidden: [String: Int] = [:]
    let runs = FindingRun.runs(of: report.findings.lazy.filter { !$0.isMissingDate })
    for run in runs {
      shown[run.first.code, default: 0] += 1
      if shown[run.first.code, default: 0] <= Self.maximumPerCode {
        lines += text(run)
      } else {
        hidden[run.first.code, default: 0] += run.count
      }
    }
    for (code, count) in hidden.sorted(by: { $0.key < $1.key }) {
      lines.append("         and \(count.grouped) more of \(code)")
    }
    let isShort = !hidden.isEmpty || runs.contains { $0.count > 1 }
    if let omitted = report.omittedWords {
      lines.append(
        "         omitted here and in --output json: \(omitted); only the first "
          + "\(VerifyReport.maximumFindings.grouped) findings are kept, errors first")
    } else if isShort {
      lines.append("         --output json lists every finding")
    }
    return lines
  }

  private func text(_ run: FindingRun) -> [String] {
    let finding = run.first
    let style: Terminal.Style =
      switch finding.severity {
      case .error: .bad
      case .warning: .doubtful
      case .note: .faint
      }
    let place = finding.pointer.isEmpty ? "" : " at \(finding.pointer)"
    let extent = run.extent.isEmpty ? "" : run.extent + "  "
    var lines = [
      "\(terminal.styled(finding.severity.rawValue.padded(to: 7), style))  \(extent)"
        + "\(finding.code) [\(finding.rule)]\(place): \(run.message)".printable
    ]
    lines += run.keys.map { "         \($0.printable)" }
    if run.count > run.keys.count {
      lines.append("         and \((run.count - run.keys.count).grouped) more")
    }
    return lines + ["         do: \(finding.remedy.words.printable)"]
  }

  private var repairLines: [String] {
    let isDryRun = report.options.repair == .dryRun
    let lines = report.repairs.map { date, repair in
      "\(terminal.styled("repair ", repair.hasMoved ? .good : .doubtful))  \(date)  \(repair.words)"
    }
    let shown = Array(lines.prefix(Self.maximumPerCode))
    let more =
      lines.count > shown.count ? ["         and \(lines.count - shown.count) more repairs"] : []
    let hint =
      isDryRun && !lines.isEmpty ? ["         nothing was written; add --yes to move them"] : []
    return shown + more + hint
  }

  private var summary: String {
    let count = report.days.count
    let sound = report.days.filter { $0.status == .ok }
    let soFar = sound.count(where: \.isSoFar)
    let partial = sound.count { $0.isPartial && !$0.isSoFar }
    var parts = [
      "\(count) \(count == 1 ? "day" : "days"): \(sound.count - soFar - partial) complete"
    ]
    func add(_ number: Int, _ words: String) {
      if number > 0 { parts.append("\(number.grouped) \(words)") }
    }
    add(partial, "partial")
    add(soFar, "so far (not over)")
    add(report.count(.missing), "missing")
    add(report.count(.faulty), "faulty")
    add(report.count(.invalid), "without a readable revision")
    if report.isTooOld { parts.append("the newest revision is too old") }
    let (warnings, notes) = (report.severities[.warning] ?? 0, report.severities[.note] ?? 0)
    add(warnings, warnings == 1 ? "warning" : "warnings")
    add(notes, notes == 1 ? "note" : "notes")
    return terminal.styled(parts.joined(separator: ", "), report.foundSomething ? .bad : .good)
  }
}
