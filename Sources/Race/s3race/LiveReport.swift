import CommandLineKit
import Foundation
import HealthLedger
import HealthModel
import Race

/// The result of a race on a real store, as text for people and as part of the document of
/// docs/OUTPUT.md.
struct LiveReport {
  let result: LiveResult
  let plan: LivePlan

  init(_ result: LiveResult, _ plan: LivePlan) { (self.result, self.plan) = (result, plan) }

  var isGood: Bool { result.isGood }

  func print(_ format: OutputFormat, after model: RaceReport) throws(LedgerError) {
    switch format {
    case .json: try StandardStreams.write(document(after: model))
    case .text:
      let terminal = Terminal.standardOutput()
      let lines = try model.lines(terminal, isBrief: true) + [""] + lines(terminal)
      try StandardStreams.writeLine(lines.joined(separator: "\n"))
    }
  }

  private func lines(_ terminal: Terminal) -> [String] {
    let rows = [
      ("conditional writes", conditionalWrites), ("raced", raced), ("acknowledged", acknowledged),
      ("killed", killed), ("faults", faults), ("read", read), ("requests", requests),
    ]
    var lines = [terminal.styled("On \(result.store.printable)", .strong)]
    lines += rows.map { "  \($0.padded(to: 18))  \($1.printable)" }
    for endpoint in result.leftOut {
      lines.append("  \("left out".padded(to: 18))  \(endpoint.printable), which did not answer")
    }
    for (message, count) in result.tally.errors.sorted(by: { $0.value > $1.value }).prefix(3) {
      lines.append("  \("errors".padded(to: 18))  \(count.grouped) times: \(message.printable)")
    }
    if result.isVersioned {
      lines.append(
        "  note                the bucket is versioned: scratch objects stay as old versions")
    }
    if !result.controls.isEmpty {
      lines.append("")
      lines.append(
        terminal.styled("Controls on this store: broken on purpose and caught", .strong))
      lines += result.controls.map(controlLine)
    }
    return lines + [""] + verdict(terminal)
  }

  private var conditionalWrites: String {
    result.conditionalWrites
      + (result.movesPointer ? "" : ": no latest.json, readers list the revisions")
  }

  private var raced: String {
    let writers = "\(plan.writers) writers in \(plan.processes) processes"
    let ways = result.endpoints > 1 ? " over \(result.endpoints) endpoints" : ""
    let pollers = result.endpoints == 1 ? "1 poller" : "\(result.endpoints) pollers"
    let rounds = result.rounds == 1 ? "1 round" : "\(result.rounds.grouped) rounds"
    return "\(writers)\(ways), \(plan.readers) readers, \(pollers) of latest.json; \(rounds)"
  }

  private var acknowledged: String {
    let outcomes = result.tally.outcomes.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
      .map { "\($0.value.grouped) \($0.key.replacing("_", with: " "))" }
    let again = result.tally.failures
    return "\(result.tally.acknowledged.grouped) publishes: \(outcomes.joined(separator: ", "))"
      + (again == 0 ? "" : "; \(again.grouped) failed and were retried")
  }

  private var killed: String {
    result.kills == 0
      ? plan.kills == 0 ? "none" : "none: the rounds were over before a kill was due"
      : "\(result.kills.grouped) writer processes, by SIGKILL; each restart finished what they had begun"
  }

  private var faults: String {
    guard result.faults > 0 else { return "none" }
    let kinds = result.tally.faults.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
    return "\(result.faults.grouped): "
      + kinds.map { "\($0.key) \($0.value.grouped)" }.joined(separator: ", ")
  }

  private var read: String {
    "\(result.tally.resolves.grouped) resolves, \(result.tally.looks.grouped) reads of latest.json, "
      + "\(result.tally.revisionsRead.grouped) revisions"
  }

  private var requests: String {
    let publishes = max(1, result.tally.attempts)
    let mean = (Double(result.tally.requests) / Double(publishes)).fixed(1)
    return "\(mean) a publish, \(result.tally.mostRequests) at most; "
      + "\(RaceHistory.maximumRequestsOfLooks.grouped) are allowed"
  }

  private func controlLine(_ control: LiveResult.Control) -> String {
    let name = control.subject.rawValue.padded(to: 16)
    let what = control.subject.summary.padded(to: 44)
    guard let finding = control.finding else { return "  \(name)  \(what)  NOT CAUGHT" }
    let rounds = control.rounds == 1 ? "1 round" : "\(control.rounds) rounds"
    return "  \(name)  \(what)  \(finding.oracle.rawValue), \(rounds)"
  }

  private func verdict(_ terminal: Terminal) -> [String] {
    let seconds = result.duration.seconds.fixed(1)
    if let failure = result.failure {
      var lines = failure.findings.map {
        terminal.styled("broken", .bad) + "  \($0.message.printable)"
      }
      lines += ["", terminal.styled("The first of them, in round \(failure.round):", .strong)]
      lines += EventLines.lines(failure.counterexample)
      if let history = result.history {
        lines += ["", "history  \(history)", "check    s3race check \(history)"].map(
          \.printable)
      }
      return lines
    }
    if result.isInterrupted {
      return [
        terminal.styled("interrupted", .bad)
          + "  no regression in \(result.tally.acknowledged.grouped) publishes until then (\(seconds) s); "
          + "the round under way is not judged"
      ]
    }
    if !result.missedControls.isEmpty {
      let names = result.missedControls.map(\.subject.rawValue).joined(separator: ", ")
      return [
        terminal.styled("blind", .bad)
          + "  a control was not caught on this store: \(names); race longer or with more writers"
      ]
    }
    if result.tally.givenUp > 0 {
      let said =
        result.tally.errors.max { $0.value < $1.value }.map { ": \($0.key.printable)" } ?? ""
      return [
        terminal.styled("unfinished", .bad)
          + "  \(result.tally.givenUp.grouped) publishes never ended\(said)"
      ]
    }
    let met = [(result.faults, "faults"), (result.kills, "kills")]
    let shown = met.filter { $0.0 > 0 }.map { ", \($0.0.grouped) \($0.1)" }.joined()
    let others = met.filter { $0.0 == 0 }.map(\.1).joined(separator: " and no ")
    return [
      terminal.styled("good", .good)
        + "  no regression in \(result.tally.acknowledged.grouped) publishes on the store\(shown)"
        + " (\(seconds) s)"
    ] + (others.isEmpty ? [] : ["      it met no \(others), so it shows nothing about them"])
      + (result.history.map { ["history  \($0.printable)"] } ?? [])
  }
}
