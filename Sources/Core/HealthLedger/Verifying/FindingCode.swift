/// What verification finds in addition to the violations of documents. The raw value is
/// `Finding.code`.
public enum FindingCode: String, CaseIterable, Hashable, Sendable {
  // The day.
  /// The date has no revision.
  case missingDate = "missing_date"
  /// The day has revisions, and none of them is readable.
  case noValidRevision = "no_valid_revision"
  /// The newest readable revision of the range is older than allowed.
  case newestTooOld = "newest_too_old"
  /// A source that used to speak each day speaks no more.
  case sourceSilent = "source_silent"

  // The pointer.
  /// The day has a revision and no `latest.json`.
  case pointerMissing = "pointer_missing"
  /// `latest.json` names an older revision than the newest readable one.
  case pointerStale = "pointer_stale"
  /// `latest.json` names a revision that does not exist.
  case pointerDangling = "pointer_dangling"
  /// `latest.json` names a revision that is not readable.
  case pointerToInvalid = "pointer_to_invalid"
  /// `latest.json` is not a valid pointer document.
  case pointerCorrupt = "pointer_corrupt"
  /// The members of `latest.json` contradict each other or the key.
  case pointerInconsistent = "pointer_inconsistent"

  // Valid documents that deserve a look.
  /// Numbers of a part of the day.
  case partial
  /// A measured 0 that is unlikely for a living person.
  case suspiciousZero = "suspicious_zero"
  /// A number that no day of a living person has.
  case implausibleValue = "implausible_value"
  /// The day holds a revision, and has not begun in any time zone.
  case dateInFuture = "date_in_future"
  /// The id's moment is more than 5 minutes ahead of the store's clock.
  case idFromFuture = "id_from_future"
  /// The id's moment is over an hour from the object's LastModified.
  case idFarFromLastModified = "id_far_from_last_modified"
  /// The document's bytes are not the canonical form.
  case notCanonical = "not_canonical"
  /// A member that health.v0 does not name.
  case unknownMember = "unknown_member"
  /// A copy that a synchronising service put aside: two machines wrote one name.
  case conflictCopy = "conflict_copy"
  /// An object below `health/v0/` that the layout does not know.
  case foreignObject = "foreign_object"

  /// How serious a finding with this code is.
  public var severity: Finding.Severity {
    switch self {
    case .missingDate, .noValidRevision, .newestTooOld, .sourceSilent, .pointerStale,
      .pointerDangling, .pointerToInvalid, .pointerCorrupt, .pointerInconsistent:
      .error
    case .suspiciousZero, .implausibleValue, .dateInFuture, .idFromFuture, .idFarFromLastModified,
      .conflictCopy:
      .warning
    case .pointerMissing, .partial, .notCanonical, .unknownMember, .foreignObject: .note
    }
  }

  /// The rule of SPEC.md that it is about, unless a violation inside the object names another.
  var rule: String {
    switch self {
    case .missingDate, .newestTooOld, .sourceSilent, .dateInFuture: "R35"
    case .noValidRevision, .pointerStale, .pointerDangling, .pointerToInvalid: "R30"
    case .pointerMissing, .pointerCorrupt, .pointerInconsistent: "R15"
    case .partial: "R33"
    case .suspiciousZero: "R10"
    case .implausibleValue: "R42"
    case .idFromFuture, .idFarFromLastModified: "R21"
    case .notCanonical: "R13"
    case .unknownMember: "R14"
    case .conflictCopy, .foreignObject: "R5"
    }
  }

  /// Whether moving the day's pointer forward may remove the finding (R38).
  var isRepairedByPointer: Bool {
    switch self {
    case .pointerMissing, .pointerStale, .pointerCorrupt, .pointerInconsistent: true
    default: false
    }
  }
}
