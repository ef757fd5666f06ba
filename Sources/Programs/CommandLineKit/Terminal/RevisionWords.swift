package import HealthLedger
package import HealthModel

extension RejectedRevision {
  /// The reason, in one line.
  package var why: String {
    switch reason {
    case .missing: "the pointer names it, and it does not exist"
    case .invalid(let violations):
      violations.first.map { first in
        violations.count == 1 ? first.line : "\(first.line), and \(violations.count - 1) more"
      } ?? "not valid"
    }
  }

  /// How a command that reads the day describes it.
  package func note(on date: CalendarDate) -> DayNote {
    DayNote(
      on: date, kind: "skipped \(kind)", "skipped revision \(id): \(why)",
      ofSeveral: "skipped revisions: \(why)")
  }

  private var kind: String {
    switch reason {
    case .missing: ""
    case .invalid(let violations): violations.first?.kind ?? ""
    }
  }
}

extension StoredRevision {
  /// How a command that reads the day describes the rules that the revision breaks although it is
  /// readable (R41).
  package func nonconformities(on date: CalendarDate) -> [DayNote] {
    violations.map { violation in
      DayNote(
        on: date, kind: "nonconforming \(violation.kind)",
        "revision \(id) does not conform: \(violation.line)",
        ofSeveral: "revisions that do not conform: \(violation.line)")
    }
  }
}

extension Resolution {
  /// What a command that shows the day's numbers, or hands them on, must say of them: what was
  /// skipped, and which rules the answer breaks.
  package var notes: [DayNote] {
    rejected.map { $0.note(on: date) } + (latest?.nonconformities(on: date) ?? [])
  }
}

extension Violation {
  /// The violation in one line.
  package var line: String { "\(message)\(pointer.isEmpty ? "" : " at \(pointer)") [\(rule)]" }

  /// What violations of several days have in common that are reported together.
  fileprivate var kind: String { "\(rule) \(code) \(pointer)" }
}
