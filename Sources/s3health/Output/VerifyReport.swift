import HealthLedger
import HealthModel

/// The outcome of `verify`, as text for people and as the stable document of docs/OUTPUT.md.
struct VerifyReport {
  let storeName: String
  let range: DateRange
  let verdicts: [DayVerdict]
  /// Missing dates are told, and do not count.
  let allowsMissing: Bool

  private func count(_ status: DayVerdict.Status) -> Int {
    verdicts.count { $0.status == status }
  }

  private var missingDates: [CalendarDate] {
    verdicts.filter { $0.status == .missing }.map(\.date)
  }

  /// The findings that are not the bare lack of a day, in order of date.
  private var faults: [Finding] {
    verdicts.flatMap(\.findings).filter { $0.code != "missing_date" }
  }

  /// True where the command must exit with 1.
  var foundSomething: Bool {
    faults.contains { $0.severity == .error } || (!allowsMissing && !missingDates.isEmpty)
  }

  var document: JSONValue {
    .object([
      "store": .string(storeName), "from": .string(range.from.description),
      "to": .string(range.to.description), "days": .number(Double(range.count)),
      "ok_days": .number(Double(count(.ok))), "faulty_days": .number(Double(count(.faulty))),
      "invalid_days": .number(Double(count(.invalid))),
      "missing_dates": .array(missingDates.map { .string($0.description) }),
      "missing_allowed": .bool(allowsMissing), "found_something": .bool(foundSomething),
      "findings": .array(
        verdicts.flatMap(\.findings).map { finding in
          .object([
            "date": .string(finding.date.description),
            "severity": .string(finding.severity.rawValue), "code": .string(finding.code),
            "rule": .string(finding.rule), "key": .string(finding.key),
            "pointer": .string(finding.pointer), "message": .string(finding.message),
            "remedy": .string(finding.remedy),
          ])
        }),
    ])
  }

  func text(_ terminal: Terminal) -> [String] {
    var lines = ["\(storeName)  \(range.from) to \(range.to)"]
    if terminal.isTerminal {
      let calendar = MonthCalendar(verdicts: verdicts, terminal: terminal)
      lines += [""] + calendar.lines + ["", calendar.legend, ""]
    }
    lines += missingRuns.map { run in
      let extent =
        run.first == run.last ? "\(run.first)" : "\(run.first) to \(run.last) (\(run.count) days)"
      return "\(terminal.styled("missing", allowsMissing ? .doubtful : .bad))  \(extent)"
    }
    for fault in faults {
      let style: Terminal.Style = fault.severity == .error ? .bad : .faint
      let place = fault.pointer.isEmpty ? "" : " at \(fault.pointer)"
      lines.append(
        "\(terminal.styled(fault.severity.rawValue.padded(to: 7), style))  \(fault.date)  "
          + "\(fault.code) [\(fault.rule)]\(place): \(fault.message)")
      lines.append("         \(fault.key)")
      lines.append("         do: \(fault.remedy)")
    }
    return lines + [summary(terminal)]
  }

  private func summary(_ terminal: Terminal) -> String {
    let notes = faults.count { $0.severity == .note }
    var parts = ["\(range.count) \(range.count == 1 ? "day" : "days"): \(count(.ok)) complete"]
    if count(.missing) > 0 { parts.append("\(count(.missing)) missing") }
    if count(.faulty) > 0 { parts.append("\(count(.faulty)) faulty") }
    if count(.invalid) > 0 { parts.append("\(count(.invalid)) without a valid revision") }
    if notes > 0 { parts.append("\(notes) \(notes == 1 ? "note" : "notes")") }
    return terminal.styled(parts.joined(separator: ", "), foundSomething ? .bad : .good)
  }

  /// Missing dates in runs of neighbours.
  private var missingRuns: [(first: CalendarDate, last: CalendarDate, count: Int)] {
    var runs: [(first: CalendarDate, last: CalendarDate, count: Int)] = []
    for date in missingDates {
      if let run = runs.last, run.last.adding(days: 1) == date {
        runs[runs.count - 1] = (run.first, date, run.count + 1)
      } else {
        runs.append((date, date, 1))
      }
    }
    return runs
  }
}

extension String {
  /// The text with blanks after it up to `width` characters.
  func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }
}
