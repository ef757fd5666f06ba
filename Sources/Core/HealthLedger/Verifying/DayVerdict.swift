public import HealthModel

/// The result of verifying one date (R35).
public struct DayVerdict: Hashable, Sendable {
  /// The date verified.
  public let date: CalendarDate
  /// The day in one word.
  public let status: Status
  /// The resolved revision (R30), if the day has a readable one.
  public let latest: StoredRevision?
  /// How many revisions the day has, readable or not; nil if there are too many to list.
  public let revisionCount: Int?
  /// All findings of the date: errors, warnings and notes.
  public let findings: [Finding]
  /// How many revisions were read and checked.
  public let revisionsRead: Int
  /// The result of repairing the pointer, if a repair was requested and needed (R38).
  public internal(set) var repair: PointerRepair?

  /// The resolved revision's id, if the day has a readable one.
  public var revisionID: RevisionID? { latest?.id }

  /// A day in one word.
  public enum Status: String, Hashable, Sendable {
    /// A readable revision and no fault.
    case ok
    /// Nothing was ever published.
    case missing
    /// A readable revision with faults, or with faults in other objects of the day.
    case faulty
    /// Revisions, even if they are gone, but none of them is readable.
    case invalid
  }

  /// A verdict from one check of the day, and further findings.
  init(
    _ inspection: DayInspection, findings: [Finding], revisionsRead: Int, revisionCount: Int?
  ) {
    let resolution = inspection.resolution
    date = resolution.date
    latest = resolution.latest
    self.revisionCount = revisionCount
    self.findings = findings
    self.revisionsRead = revisionsRead
    let hasError = findings.contains { $0.severity == .error }
    status =
      if resolution.latest != nil {
        hasError ? .faulty : .ok
      } else if resolution.isMissing {
        .missing
      } else {
        .invalid
      }
  }

  /// True if the check may have seen a publish in progress: for any fault except a missing day,
  /// which is a complete state.
  var mayBeInFlight: Bool {
    findings.contains {
      $0.severity == .error && $0.code != FindingCode.missingDate.rawValue
    }
  }

  /// Whether something was found of the day.
  package func has(_ code: FindingCode) -> Bool {
    findings.contains { $0.code == code.rawValue }
  }

  /// True if moving the pointer forward may remove a fault (R38).
  var needsPointerRepair: Bool {
    findings.contains { FindingCode(rawValue: $0.code)?.isRepairedByPointer ?? false }
  }
}
