import CommandLineKit
import HealthModel
import Race

extension LiveReport {
  /// The model's document with `store_race` added, and `good` for both.
  func document(after model: ModelReport) -> JSONValue {
    var members = model.document.objectValue ?? [:]
    members["good"] = .bool(members["good"] == .bool(true) && isGood)
    members["store_race"] = storeRace
    return .object(members)
  }

  private var storeRace: JSONValue {
    let tally = result.tally
    var members: [String: JSONValue] = [
      "good": .bool(isGood), "store": .string(result.store), "scratch": .string(result.scratch),
      "conditional_writes": .string(result.conditionalWrites),
      "moves_pointer": .bool(result.movesPointer), "writers": .count(plan.writers),
      "processes": .count(plan.processes), "readers": .count(plan.readers),
      "endpoints": .count(result.endpoints),
      "endpoints_left_out": .array(result.leftOut.map { .string($0) }),
      "seed": .string("\(plan.seed)"),
      "rounds": .count(result.rounds), "seconds": .number(result.duration.seconds),
      "acknowledged": .count(tally.acknowledged),
      "outcomes": .object(tally.outcomes.mapValues(JSONValue.count)),
      "failed_attempts": .count(tally.failures), "given_up": .count(tally.givenUp),
      "errors": .object(tally.errors.mapValues(JSONValue.count)),
      "kills": .count(result.kills), "faults": .object(tally.faults.mapValues(JSONValue.count)),
      "resolves": .count(tally.resolves), "pointer_looks": .count(tally.looks),
      "revisions_read": .count(tally.revisionsRead),
      "unanswered_reads": .count(tally.unansweredReads),
      "requests": .count(tally.requests), "most_requests": .count(tally.mostRequests),
      "controls": .array(result.controls.map(Self.document)),
      "findings": .array((result.failure?.findings ?? []).map(Self.document)),
    ]
    if result.isInterrupted { members["interrupted"] = .bool(true) }
    members["history"] = result.history.map(JSONValue.string)
    if let failure = result.failure {
      members["counterexample"] = .array(
        failure.counterexample.events.map { event in
          .string(String(decoding: HistoryFile.encode(event), as: UTF8.self))
        })
    }
    return .object(members)
  }

  private static func document(_ control: LiveResult.Control) -> JSONValue {
    var members: [String: JSONValue] = [
      "control": .string(control.subject.rawValue), "caught": .bool(control.finding != nil),
      "rounds": .count(control.rounds),
    ]
    members["oracle"] = control.finding.map { .string($0.oracle.rawValue) }
    return .object(members)
  }

  private static func document(_ finding: HistoryFinding) -> JSONValue {
    .object([
      "oracle": .string(finding.oracle.rawValue), "message": .string(finding.message),
    ])
  }
}
