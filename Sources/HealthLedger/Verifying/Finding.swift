public import HealthModel

/// One thing that verification found on one date, with a stable code (R35).
public struct Finding: Hashable, Sendable {
  /// How much a finding weighs.
  public enum Severity: String, Hashable, Sendable {
    /// Counts: `verify` exits with 1.
    case error
    /// Worth knowing; the data is sound.
    case note
  }

  /// The date concerned.
  public let date: CalendarDate
  /// Whether it counts as a fault.
  public let severity: Severity
  /// A stable word for programs, such as `missing_date`.
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
  public let remedy: String
}
