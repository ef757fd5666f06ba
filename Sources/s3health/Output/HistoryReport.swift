import HealthLedger
import HealthModel
import RaceHarness

/// What `race check` found, as text for people and as the document of docs/OUTPUT.md.
struct HistoryReport {
  let file: String
  let history: RaceHistory
  let findings: [HistoryFinding]

  func print(_ format: OutputFormat) throws(LedgerError) {
    switch format {
    case .json: try StandardStreams.write(document)
    case .text:
      try StandardStreams.writeLine(lines(.standardOutput()).joined(separator: "\n"))
    }
  }

  private func lines(_ terminal: Terminal) -> [String] {
    var lines: [String] = []
    for finding in findings {
      lines.append(terminal.styled("broken", .bad) + "  \(finding.message)")
      for index in finding.events {
        // The header is line 1.
        let event = String(decoding: HistoryFile.encode(history.events[index]), as: UTF8.self)
        lines.append(terminal.styled("        event \(index + 1): \(event)", .faint))
      }
    }
    let count = "\(history.events.count.grouped) events of \(history.date)"
    lines.append(
      findings.isEmpty
        ? terminal.styled("good", .good) + "    no promise broken in \(count)"
        : "\(findings.count) broken \(findings.count == 1 ? "promise" : "promises") in \(count)")
    return lines
  }

  private var document: JSONValue {
    .object([
      "file": .string(file), "date": .string(history.date.description),
      "events": .number(Double(history.events.count)), "good": .bool(findings.isEmpty),
      "findings": .array(
        findings.map { finding in
          .object([
            "oracle": .string(finding.oracle.rawValue), "message": .string(finding.message),
            "events": .array(finding.events.map { .number(Double($0 + 1)) }),
          ])
        }),
    ])
  }
}

extension Int {
  /// With commas between thousands.
  var grouped: String {
    var text = ""
    for (place, digit) in String(self).reversed().enumerated() {
      if place > 0, place % 3 == 0 { text.append(",") }
      text.append(digit)
    }
    return String(text.reversed())
  }
}
