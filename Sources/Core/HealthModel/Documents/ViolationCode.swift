/// One breach of a rule of SPEC.md in a document, with a stable code and where it stands.
public struct Violation: Hashable, Sendable {
  /// The rule, `R10`.
  public let rule: String
  /// A stable word for programs, such as `number_without_ok`; SPEC.md lists them all.
  public let code: String
  /// JSON pointer (RFC 6901) into the document; empty for the whole.
  public let pointer: String
  /// What is wrong, for a person.
  public let message: String
  /// True where this alone makes the document unreadable, so that readers pass it over (R41).
  public let hidesDocument: Bool

  package init(
    rule: String, code: String, pointer: String, message: String,
    hidesDocument: Bool = true
  ) {
    (self.rule, self.code, self.pointer, self.message) = (rule, code, pointer, message)
    self.hidesDocument = hidesDocument
  }
}

/// Every way in which a document can break R1 to R17 and R60; the raw value is `Violation.code`.
package enum ViolationCode: String, CaseIterable, Sendable {
  // The text.
  case tooLarge = "too_large"
  case notUTF8 = "not_utf8"
  case notJSON = "not_json"
  case duplicateKey = "duplicate_key"
  case tooDeep = "too_deep"
  case numberOutOfRange = "number_out_of_range"
  case loneSurrogate = "lone_surrogate"

  // The form of members; the schema says these too.
  case missingMember = "missing_member"
  case wrongType = "wrong_type"
  case unknownSchemaVersion = "unknown_schema_version"
  case badDate = "bad_date"
  case badTimestamp = "bad_timestamp"
  case badLocalMoment = "bad_local_moment"
  case badTimeZone = "bad_time_zone"
  case badUUID = "bad_uuid"
  case unitMismatch = "unit_mismatch"
  case negativeValue = "negative_value"
  case unknownStatus = "unknown_status"
  case numberWithoutOk = "number_without_ok"
  case okWithoutNumber = "ok_without_number"
  case badRevisionID = "bad_revision_id"
  case badRelativePath = "bad_relpath"
  case badDigest = "bad_digest"
  case badSources = "bad_sources"

  // What members mean, alone and together.
  case noSuchDate = "no_such_date"
  case endNotAfterStart = "end_not_after_start"
  case startNotOnDate = "start_not_on_date"
  case unknownTimeZone = "unknown_time_zone"
  case skippedDate = "skipped_date"
  case startNotInZone = "start_differs_from_zone"
  case endNotInZone = "end_differs_from_zone"
  case dateDiffersFromKey = "date_differs_from_key"
  case generatedAtDiffersFromID = "generated_at_differs_from_id"
  case pathDiffersFromID = "relpath_differs_from_id"
  case digestDiffers = "digest_differs"
  case figuresDiffer = "figures_differ"
  case parentNotBelow = "parent_not_below_id"

  /// Whether the JSON Schemas can say this too (SPEC.md, "What the schemas cannot say").
  package var isInSchema: Bool {
    switch self {
    case .missingMember, .wrongType, .unknownSchemaVersion, .badDate, .badTimestamp,
      .badLocalMoment, .badTimeZone, .badUUID, .unitMismatch, .negativeValue, .unknownStatus,
      .numberWithoutOk, .okWithoutNumber, .badRevisionID, .badRelativePath, .badDigest, .badSources:
      true
    case .tooLarge, .notUTF8, .notJSON, .duplicateKey, .tooDeep, .numberOutOfRange, .loneSurrogate,
      .noSuchDate, .endNotAfterStart, .startNotOnDate, .unknownTimeZone, .skippedDate,
      .startNotInZone, .endNotInZone, .dateDiffersFromKey, .generatedAtDiffersFromID,
      .pathDiffersFromID, .digestDiffers, .figuresDiffer, .parentNotBelow:
      false
    }
  }

  /// What a breach of this code means for a reader of the document (R41).
  package enum Reading: Hashable, Sendable {
    /// Readers pass the document over.
    case hidden
    /// Readers take the document all the same.
    case readable
    /// That depends on the member, and on what can still be understood of it.
    case either
  }

  /// Whether a revision with such a breach can be read; docs/FINDINGS.md has the table.
  package var reading: Reading {
    switch self {
    case .tooLarge, .notUTF8, .notJSON, .duplicateKey, .tooDeep, .numberOutOfRange, .loneSurrogate,
      .unknownSchemaVersion, .badDate, .badTimeZone, .unknownStatus, .numberWithoutOk,
      .okWithoutNumber, .endNotAfterStart, .dateDiffersFromKey, .badRelativePath,
      .pathDiffersFromID:
      .hidden
    case .badUUID, .unitMismatch, .negativeValue, .startNotOnDate, .unknownTimeZone, .skippedDate,
      .startNotInZone, .endNotInZone, .generatedAtDiffersFromID, .badDigest, .digestDiffers,
      .badSources, .figuresDiffer, .parentNotBelow:
      .readable
    case .missingMember, .wrongType, .badTimestamp, .badLocalMoment, .noSuchDate, .badRevisionID:
      .either
    }
  }
}
