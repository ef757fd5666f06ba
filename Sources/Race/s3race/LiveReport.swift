import ArgumentParser
import CommandLineKit
import Foundation
import HealthLedger
import Race

/// The result of a race on the model and on a real store, as text for people and as the document of
/// docs/OUTPUT.md.
struct LiveReport: CommandResult {
  let result: LiveResult
  let plan: LivePlan
  let model: ModelReport
  /// Why scratch objects could not be removed.
  var leftover: LedgerError?

  private var site: RaceSite { result.site }

  var exitCode: ExitCode {
    leftover?.code.exitCode ?? (result.isGood ? model.exitCode : foundSomething)
  }

  func lines(_ terminal: Terminal) -> [String] {
    model.lines(terminal, isBrief: true) + [""] + store(terminal)
  }

  private func store(_ terminal: Terminal) -> [String] {
    let rows = [
      ("conditional writes", conditionalWrites), ("raced", raced), ("acknowledged", acknowledged),
      ("killed", killed), ("faults", faults), ("read", read), ("requests", requests),
    ]
    var lines = [terminal.styled("On \(site.name.printable)", .strong)]
    lines += rows.map { "  \($0.padded(to: 18))  \($1.printable)" }
    for endpoint in site.leftOut {
      lines.append("  \("left out".padded(to: 18))  \(endpoint.printable), which did not answer")
    }
    for (message, count) in result.tally.errors.sorted(by: { $0.value > $1.value }).prefix(3) {
      lines.append("  \("errors".padded(to: 18))  \(count.grouped) times: \(message.printable)")
    }
    if site.isVersioned {
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
    site.finding + (site.movesPointer ? "" : ": no latest.json, readers list the revisions")
  }

  private var raced: String {
    let writers = "\(plan.writers) writers in \(plan.processes) processes"
    let endpoints = site.directEndpoints.count
    let ways = endpoints > 1 ? " over \(endpoints) endpoints" : ""
    return
      "\(writers)\(ways), \(plan.readers) readers, \(endpoints.counted("poller")) of latest.json; "
      + result.rounds.counted("round")
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
    return "  \(name)  \(what)  \(finding.oracle.rawValue), \(control.rounds.counted("round"))"
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

extension LiveReport {
  /// The model's document with `store_race` added, and `good` for both.
  var document: any Encodable {
    let tally = result.tally
    var race: Document = [
      "good": result.isGood, "store": site.name, "scratch": site.scratch.prefix,
      "conditional_writes": site.finding, "moves_pointer": site.movesPointer,
      "writers": plan.writers, "processes": plan.processes, "readers": plan.readers,
      "endpoints": site.directEndpoints.count, "endpoints_left_out": site.leftOut,
      "seed": "\(plan.seed)", "rounds": result.rounds, "seconds": result.duration.seconds,
      "acknowledged": tally.acknowledged, "outcomes": tally.outcomes,
      "failed_attempts": tally.failures, "given_up": tally.givenUp, "errors": tally.errors,
      "kills": result.kills, "faults": tally.faults, "resolves": tally.resolves,
      "pointer_looks": tally.looks, "revisions_read": tally.revisionsRead,
      "unanswered_reads": tally.unansweredReads, "requests": tally.requests,
      "most_requests": tally.mostRequests,
      "controls": result.controls.map { control in
        var members: Document = [
          "control": control.subject.rawValue, "caught": control.finding != nil,
          "rounds": control.rounds,
        ]
        members["oracle"] = control.finding?.oracle.rawValue
        return members
      },
      "findings": (result.failure?.findings ?? []).map { finding -> Document in
        ["oracle": finding.oracle.rawValue, "message": finding.message]
      },
    ]
    if result.isInterrupted { race["interrupted"] = true }
    race["history"] = result.history
    race["counterexample"] = result.failure?.counterexample.events.map { event in
      String(decoding: HistoryFile.encode(event), as: UTF8.self)
    }
    var members = model.members
    members["good"] = model.found.isGood && result.isGood
    members["store_race"] = race
    return members
  }
}
