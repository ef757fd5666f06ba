public import HealthModel

/// One thing that verification found, with a stable code (R35).
public struct Finding: Hashable, Sendable {
  /// How much a finding weighs.
  public enum Severity: String, CaseIterable, Hashable, Sendable {
    /// A rule is broken or data is missing: `verify` exits with 1.
    case error
    /// Doubtful data that breaks no rule: counts only where the caller is strict.
    case warning
    /// Worth knowing; the data is sound.
    case note
  }

  /// The date concerned; nil for an object outside any day, and for the range as a whole.
  public let date: CalendarDate?
  /// Whether it counts as a fault.
  public let severity: Severity
  /// A stable word for programs, such as `missing_date`; docs/FINDINGS.md lists them all.
  public let code: String
  /// The rule of SPEC.md.
  public let rule: String
  /// The object concerned, or the day's prefix where one is missing.
  public let key: String
  /// JSON pointer into the document; empty for the whole.
  public let pointer: String
  /// What is wrong, for a person.
  public let message: String
  /// What to do.
  public let remedy: LedgerError.Remedy
}

extension Finding {
  /// A finding of verification's own, whose code fixes the severity.
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
