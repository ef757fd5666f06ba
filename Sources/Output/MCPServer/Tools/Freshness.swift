import HealthLedger
import HealthModel

/// How old the data is (R51).
struct Freshness {
  let newest: StoredRevision

  /// The members in both tools' answers. `now` is this machine's clock.
  ///
  /// The age counts from the older of the two moments, so that old data that was published late
  /// does not look fresh. If that moment is in the future, the age is 0 and a member says so.
  func members(now: Timestamp) -> [String: JSONValue] {
    let (generated, captured) = (newest.revision.generatedAt, newest.revision.capturedAt)
    let oldest = min(generated, captured ?? generated)
    let age = now.secondsSince1970 - oldest.secondsSince1970
    var members: [String: JSONValue] = [
      "generated_at": .string("\(generated)"), "age_seconds": .number(Double(max(0, age))),
    ]
    members["captured_at"] = captured.map { .string("\($0)") }
    if age < 0 { members["clock_behind"] = true }
    return members
  }
}
