import CommandLineKit
import HealthLedger
import HealthModel
import Race

/// A recorded history as a list of events, for people, with the broken promises at its end.
struct HistoryTimelineReport {
  let file: String
  let history: RaceHistory
  let findings: [HistoryFinding]

  init(file: String, history: RaceHistory) {
    (self.file, self.history, findings) = (file, history, history.findings())
  }

  func print(_ format: OutputFormat) throws(LedgerError) {
    switch format {
    case .json:
      var report = HistoryReport(file: file)
      report.judge(history)
      try report.print(.json)
    case .text:
      try StandardStreams.writeLine(lines(.standardOutput()).joined(separator: "\n"))
    }
  }

  /// One end of an event: the request or the result.
  private struct Moment {
    let time: Int
    let event: Int
    let words: String
  }

  /// Two lines for an event that takes time, one for a read. Times count from the first event.
  private func lines(_ terminal: Terminal) -> [String] {
    let concerned = Set(findings.flatMap(\.events))
    let moments = moments()
    let start = moments.first?.time ?? 0
    let timeWidth = moments.last.map { "\($0.time - start)".count } ?? 1
    let whoWidth = history.events.map(\.client.printable.count).max() ?? 0
    var lines = [
      terminal.styled("\(history.events.count.grouped) events of \(history.date)", .strong)
    ]
    for moment in moments {
      let time = String(moment.time - start)
      let gap = String(repeating: " ", count: timeWidth - time.count)
      let who = history.events[moment.event].client.printable.padded(to: whoWidth)
      let isConcerned = concerned.contains(moment.event)
      lines.append(
        "\(isConcerned ? "! " : "  ")\(gap)\(time)  \(who)  "
          + (isConcerned ? terminal.styled(moment.words, .bad) : moment.words))
    }
    for finding in findings {
      lines.append(terminal.styled("broken", .bad) + "  \(finding.message.printable)")
    }
    if findings.isEmpty { lines.append(terminal.styled("good", .good) + "    no promise broken") }
    return lines
  }

  /// Sorted by time. At the same time, requests come before results, because intervals that touch
  /// overlap.
  private func moments() -> [Moment] {
    var begun: [Moment] = []
    var ended: [Moment] = []
    for (index, event) in history.events.enumerated() {
      let (asked, answered) = Self.words(event)
      guard event.to != event.from else {
        begun.append(
          Moment(time: event.from, event: index, words: "\(asked): \(answered)".printable))
        continue
      }
      begun.append(Moment(time: event.from, event: index, words: asked.printable))
      guard let to = event.to else { continue }
      ended.append(Moment(time: to, event: index, words: "\(asked): \(answered)".printable))
    }
    // Sorting is stable: events with the same time stay in the order of the file.
    return (begun + ended).sorted { $0.time < $1.time }
  }

  private static func words(_ event: RaceHistory.Event) -> (String, String) {
    switch event.observation {
    case .write(let id, _, let requests, let movesPointer):
      let count = requests.map { ", \($0) requests" } ?? ""
      let note = movesPointer ? "" : " without the pointer"
      return (
        "publishes \(id)\(note)\(event.to == nil ? " and never gets an answer" : "")",
        "acknowledged\(count)"
      )
    case .read(let id): return ("resolves", id.map { "\($0)" } ?? "nothing")
    case .pointer(let pointer):
      switch pointer {
      case .absent: return ("latest.json", "absent")
      case .corrupt: return ("latest.json", "corrupt")
      case .names(let id): return ("latest.json", "\(id)")
      }
    case .revision(let id, let digest):
      return ("revision \(id)", digest.map { "bytes \($0.prefix(12))" } ?? "not there")
    case .said(let numbers):
      return ("publishes \(numbers.words)", "acknowledged")
    case .shown(let numbers): return ("the day at the end", numbers.words)
    }
  }
}
