import CommandLineKit
import HealthLedger
import HealthModel
import Race

/// The result of `s3race model --world hubs` or `outbox`, as text for people and as the document of docs/OUTPUT.md.
struct StreamRaceReport {
  private let report: StreamRace.Report
  private let place: StreamRace.Place
  private let seed: UInt64
  private let duration: Duration

  init(
    _ report: StreamRace.Report, _ place: StreamRace.Place, seed: UInt64, duration: Duration
  ) {
    (self.report, self.place, self.seed, self.duration) = (report, place, seed, duration)
  }

  var isGood: Bool { report.isGood }

  func print(_ format: OutputFormat) throws(LedgerError) {
    switch format {
    case .json: try StandardStreams.write(document)
    case .text:
      try StandardStreams.writeLine(lines(.standardOutput()).joined(separator: "\n"))
    }
  }

  private func lines(_ terminal: Terminal) -> [String] {
    var lines: [String] = []
    if !report.explored.isEmpty {
      lines.append(terminal.styled("Every order of events", .strong))
      lines += RaceReport.table(
        [["world", "states", "transitions", "ends", ""]]
          + report.explored.map {
            [
              $0.name, $0.states.grouped, $0.transitions.grouped, $0.ends.grouped,
              $0.isComplete ? "" : "UNFINISHED",
            ]
          }, numbersFrom: 1)
      lines.append("")
    }
    if report.runs > 0 {
      lines.append(terminal.styled("Random orders", .strong))
      lines.append(
        "  seeds \(seed) to \(seed &+ UInt64(report.runs - 1)): \(report.runs.grouped) runs, "
          + "\(report.steps.grouped) steps")
      lines.append("")
    }
    if !report.faults.isEmpty {
      lines.append(terminal.styled("What went wrong on the way", .strong))
      lines += RaceReport.table(
        report.faults.sorted { $0.key < $1.key }.map { [$0.key, $0.value.grouped] },
        numbersFrom: 1)
      lines += report.unfired.map { "  never happened  \($0)" }
      lines.append("")
    }
    if !report.controls.isEmpty {
      lines.append(terminal.styled("Negative controls: broken on purpose and caught", .strong))
      lines += RaceReport.table(
        [["control", "runs", "steps", "caught by"]]
          + report.controls.map { control in
            guard let caught = control.caught else {
              return [control.name, "", "", "NOT CAUGHT"]
            }
            return [
              control.name, caught.runs?.grouped ?? "all", "\(caught.steps.count)", caught.breach,
            ]
          }, numbersFrom: 1, wordsFrom: 3)
      lines.append("")
    }
    return lines + verdict(terminal)
  }

  private func verdict(_ terminal: Terminal) -> [String] {
    if let failure = report.failure {
      let width = "\(failure.steps.count)".count
      return failure.steps.enumerated().map { number, step in
        let text = "\(number + 1)"
        return "  " + String(repeating: " ", count: width - text.count) + text + "  " + step
      } + [
        "", terminal.styled("broken", .bad) + "  \(failure.breach)",
      ]
        + (failure.seed.map { ["replay  s3race replay --world \(place.rawValue) \($0)"] }
          ?? [])
    }
    if !report.missed.isEmpty {
      return [
        terminal.styled("blind", .bad)
          + "  a control was not caught: \(report.missed.joined(separator: ", "))"
      ]
    }
    if !report.isComplete {
      return [
        terminal.styled("unfinished", .doubtful)
          + "  an exploration reached its bound; raise --max-states"
      ]
    }
    if !report.unfired.isEmpty {
      return [terminal.styled("blind", .bad) + "  a planned fault never happened; raise --runs"]
    }
    let states = report.explored.reduce(0) { $0 + $1.states }
    let counted = [
      states > 0 ? "\(states.grouped) states" : nil,
      report.runs > 0 ? "\(report.runs.grouped) random runs" : nil,
    ].compactMap(\.self).joined(separator: " and ")
    return [
      terminal.styled("good", .good)
        + "  no promise broken in \(counted) (\(duration.seconds.fixed(1)) s)"
    ]
  }

  private var document: JSONValue {
    var members: [String: JSONValue] = [
      "good": .bool(report.isGood), "world": .string(place.rawValue),
      "explorations": .array(
        report.explored.map {
          .object([
            "name": .string($0.name), "states": .number(Double($0.states)),
            "transitions": .number(Double($0.transitions)), "ends": .number(Double($0.ends)),
            "complete": .bool($0.isComplete),
          ])
        }),
      "faults": .object(report.faults.mapValues { .number(Double($0)) }),
      "faults_missing": .array(report.unfired.map(JSONValue.string)),
      "controls": .array(report.controls.map(Self.document)),
    ]
    if report.runs > 0 {
      members["random"] = .object([
        "seed": .string("\(seed)"), "runs": .number(Double(report.runs)),
        "steps": .number(Double(report.steps)),
      ])
    }
    if let failure = report.failure {
      var broken: [String: JSONValue] = [
        "message": .string(failure.breach), "steps": .array(failure.steps.map(JSONValue.string)),
      ]
      broken["seed"] = failure.seed.map { .string("\($0)") }
      members["broken"] = .object(broken)
    }
    return .object(members)
  }

  private static func document(_ control: StreamRace.Report.Control) -> JSONValue {
    var members: [String: JSONValue] = [
      "control": .string(control.name), "summary": .string(control.summary),
      "caught": .bool(control.caught != nil),
    ]
    if let caught = control.caught {
      members["message"] = .string(caught.breach)
      members["runs"] = caught.runs.map { .number(Double($0)) }
      members["steps"] = .array(caught.steps.map(JSONValue.string))
    }
    return .object(members)
  }
}

/// One run of a world of hubs, request by request (`s3race replay --world hubs`).
struct StreamRunReport {
  let breach: String?
  private let title: String
  private let steps: [String]

  init(seed: UInt64, _ flaw: HubFlaw, isShrunk: Bool) {
    let (start, played) = StreamRace.hubRun(seed, flaw: flaw)
    let run = isShrunk ? played.shrunk(of: start) : played
    (breach, steps) = (run.breach, run.lines(from: start))
    title =
      flaw == .none
      ? "two hubs and a sweeper: \(StreamRace.randomHubs(seed).name)"
      : "broken on purpose: \(flaw.summary)"
  }

  func print(_ format: OutputFormat) throws(LedgerError) {
    switch format {
    case .json:
      var members: [String: JSONValue] = [
        "world": .string(RaceWorld.hubs.rawValue), "good": .bool(breach == nil),
        "steps": .array(steps.map(JSONValue.string)),
      ]
      members["broken"] = breach.map(JSONValue.string)
      try StandardStreams.write(.object(members))
    case .text:
      let terminal = Terminal.standardOutput()
      let width = "\(steps.count)".count
      let lines = steps.enumerated().map { number, step in
        let text = "\(number + 1)"
        return "  " + String(repeating: " ", count: width - text.count) + text + "  " + step
      }
      let verdict =
        breach.map { terminal.styled("broken", .bad) + "  \($0)" }
        ?? terminal.styled("good", .good) + "    no promise broken"
      try StandardStreams.writeLine(
        ([terminal.styled(title, .strong)] + lines + ["", verdict]).joined(separator: "\n"))
    }
  }
}
