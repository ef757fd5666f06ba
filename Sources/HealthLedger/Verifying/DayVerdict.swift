public import HealthModel

/// What verification found on one date (R35).
public struct DayVerdict: Hashable, Sendable {
  /// The date verified.
  public let date: CalendarDate
  /// The day in one word.
  public let status: Status
  /// The resolved revision (R30), if the day has a readable one.
  public let latest: StoredRevision?
  /// How many revisions the day holds, readable or not; nil where they are too many to be listed.
  public let revisionCount: Int?
  /// Everything found on the date: errors, warnings and notes.
  public let findings: [Finding]
  /// How many revisions were read and judged.
  public let revisionsRead: Int
  /// What became of the pointer, where a repair was asked for and the pointer needed one (R38).
  public internal(set) var repair: PointerRepair?

  /// The resolved revision's id, if the day has a readable one.
  public var revisionID: RevisionID? { latest?.id }

  /// A day in one word.
  public enum Status: String, Hashable, Sendable {
    /// A readable revision and no fault.
    case ok
    /// No revision at all.
    case missing
    /// A readable revision, and faults of it or beside it.
    case faulty
    /// Revisions, none of them readable.
    case invalid
  }

  /// A verdict from a look at the day, and what was found beside it.
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
      } else if inspection.isMissing {
        .missing
      } else {
        .invalid
      }
  }

  /// True where a publish in flight may have been seen half done: any fault but an empty day,
  /// which is a whole state.
  var mayBeInFlight: Bool {
    findings.contains {
      $0.severity == .error && $0.code != FindingCode.missingDate.rawValue
    }
  }

  /// True where moving the pointer forward may end a fault (R38).
  var needsPointerRepair: Bool {
    findings.contains { FindingCode(rawValue: $0.code)?.isRepairedByPointer ?? false }
  }
}
