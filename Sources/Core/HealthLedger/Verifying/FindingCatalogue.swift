package import HealthModel

/// One row of docs/FINDINGS.md: a code that `verify` can report.
public struct FindingKind: Hashable, Sendable {
  /// The stable word.
  public let code: String
  /// How serious it is.
  public let severity: Finding.Severity
  /// What it means, in one clause.
  public let summary: String

  /// Every code that the program has, in the order of docs/FINDINGS.md.
  public static let all: [FindingKind] =
    FindingCode.allCases.map { FindingKind(code: $0) }
    + ViolationCode.allCases.map {
      FindingKind(code: $0.rawValue, severity: .error, summary: $0.summary)
    }

  private init(code: String, severity: Finding.Severity, summary: String) {
    (self.code, self.severity, self.summary) = (code, severity, summary)
  }

  private init(code: FindingCode) {
    self.init(code: code.rawValue, severity: code.severity, summary: code.summary)
  }
}

extension FindingCode {
  /// What the code means, in one clause.
  var summary: String {
    switch self {
    case .missingDate: "the date has no revision, and no latest.json that names one"
    case .noValidRevision: "the day has revisions, and none of them is readable"
    case .newestTooOld: "the newest readable revision of the range is older than allowed"
    case .sourceSilent: "a source that had numbers of each day has none, and nobody has them"
    case .pointerMissing: "the day has a revision and no latest.json"
    case .pointerStale: "latest.json names an older revision than the newest readable one"
    case .pointerDangling: "latest.json names a revision that does not exist"
    case .pointerToInvalid: "latest.json names a revision that is not readable"
    case .pointerCorrupt: "latest.json is not a valid pointer document"
    case .pointerInconsistent: "the members of latest.json contradict each other or the key"
    case .partial: "numbers of a part of the day"
    case .suspiciousZero: "a measured 0 that is unlikely for a living person"
    case .implausibleValue: "a number that no day of a living person has"
    case .dateInFuture: "the day holds a revision, and has not begun in any time zone"
    case .idFromFuture: "the id's moment is more than 5 minutes ahead of the store's clock"
    case .idFarFromLastModified: "the id's moment is over an hour from the object's LastModified"
    case .notCanonical: "the document's bytes are not the canonical form"
    case .unknownMember: "a member that health.v0 does not name"
    case .conflictCopy: "a copy that a synchronising service put aside: two machines wrote one name"
    case .foreignObject: "an object below health/v0/ that the layout does not know"
    }
  }
}

extension ViolationCode {
  /// What the code means, in one clause.
  package var summary: String {
    switch self {
    case .tooLarge: "the object has more bytes than the rule allows"
    case .notUTF8: "the bytes are not UTF-8"
    case .notJSON: "the text is not JSON"
    case .duplicateKey: "an object has a key twice"
    case .tooDeep: "arrays and objects are nested over 64 deep"
    case .numberOutOfRange: "a number is not a finite double"
    case .loneSurrogate: "an escape such as \\ud800 is half of a surrogate pair"
    case .missingMember: "a member that must be there is missing"
    case .wrongType: "a value has the wrong JSON type"
    case .unknownSchemaVersion: "schema_version is not health.v0"
    case .badDate: "a date is not of the form YYYY-MM-DD"
    case .badTimestamp: "a timestamp is not of the form YYYY-MM-DDTHH:MM:SSZ"
    case .badLocalMoment: "a boundary is not local time with an offset"
    case .badTimeZone: "a time zone does not have the form of a zone's name"
    case .badUUID: "an id of the collector is not a UUID"
    case .unitMismatch: "a unit is not the metric's unit"
    case .negativeValue: "a value is below zero"
    case .unknownStatus: "a status is not one of the four"
    case .numberWithoutOk: "a number, although the status is not ok"
    case .okWithoutNumber: "null, although the status is ok"
    case .badRevisionID: "revision_id is not a valid revision id"
    case .badRelativePath: "revision_relpath is not of the form revisions/ID.json"
    case .noSuchDate: "a date that the calendar does not have"
    case .endNotAfterStart: "the day ends before it begins"
    case .startNotOnDate: "the day does not begin on its date"
    case .unknownTimeZone: "the time zone database has no such name"
    case .skippedDate: "the zone skipped the date, so the day did not exist"
    case .startNotInZone: "the day does not begin when the database says"
    case .endNotInZone: "the day does not end when the database says"
    case .dateDiffersFromKey: "the document's date is not the date of its key"
    case .generatedAtDiffersFromID: "generated_at is not the moment of the revision id"
    case .pathDiffersFromID: "revision_relpath is not the path of revision_id"
    case .badDigest: "digest is not of the form sha256: and 64 lower-case hex digits"
    case .digestDiffers: "the document is not what was written: its digest does not match"
    case .badSources: "the words of the sources do not have the form of the format's"
    case .figuresDiffer: "the figures are not those that the sources give"
    case .parentNotBelow: "the parent is not a lesser id"
    }
  }
}
