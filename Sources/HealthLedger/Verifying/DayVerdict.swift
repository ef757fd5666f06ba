public import HealthModel

/// What verification found on one date (R35).
public struct DayVerdict: Hashable, Sendable {
  /// The date verified.
  public let date: CalendarDate
  /// The day in one word.
  public let status: Status
  /// The resolved revision's id, if the day has a valid one.
  public let revisionID: RevisionID?
  /// Everything found on the date, errors and notes.
  public let findings: [Finding]

  /// A day in one word.
  public enum Status: String, Hashable, Sendable {
    /// A valid revision and no fault.
    case ok
    /// No revision at all.
    case missing
    /// A valid revision, and faults beside it.
    case faulty
    /// Revisions, none of them valid.
    case invalid
  }

  init(_ resolution: Resolution, foreignKeys: [String], layout: LedgerLayout) {
    let inspection = DayInspection(resolution: resolution, layout: layout)
    var findings = inspection.findings
    findings += foreignKeys.map(inspection.foreign)
    date = resolution.date
    revisionID = resolution.latest?.id
    self.findings = findings
    let hasError = findings.contains { $0.severity == .error }
    status =
      if resolution.latest != nil {
        hasError ? .faulty : .ok
      } else if inspection.isMissing {
        .missing
      } else {
        .invalid
      }
  }
  /// True where a publish in flight may have been seen half done: any fault but an empty day,
  /// which is a whole state.
  var mayBeInFlight: Bool {
    findings.contains { $0.severity == .error && $0.code != DayInspection.missingDateCode }
  }
}
