import CommandLineKit
import Foundation
import HealthLedger
import HealthModel
import Race

/// The result of a race, as text for people and as the document of docs/OUTPUT.md.
struct RaceReport {
  private let report: ModelRace.Report
  private let seed: UInt64
  private let duration: Duration

  init(_ report: ModelRace.Report, seed: UInt64, duration: Duration) {
    (self.report, self.seed, self.duration) = (report, seed, duration)
  }

  func print(_ format: OutputFormat) throws(LedgerError) {
    switch format {
    case .json: try StandardStreams.write(document)
    case .text:
      try StandardStreams.writeLine(try lines(.standardOutput()).joined(separator: "\n"))
    }
  }

  /// - Parameter isBrief: leaves out the branches, because a short run can't take all of them.
  func lines(_ terminal: Terminal, isBrief: Bool = false) throws(LedgerError) -> [String] {
    var lines: [String] = []
    if !report.explorations.isEmpty {
      lines.append(terminal.styled("Every interleaving", .strong))
      lines += Self.table(
        [
          [
            "pointer", "writers", "readers", "faults", "crashes", "states", "transitions",
            "interleavings", "longest", "",
          ]
        ] + report.explorations.map(Self.row), numbersFrom: 1)
      lines.append("")
    }
    if let campaign = report.campaign {
      lines.append(terminal.styled("Random schedules", .strong))
      let last = seed &+ UInt64(campaign.runs - 1)
      lines.append(
        "  seeds \(seed) to \(last): \(campaign.runs.grouped) runs, "
          + "\(campaign.steps.grouped) requests, \(campaign.faults.grouped) faults and crashes")
      lines.append(
        "  "
          + Strategy.allCases.map { "\($0.rawValue) \((campaign.runsOfStrategy[$0] ?? 0).grouped)" }
          .joined(separator: ", ") + "; log digest \(hex(campaign.digest))")
      lines.append("")
    }
    if !isBrief { lines += branchLines(terminal) }
    lines += controlLines(terminal)
    lines += try verdict(terminal)
    return lines
  }

  private func branchLines(_ terminal: Terminal) -> [String] {
    let missing = PublishBranch.allCases.filter { !report.branches.contains($0) }
    let count = PublishBranch.allCases.count
    return [
      terminal.styled("Branches of the publish machine", .strong),
      "  \(count - missing.count) of \(count) taken",
    ] + missing.map { "  not taken  \($0.rawValue)" } + [""]
  }

  private func controlLines(_ terminal: Terminal) -> [String] {
    let rows = report.kills.map { kill in
      guard let failure = kill.report.failure else {
        return [kill.subject.name, "NOT CAUGHT", "", kill.report.runs.grouped, ""]
      }
      return [
        kill.subject.name, failure.breach.oracle, failure.strategy.rawValue,
        kill.report.runs.grouped, "\(failure.shortest.steps.count)",
      ]
    }
    return [terminal.styled("Negative controls: broken on purpose and caught", .strong)]
      + Self.table(
        [["control", "caught by", "schedule", "runs", "shortest"]] + rows, numbersFrom: 3)
      + [""]
  }

  private func verdict(_ terminal: Terminal) throws(LedgerError) -> [String] {
    let seconds = duration.seconds.fixed(1)
    if let failure = report.failure {
      let timeline: Timeline
      do {
        timeline = try Timeline(failure.schedule)
      } catch {
        throw LedgerError(.internal, "the schedule can't be shown: \(error)")
      }
      return TimelineReport(timeline).lines(terminal)
    }
    if !report.missedControls.isEmpty {
      let names = report.missedControls.map(\.subject.name).joined(separator: ", ")
      return [terminal.styled("blind", .bad) + "  a control was not caught: \(names)"]
    }
    if report.isIncomplete {
      return [
        terminal.styled("unfinished", .doubtful)
          + "  an exploration reached its bound; raise --max-states or lower the budgets"
      ]
    }
    let faults = report.campaign.map { ", \($0.faults.grouped) faults drawn at random" } ?? ""
    return [
      terminal.styled("good", .good)
        + "  no regression in \(Self.short(report.schedules)) schedules\(faults) (\(seconds) s)"
    ]
  }

