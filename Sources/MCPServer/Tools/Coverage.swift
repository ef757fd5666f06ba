import HealthLedger
import HealthModel

/// Which of the dates asked for have data, and why the others have none (R51).
struct Coverage {
  private var asked = 0
  private(set) var found = 0
  private var missing = DateSpans()
  /// By date, the code of what is wrong with the newest revision.
  private var invalid: [String: JSONValue] = [:]
  private var fellBack: [String: JSONValue] = [:]

  /// Adds the date of a resolution, later than all others.
  mutating func add(_ resolution: Resolution) {
    asked += 1
    if resolution.latest != nil {
      found += 1
      if let code = resolution.rejected.first?.code {
        fellBack["\(resolution.date)"] = .string(code)
      }
    } else if let broken = resolution.rejected.first(where: { $0.reason != .missing }) {
      invalid["\(resolution.date)"] = .string(broken.code)
    } else {
      missing.add(resolution.date)
    }
  }

  var json: JSONValue {
    [
      "asked": .number(Double(asked)), "found": .number(Double(found)), "missing": missing.json,
      "invalid": .object(invalid), "fell_back": .object(fellBack),
    ]
  }
}

extension RejectedRevision {
  /// Why, as `verify` codes it.
  var code: String {
    switch reason {
    case .missing: "pointer_dangling"
    case .invalid(let violations): violations.first?.code ?? "invalid"
    }
  }
}
