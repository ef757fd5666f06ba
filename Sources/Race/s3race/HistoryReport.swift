import ArgumentParser
import CommandLineKit
import Foundation
import HealthModel
import Race

/// What `s3race check` found, as text for people and as the document of docs/OUTPUT.md.
struct HistoryReport: CommandResult {
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

  var exitCode: ExitCode { isGood ? .success : foundSomething }

  func lines(_ terminal: Terminal) -> [String] {
    var lines: [String] = []
    for broken in broken {
      let day = histories > 1 ? " (\(broken.date))" : ""
      lines.append(terminal.styled("broken", .bad) + "  \(broken.finding.message.printable)\(day)")
      lines += EventLines.lines(broken.counterexample).map { "      \($0)" }
      lines += broken.lines.map { terminal.styled("        \($0.printable)", .faint) }
    }
    let days =
      date.map { histories == 1 ? "\($0)" : histories.counted("history", "histories") } ?? ""
    let count = "\(events.grouped) events of \(days)"
    lines.append(
      isGood
        ? terminal.styled("good", .good) + "    no promise broken in \(count)"
        : "\(broken.count.counted("broken promise")) in \(count)")
    return lines
  }

  var document: any Encodable {
    [
      "file": file, "date": date, "histories": histories, "events": events, "good": isGood,
      "findings": broken.map { broken -> Document in
        [
          "oracle": broken.finding.oracle.rawValue, "message": broken.finding.message,
          "date": broken.date, "events": broken.finding.events.map { $0 + 1 },
        ]
      },
    ] as Document
  }
}

/// A few events of a history for people: who, what, and from when to when.
enum EventLines {
  /// Times count from the first event.
  static func lines(_ history: RaceHistory) -> [String] {
    guard let start = history.events.map(\.from).min() else { return [] }
    func time(_ moment: Int) -> String {
      guard history.isInNanoseconds else { return "\(moment - start)" }
      return (Double(moment - start) / 1e6).fixed(3) + " ms"
    }
    let rows = history.events.map { event in
      [
        event.client.printable, what(event.observation).printable, time(event.from),
        event.to.map { "to \(time($0))" } ?? "and never ended",
      ]
    }
    return table(rows, numbers: 2..<3)
  }

  private static func what(_ observation: RaceHistory.Observation) -> String {
    switch observation {
    case .write(let id, _, let requests?, _): "publishes \(id) (\(requests) requests)"
    case .write(let id, _, nil, _): "publishes \(id)"
    case .read(let id): "resolves the day to \(id.map(\.rawValue) ?? "nothing")"
    case .pointer(.absent): "finds no latest.json"
    case .pointer(.corrupt): "finds latest.json corrupt"
    case .pointer(.names(let id)): "finds latest.json naming \(id)"
    case .revision(let id, nil): "finds no revision \(id)"
    case .revision(let id, let digest?): "reads revision \(id), SHA-256 \(digest.prefix(8))…"
    case .said(let numbers): "publishes \(numbers.words)"
    case .shown(let numbers): "finds at the end: \(numbers.words)"
    }
  }
}