  private static func row(_ exploration: ExhaustiveReport) -> [String] {
    let scenario = exploration.scenario
    var notes: [String] = []
    if scenario.clocks == .same { notes.append("ids collide") }
    if scenario.hasTwins { notes.append("two with the same data") }
    if scenario.hasOutdated { notes.append("one with older data") }
    if !scenario.movesPointer { notes.append("no compare-and-swap") }
    if scenario.interference > 0 { notes.append("interference") }
    if scenario.isAtCalendarEnd { notes.append("an id of the calendar's last second") }
    if !exploration.isComplete { notes.append("UNFINISHED") }
    if exploration.breach != nil { notes.append("BROKEN") }
    return [
      scenario.start.rawValue, "\(scenario.writers)", "\(scenario.readers)", "\(scenario.faults)",
      "\(scenario.crashes)", exploration.states.grouped, exploration.transitions.grouped,
      short(exploration.interleavings), "\(exploration.depth)", notes.joined(separator: ", "),
    ]
  }

  /// Columns as wide as their cells. Columns from `numbersFrom` on are right-aligned, except notes.
  ///
  /// - Parameter wordsFrom: columns from here on are words again.
  static func table(
    _ rows: [[String]], numbersFrom: Int, wordsFrom: Int = .max
  ) -> [String] {
    let widths = (rows.first ?? []).indices.map { column in rows.map { $0[column].count }.max() ?? 0
    }
    return rows.map { row in
      var line = ""
      for (column, cell) in row.enumerated() {
        let isNote = rows[0][column].isEmpty
        let gap = String(repeating: " ", count: widths[column] - cell.count)
        line +=
          "  " + (column >= numbersFrom && column < wordsFrom && !isNote ? gap + cell : cell + gap)
      }
      while line.last == " " { line.removeLast() }
      return line
    }
  }

  /// Exact up to a million, then with two digits and an exponent.
  private static func short(_ number: Double) -> String {
    number < 1e7 ? Int(number).grouped : number.exponential
  }

  private func hex(_ digest: UInt64) -> String {
    let digits = String(digest, radix: 16)
    return String(repeating: "0", count: 16 - digits.utf8.count) + digits
  }

  var document: JSONValue {
    var members: [String: JSONValue] = [
      "good": .bool(report.isGood), "schedules": .number(report.schedules),
      "explorations": .array(report.explorations.map(Self.document)),
      "branches": .object([
        "taken": .array(names { report.branches.contains($0) }),
        "not_taken": .array(names { !report.branches.contains($0) }),
      ]),
      "controls": .array(report.kills.map(Self.document)),
    ]
    if let campaign = report.campaign {
      members["random"] = .object([
        "seed": .string("\(seed)"), "runs": .number(Double(campaign.runs)),
        "requests": .number(Double(campaign.steps)), "faults": .number(Double(campaign.faults)),
        "digest": .string(hex(campaign.digest)),
      ])
    }
    if let failure = report.failure {
      members["broken"] = .object([
        "message": .string(failure.breach.description),
        "oracle": .string(failure.breach.oracle), "schedule": .string(failure.schedule.text),
      ])
    }
    return .object(members)
  }

  private func names(_ condition: (PublishBranch) -> Bool) -> [JSONValue] {
    PublishBranch.allCases.filter(condition).map { .string($0.rawValue) }
  }

  private static func document(_ exploration: ExhaustiveReport) -> JSONValue {
    let scenario = exploration.scenario
    return .object([
      "start": .string(scenario.start.rawValue), "writers": .number(Double(scenario.writers)),
      "readers": .number(Double(scenario.readers)), "faults": .number(Double(scenario.faults)),
      "crashes": .number(Double(scenario.crashes)), "clocks": .string(scenario.clocks.rawValue),
      "interference": .number(Double(scenario.interference)), "twins": .bool(scenario.hasTwins),
      "outdated": .bool(scenario.hasOutdated),
      "states": .number(Double(exploration.states)),
      "transitions": .number(Double(exploration.transitions)),
      "interleavings": .number(exploration.interleavings),
      "longest": .number(Double(exploration.depth)), "complete": .bool(exploration.isComplete),
    ])
  }

  private static func document(_ kill: Kill) -> JSONValue {
    var members: [String: JSONValue] = [
      "control": .string(kill.subject.name), "caught": .bool(kill.isCaught),
      "runs": .number(Double(kill.report.runs)),
    ]
    if let failure = kill.report.failure {
      members["oracle"] = .string(failure.breach.oracle)
      members["strategy"] = .string(failure.strategy.rawValue)
      members["schedule"] = .string(failure.shortest.text)
    }
    return .object(members)
  }
}
