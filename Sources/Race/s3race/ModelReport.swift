import CommandLineKit
import HealthLedger
import HealthModel
import Race

/// The result of a race without a store, as text for people and as the document of docs/OUTPUT.md.
struct ModelReport {
  private let found: RaceReport
  private let duration: Duration

  init(_ found: RaceReport, duration: Duration) { (self.found, self.duration) = (found, duration) }

  var isGood: Bool { found.isGood }

  func print(_ format: OutputFormat) throws(LedgerError) {
    switch format {
    case .json: try StandardStreams.write(document)
    case .text:
      try StandardStreams.writeLine(lines(.standardOutput()).joined(separator: "\n"))
    }
  }

  /// - Parameter isBrief: leaves out faults and decisions, because a short run can't have all of them.
  func lines(_ terminal: Terminal, isBrief: Bool = false) -> [String] {
    var parts: [(title: String, lines: [String])] = [
      ("Every order of events", explored), ("Random orders", random),
    ]
    if !isBrief {
      parts += [
        ("What went wrong on the way", faults), ("Decisions of the publish machine", decisions),
      ]
    }
    parts.append(("Negative controls: broken on purpose and caught", controls))
    return parts.filter { !$0.lines.isEmpty }
      .flatMap { [terminal.styled($0.title, .strong)] + $0.lines + [""] } + verdict(terminal)
  }

  private var explored: [String] {
    guard !found.explored.isEmpty else { return [] }
    return Self.table(
      [["states", "transitions", "ends", "interleavings", "longest", "world"]]
        + found.explored.map {
          [
            $0.states.grouped, $0.transitions.grouped, $0.ends.grouped,
            Self.short($0.interleavings), "\($0.depth)",
            $0.title + ($0.isComplete ? "" : ", UNFINISHED"),
          ]
        }, numbers: 0..<5)
  }

  private var random: [String] {
    guard found.runs > 0 else { return [] }
    return [
      "  seeds \(found.seed) to \(found.seed &+ UInt64(found.runs - 1)): \(found.runs.grouped) runs, "
        + "\(found.steps.grouped) steps; log digest \(digest)"
    ]
  }

  private var faults: [String] {
    Self.table(
      found.faults.sorted { $0.key < $1.key }.map { [$0.value.grouped, $0.key] }, numbers: 0..<1)
      + found.unfired.map { "  never happened  \($0)" }
  }

  private var decisions: [String] {
    let (taken, missed) = (found.decisions, found.missedDecisions)
    guard !taken.isEmpty || !missed.isEmpty else { return [] }
    return ["  \(taken.count) of \(taken.count + missed.count) taken"]
      + missed.map { "  not taken  \($0)" }
  }

  private var controls: [String] {
    guard !found.controls.isEmpty else { return [] }
    return Self.table(
      [["control", "runs", "steps", "caught by"]]
        + found.controls.map { control in
          guard let caught = control.caught else {
            return [control.name, "", "", "NOT CAUGHT"]
          }
          return [
            control.name, caught.runs?.grouped ?? "all", "\(caught.way.steps.count)",
            caught.way.breach.oracle,
          ]
        }, numbers: 1..<3)
  }

  private func verdict(_ terminal: Terminal) -> [String] {
    let seconds = duration.seconds.fixed(1)
    if let failure = found.failure {
      return Self.lines(failure.way.title, failure.way.steps, failure.way.breach, terminal)
        + (failure.seed.map {
          [
            "replay  s3race replay \($0) --shrink"
              + (found.world == LedgerField.name ? "" : " --world \(found.world)")
          ]
        } ?? [])
    }
    if !found.missed.isEmpty {
      return [
        terminal.styled("blind", .bad)
          + "  a control was not caught: \(found.missed.joined(separator: ", "))"
      ]
    }
    if !found.isComplete {
      return [
        terminal.styled("unfinished", .doubtful)
          + "  an exploration reached its bound; raise --max-states or lower the budgets"
      ]
    }
    if !found.unfired.isEmpty {
      return [terminal.styled("blind", .bad) + "  a planned fault never happened; raise --runs"]
    }
    return [
      terminal.styled("good", .good)
        + "  no promise broken in \(Self.short(found.schedules)) orders (\(seconds) s)"
    ]
  }

  /// A way through a world, and what it has broken.
  static func lines(
    _ title: String, _ steps: [String], _ breach: Breach?, _ terminal: Terminal
  ) -> [String] {
    let verdict =
      breach.map { terminal.styled("broken", .bad) + "  \($0)" }
      ?? terminal.styled("good", .good) + "    no promise broken"
    return [terminal.styled(title, .strong)]
      + table(steps.enumerated().map { ["\($0 + 1)", $1] }, numbers: 0..<1) + ["", verdict]
  }

  /// Columns as wide as their cells; those of numbers are right-aligned.
  private static func table(_ rows: [[String]], numbers: Range<Int>) -> [String] {
    let widths = (rows.first ?? []).indices.map { column in
      rows.map { $0[column].count }.max() ?? 0
    }
    return rows.map { row in
      var line = ""
      for (column, cell) in row.enumerated() {
        let gap = String(repeating: " ", count: widths[column] - cell.count)
        line += "  " + (numbers.contains(column) ? gap + cell : cell + gap)
      }
      while line.last == " " { line.removeLast() }
      return line
    }
  }

  /// Exact up to ten million, then with two digits and an exponent.
  private static func short(_ number: Double) -> String {
    number < 1e7 ? Int(number).grouped : number.exponential
  }

  private var digest: String {
    let digits = String(found.digest, radix: 16)
    return String(repeating: "0", count: 16 - digits.utf8.count) + digits
  }
}

extension ModelReport {
  var document: JSONValue {
    var members: [String: JSONValue] = [
      "good": .bool(found.isGood), "world": .string(found.world),
      "schedules": .number(found.schedules),
      "explorations": .array(
        found.explored.map {
          .object([
            "name": .string($0.title), "states": .count($0.states),
            "transitions": .count($0.transitions), "ends": .count($0.ends),
            "interleavings": .number($0.interleavings), "longest": .count($0.depth),
            "complete": .bool($0.isComplete),
          ])
        }),
      "faults": .object(found.faults.mapValues(JSONValue.count)),
      "faults_missing": .array(found.unfired.map(JSONValue.string)),
      "branches": .object([
        "taken": .array(found.decisions.map(JSONValue.string)),
        "not_taken": .array(found.missedDecisions.map(JSONValue.string)),
      ]),
      "controls": .array(
        found.controls.map { control in
          var members: [String: JSONValue] = [
            "control": .string(control.name), "summary": .string(control.summary),
            "caught": .bool(control.caught != nil),
          ]
          if let caught = control.caught {
            members.merge(Self.document(caught.way)) { $1 }
            members["runs"] = caught.runs.map(JSONValue.count)
          }
          return .object(members)
        }),
    ]
    if found.runs > 0 {
      members["random"] = .object([
        "seed": .string("\(found.seed)"), "runs": .count(found.runs),
        "steps": .count(found.steps), "digest": .string(digest),
      ])
    }
    if let failure = found.failure {
      var broken = Self.document(failure.way)
      broken["seed"] = failure.seed.map { .string("\($0)") }
      members["broken"] = .object(broken)
    }
    return .object(members)
  }

  private static func document(_ way: BrokenWay) -> [String: JSONValue] {
    [
      "oracle": .string(way.breach.oracle), "message": .string(way.breach.message),
      "steps": .array(way.steps.map(JSONValue.string)),
    ]
  }
}
