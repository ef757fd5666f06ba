import HealthLedger
import HealthModel

/// How old what was found is (R37).
struct Freshness {
  let newest: StoredRevision

  /// The members of both tools' answers; `now` is this machine's clock.
  func members(now: Timestamp) -> [String: JSONValue] {
    let generated = newest.revision.generatedAt
    let age = now.secondsSince1970 - generated.secondsSince1970
    var members: [String: JSONValue] = [
      "generated_at": .string("\(generated)"), "age_seconds": .number(Double(age)),
    ]
    members["captured_at"] = newest.revision.capturedAt.map { .string("\($0)") }
    return members
  }
}
