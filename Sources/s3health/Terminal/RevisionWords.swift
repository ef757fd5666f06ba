import HealthLedger
import HealthModel

extension RejectedRevision {
  /// The reason, in one line.
  var why: String {
    switch reason {
    case .missing: "the pointer names it, and it does not exist"
    case .invalid(let violations):
      violations.first.map { first in
        violations.count == 1 ? first.line : "\(first.line), and \(violations.count - 1) more"
      } ?? "not valid"
    }
  }
}

extension Violation {
  /// The violation in one line.
  var line: String { "\(message)\(pointer.isEmpty ? "" : " at \(pointer)") [\(rule)]" }
}
