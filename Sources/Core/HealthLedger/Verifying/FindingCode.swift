/// What verification finds in addition to the violations of documents. The raw value is
/// `Finding.code`.
public enum FindingCode: String, CaseIterable, Hashable, Sendable {
  // The day.
  case missingDate = "missing_date"
  case noValidRevision = "no_valid_revision"
  case revisionVanished = "revision_vanished"
  case newestTooOld = "newest_too_old"

  // The pointer.
  case pointerMissing = "pointer_missing"
  case pointerStale = "pointer_stale"
  case pointerDangling = "pointer_dangling"
  case pointerToInvalid = "pointer_to_invalid"
  case pointerCorrupt = "pointer_corrupt"
  case pointerInconsistent = "pointer_inconsistent"

  // Valid documents that deserve a look.
  case suspiciousZero = "suspicious_zero"
  case implausibleValue = "implausible_value"
  case dateInFuture = "date_in_future"
  case idFromFuture = "id_from_future"
  case idFarFromLastModified = "id_far_from_last_modified"
  case notCanonical = "not_canonical"
  case unknownMember = "unknown_member"
  case conflictCopy = "conflict_copy"
  case foreignObject = "foreign_object"

  /// How serious a finding with this code is.
  public var severity: Finding.Severity {
    switch self {
    case .missingDate, .noValidRevision, .revisionVanished, .newestTooOld, .pointerStale,
      .pointerDangling, .pointerToInvalid, .pointerCorrupt, .pointerInconsistent:
      .error
    case .suspiciousZero, .implausibleValue, .dateInFuture, .idFromFuture, .idFarFromLastModified,
      .conflictCopy:
      .warning
    case .pointerMissing, .notCanonical, .unknownMember, .foreignObject: .note
    }
  }

  /// The rule of SPEC.md that it is about, unless a violation inside the object names another.
  var rule: String {
    switch self {
    case .missingDate, .revisionVanished, .newestTooOld, .dateInFuture: "R35"
    case .noValidRevision, .pointerStale, .pointerDangling, .pointerToInvalid: "R30"
    case .pointerMissing, .pointerCorrupt, .pointerInconsistent: "R15"
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
