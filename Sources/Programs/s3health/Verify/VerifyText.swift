import CommandLineKit
import HealthLedger
import HealthModel

/// The result of `verify` for people.
struct VerifyText {
  let report: VerifyReport
  let terminal: Terminal

  /// The most findings of one code, and the most repairs, that are shown.
  static let maximumPerCode = 20

  var lines: [String] {
    var lines = [report.storeName.printable + spanWords(report.dates)]
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
    var counts: [String: Int] = [:]
    var remedy: String?
    for finding in report.findings where !finding.isMissingDate {
      counts[finding.code, default: 0] += 1
      guard counts[finding.code, default: 0] <= Self.maximumPerCode else { continue }
      // What is to be done about several in a row is said once, below the last of them.
      let words = "         do: \(finding.remedy.words.printable)"
      if let remedy, remedy != words { lines.append(remedy) }
      lines += text(finding)
      remedy = words
    }
    if let remedy { lines.append(remedy) }
    let hidden = counts.mapValues { $0 - Self.maximumPerCode }.filter { $0.value > 0 }
    for (code, count) in hidden.sorted(by: { $0.key < $1.key }) {
      lines.append("         and \(count.grouped) more of \(code)")
    }
    if let omitted = report.omittedWords {
      lines.append(
        "         omitted here and in --output json: \(omitted); only the first "
          + "\(VerifyReport.maximumFindings.grouped) findings are kept, errors first")
    } else if !hidden.isEmpty {
      lines.append("         --output json lists every finding")
    }
    return lines
  }

  private func text(_ finding: Finding) -> [String] {
    let style: Terminal.Style =
      switch finding.severity {
      case .error: .bad
      case .warning: .doubtful
      case .note: .faint
      }
    let place = finding.pointer.isEmpty ? "" : " at \(finding.pointer)"
    let date = finding.date.map { "\($0)  " } ?? ""
    return [
      "\(terminal.styled(finding.severity.rawValue.padded(to: 7), style))  \(date)"
        + "\(finding.code) [\(finding.rule)]\(place): \(finding.message)".printable,
      "         \(finding.key.printable)",
    ]
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
    let empty = sound.count(where: \.isEmpty)
    let partial = sound.count { $0.isPartial && !$0.isSoFar && !$0.isEmpty }
    let complete = sound.count - soFar - partial - empty
    var parts = ["\(count) \(count == 1 ? "day" : "days"): \(complete) complete"]
    func add(_ number: Int, _ words: String) {
      if number > 0 { parts.append("\(number.grouped) \(words)") }
    }
    add(partial, "partial")
    add(soFar, "so far (not over)")
    add(empty, "without a number")
    add(report.count(.missing), "missing")
    add(report.count(.faulty), "faulty")
    add(report.count(.invalid), "without a readable revision")
    add(report.silentSources, report.silentSources == 1 ? "silent source" : "silent sources")
    if report.isTooOld { parts.append("the newest revision is too old") }
    let (warnings, notes) = (report.severities[.warning] ?? 0, report.severities[.note] ?? 0)
    add(warnings, warnings == 1 ? "warning" : "warnings")
    add(notes, notes == 1 ? "note" : "notes")
    return terminal.styled(parts.joined(separator: ", "), report.foundSomething ? .bad : .good)
  }
}
