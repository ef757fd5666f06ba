import CommandLineKit
import HealthLedger
import HealthModel
import RaceHarness

/// What `race check` found, as text for people and as the document of docs/OUTPUT.md.
struct HistoryReport {
  let file: String
  /// The date of the first history.
  private var date: CalendarDate?
  private var histories = 0
  private var events = 0
  private var broken: [Broken] = []

  private struct Broken {
    var date: CalendarDate
    var finding: HistoryFinding
    var lines: [String]
    var counterexample: RaceHistory
  }

  init(file: String) { self.file = file }

  var isGood: Bool { broken.isEmpty }

  /// Checks a history and keeps the findings.
  mutating func judge(_ history: RaceHistory) {
    date = date ?? history.date
    histories += 1
    events += history.events.count
    for finding in history.findings() {
      broken.append(
        Broken(
          date: history.date, finding: finding,
          lines: finding.events.map { index in
            // The header is line 1.
            "event \(index + 1): "
              + String(decoding: HistoryFile.encode(history.events[index]), as: UTF8.self)
          }, counterexample: history.counterexample(to: finding)))
    }
  }

  func print(_ format: OutputFormat) throws(LedgerError) {
    switch format {
    case .json: try StandardStreams.write(document)
    case .text:
      try StandardStreams.writeLine(lines(.standardOutput()).joined(separator: "\n"))
    }
  }

  private func lines(_ terminal: Terminal) -> [String] {
    var lines: [String] = []
    for broken in broken {
      let day = histories > 1 ? " (\(broken.date))" : ""
      lines.append(terminal.styled("broken", .bad) + "  \(broken.finding.message.printable)\(day)")
      lines += EventLines.lines(broken.counterexample).map { "      \($0)" }
      lines += broken.lines.map { terminal.styled("        \($0.printable)", .faint) }
    }
    let days = date.map { histories == 1 ? "\($0)" : "\(histories.grouped) histories" } ?? ""
    let count = "\(events.grouped) events of \(days)"
    lines.append(
      isGood
        ? terminal.styled("good", .good) + "    no promise broken in \(count)"
        : "\(broken.count) broken \(broken.count == 1 ? "promise" : "promises") in \(count)")
    return lines
  }

  private var document: JSONValue {
    .object([
      "file": .string(file), "date": date.map { .string($0.description) } ?? .null,
      "histories": .count(histories), "events": .count(events), "good": .bool(isGood),
      "findings": .array(
        broken.map { broken in
          .object([
            "oracle": .string(broken.finding.oracle.rawValue),
            "message": .string(broken.finding.message),
            "date": .string(broken.date.description),
            "events": .array(broken.finding.events.map { .count($0 + 1) }),
          ])
        }),
    ])
  }
}
