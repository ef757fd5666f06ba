/// A fault in the protocol or in a store: a negative control, which the race must catch.
package enum LedgerFlaw: String, RaceFlaw {
  /// The pointer is written without a precondition.
  case blindPut = "blind-put"
  /// The pointer is read, and then written without a precondition.
  case headThenPut = "head-then-put"
  /// After a refusal, the new etag is used whatever value it belongs to.
  case noComparison = "no-comparison"
  /// The pointer is moved before the revision exists.
  case pointerBeforeRevision = "pointer-before-revision"
  /// A refused write of the pointer is treated as success.
  case refusedIsSuccess = "412-is-success"
  /// A refused write of the pointer is treated as a failed publish.
  case refusedIsFailure = "412-is-failure"
  /// A write of the pointer without an answer is treated as success.
  case ambiguousIsSuccess = "ambiguous-is-success"
  /// After two refusals the precondition is left out.
  case blindAfterConflicts = "blind-after-conflicts"
  /// What was stored above the newest revision's parent is not joined.
  case parentIsEnough = "parent-is-enough"
  /// The revision that the pointer names is not read if it is not the newest.
  case pointerNotRead = "pointer-not-read"
  /// Without compare-and-swap, the day is not looked at again.
  case looksOnce = "looks-once"

  // Faults of a store, or behaviour that surprises a careless client.
  case ignoresIfMatch = "ignores-if-match"
  case ignoresIfNoneMatch = "ignores-if-none-match"
  case ignoresBoth = "ignores-both"
  /// The precondition is checked first and the write is done later, with other requests in between.
  case checksOutsideLock = "checks-outside-lock"
  /// If-Match creates a key that does not exist.
  case createsMissing = "if-match-creates-missing"
  /// 304 instead of 412, for a client that treats every status below 400 as success.
  case answers304 = "304-for-412"
  /// Reads may miss the last write.
  case eventualReads = "eventual-reads"
  /// 200 with an error in its body, for a client that checks only the status.
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
