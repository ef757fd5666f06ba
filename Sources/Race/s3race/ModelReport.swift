import ArgumentParser
import CommandLineKit
import Race

/// The result of a race without a store, as text for people and as the document of docs/OUTPUT.md.
struct ModelReport: CommandResult {
  let found: RaceReport
  let duration: Duration

  var exitCode: ExitCode { found.isGood ? .success : foundSomething }

  func lines(_ terminal: Terminal) -> [String] { lines(terminal, isBrief: false) }

  /// - Parameter isBrief: leaves out faults and decisions, because a short run can't have all of them.
  func lines(_ terminal: Terminal, isBrief: Bool) -> [String] {
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
    return table(
      [["states", "transitions", "ends", "interleavings", "longest", "world"]]
        + found.explored.map {
          [
            $0.states.grouped, $0.transitions.grouped, $0.ends.grouped,
            Self.short($0.interleavings), "\($0.longest)",
            $0.name + ($0.complete ? "" : ", UNFINISHED"),
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
    table(
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
    return table(
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

  /// Exact up to ten million, then with two digits and an exponent.
  private static func short(_ number: Double) -> String {
    number < 1e7 ? Int(number).grouped : number.exponential
  }

  private var digest: String {
    String(found.digest, radix: 16).leftPadded(to: 16).replacing(" ", with: "0")
  }
}

extension ModelReport {
  var document: any Encodable { members }

  var members: Document {
    var members: Document = [
      "good": found.isGood, "world": found.world, "schedules": found.schedules,
      "explorations": found.explored, "faults": found.faults, "faults_missing": found.unfired,
      "branches": ["taken": found.decisions, "not_taken": found.missedDecisions],
      "controls": found.controls.map { control in
        var members = Self.document(control.caught?.way)
        members["control"] = control.name
        members["summary"] = control.summary
        members["caught"] = control.caught != nil
        members["runs"] = control.caught?.runs
        return members
      },
    ]
    if found.runs > 0 {
      members["random"] =
        [
          "seed": "\(found.seed)", "runs": found.runs, "steps": found.steps, "digest": digest,
        ] as Document
    }
    if let failure = found.failure {
      var broken = Self.document(failure.way)
      broken["seed"] = failure.seed.map { "\($0)" }
      members["broken"] = broken
    }
    return members
  }

  private static func document(_ way: BrokenWay?) -> Document {
    guard let way else { return [:] }
    return ["oracle": way.breach.oracle, "message": way.breach.message, "steps": way.steps]
  }
}

/// Columns as wide as their cells; those of numbers are right-aligned.
func table(_ rows: [[String]], numbers: Range<Int>) -> [String] {
  let widths = (rows.first ?? []).indices.map { column in
    rows.map { $0[column].count }.max() ?? 0
  }
  return rows.map { row in
    let cells = zip(row.indices, row).map { column, cell in
      numbers.contains(column)
        ? cell.leftPadded(to: widths[column]) : cell.padded(to: widths[column])
    }
    var line = "  " + cells.joined(separator: "  ")
    while line.last == " " { line.removeLast() }
    return line
  }
}
