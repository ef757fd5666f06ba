/// A fault in the protocol or in a store: a negative control, which the race must catch.
package enum LedgerFlaw: String, RaceFlaw {
  case blindPut = "blind-put"
  case headThenPut = "head-then-put"
  case noComparison = "no-comparison"
  case pointerBeforeRevision = "pointer-before-revision"
  case refusedIsSuccess = "412-is-success"
  case refusedIsFailure = "412-is-failure"
  case ambiguousIsSuccess = "ambiguous-is-success"
  case blindAfterConflicts = "blind-after-conflicts"
  case parentIsEnough = "parent-is-enough"
  case pointerNotRead = "pointer-not-read"
  case looksOnce = "looks-once"

  // Faults of a store, or behaviour that surprises a careless client.
  case ignoresIfMatch = "ignores-if-match"
  case ignoresIfNoneMatch = "ignores-if-none-match"
  case ignoresBoth = "ignores-both"
  case checksOutsideLock = "checks-outside-lock"
  case createsMissing = "if-match-creates-missing"
  case answers304 = "304-for-412"
  case eventualReads = "eventual-reads"
  case errorBody = "200-with-error"

  /// What is wrong, for people.
  package var summary: String {
    switch self {
    case .blindPut: "protocol: writes the pointer without a precondition"
    case .headThenPut: "protocol: reads the pointer, then writes it without a precondition"
    case .noComparison: "protocol: repeats a refused write under the new etag without comparing"
    case .pointerBeforeRevision: "protocol: moves the pointer before the revision is stored"
    case .refusedIsSuccess: "protocol: treats 412 as success"
    case .refusedIsFailure: "protocol: treats 412 as a failed publish"
    case .ambiguousIsSuccess: "protocol: treats a lost answer as success"
    case .blindAfterConflicts: "protocol: writes without a precondition after two refusals"
    case .parentIsEnough:
      "protocol: does not join what was stored above the newest revision's parent"
    case .pointerNotRead: "protocol: does not read the revision that the pointer names"
    case .looksOnce: "protocol: does not look at the day again where there is no pointer"
    case .ignoresIfMatch: "store: ignores If-Match"
    case .ignoresIfNoneMatch: "store: ignores If-None-Match"
    case .ignoresBoth: "store: ignores both preconditions"
    case .checksOutsideLock: "store: checks preconditions outside the lock"
    case .createsMissing: "store: creates a missing key under If-Match"
    case .answers304: "store: answers 304 instead of 412, and the client treats it as success"
    case .eventualReads: "store: reads may miss the last write"
    case .errorBody: "store: answers 200 with an error, and the client treats it as success"
    }
  }

  /// Whether it is the store that is broken, and not the protocol.
  var isOfStore: Bool {
    switch self {
    case .ignoresIfMatch, .ignoresIfNoneMatch, .ignoresBoth, .checksOutsideLock, .createsMissing,
      .answers304, .eventualReads, .errorBody:
      true
    default: false
    }
  }
}
