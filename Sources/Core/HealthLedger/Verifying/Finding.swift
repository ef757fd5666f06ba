public import HealthModel

/// One finding of verification, with a stable code (R35).
public struct Finding: Hashable, Sendable {
  /// How serious a finding is.
  public enum Severity: String, CaseIterable, Hashable, Sendable {
    /// A rule is broken or data is missing: `verify` exits with 1.
    case error
    /// Doubtful data that breaks no rule. It counts as an error only if the caller is strict.
    case warning
    /// Information; the data is correct.
    case note
  }

  /// The date concerned; nil for an object outside any day, and for the range as a whole.
  public let date: CalendarDate?
  /// How serious it is.
  public let severity: Severity
  /// A stable word for programs, such as `missing_date`. docs/FINDINGS.md lists all of them.
  public let code: String
  /// The rule of SPEC.md.
  public let rule: String
  /// The object concerned, or the day's prefix if the object is missing.
  public let key: String
  /// JSON pointer into the document; empty for the document as a whole.
  public let pointer: String
  /// What is wrong, for a person.
  public let message: String
  /// What to do.
  public let remedy: LedgerError.Remedy
}

extension Finding {
  /// A finding of verification itself, whose code determines the severity.
  init(
    _ code: FindingCode, rule: String? = nil, date: CalendarDate?, key: String,
    pointer: String = "", _ message: String, remedy: LedgerError.Remedy
  ) {
    self.init(
      date: date, severity: code.severity, code: code.rawValue, rule: rule ?? code.rule, key: key,
      pointer: pointer, message: message, remedy: remedy)
  }

  /// A violation of a stored document.
  init(_ violation: Violation, date: CalendarDate, key: String, remedy: LedgerError.Remedy) {
    self.init(
      date: date, severity: .error, code: violation.code, rule: violation.rule, key: key,
      pointer: violation.pointer, message: violation.message, remedy: remedy)
  }
}
