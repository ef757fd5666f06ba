/// A fault in the protocol: a negative control, which the harness must catch.
package enum ProtocolFlaw: String, CaseIterable, Hashable, Sendable {
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

  /// What is wrong, for people.
  package var summary: String {
    switch self {
    case .blindPut: "writes the pointer without a precondition"
    case .headThenPut: "reads the pointer, then writes it without a precondition"
    case .noComparison: "repeats a refused write under the new etag without comparing"
    case .pointerBeforeRevision: "moves the pointer before the revision is stored"
    case .refusedIsSuccess: "treats 412 as success"
    case .refusedIsFailure: "treats 412 as a failed publish"
    case .ambiguousIsSuccess: "treats a lost answer as success"
    case .blindAfterConflicts: "writes without a precondition after two refusals"
    case .parentIsEnough: "does not join what was stored above the newest revision's parent"
    case .pointerNotRead: "does not read the revision that the pointer names"
    case .looksOnce: "does not look at the day again where there is no pointer"
    }
  }
}

/// A fault in a store, or behaviour that surprises a careless client.
package enum StoreFlaw: String, CaseIterable, Hashable, Sendable {
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
    case .ignoresIfMatch: "ignores If-Match"
    case .ignoresIfNoneMatch: "ignores If-None-Match"
    case .ignoresBoth: "ignores both preconditions"
    case .checksOutsideLock: "checks preconditions outside the lock"
    case .createsMissing: "creates a missing key under If-Match"
    case .answers304: "answers 304 instead of 412, and the client treats it as success"
    case .eventualReads: "reads may miss the last write"
    case .errorBody: "answers 200 with an error, and the client treats it as success"
    }
  }
}

/// What is raced: the unmodified ledger and store, or one fault in either.
package enum Subject: Hashable, Sendable {
  case sound
  case brokenProtocol(ProtocolFlaw)
  case brokenStore(StoreFlaw)

  /// All negative controls.
  package static let broken: [Subject] =
    ProtocolFlaw.allCases.map(Subject.brokenProtocol) + StoreFlaw.allCases.map(Subject.brokenStore)

  /// The name on the command line.
  package var name: String {
    switch self {
    case .sound: "sound"
    case .brokenProtocol(let flaw): flaw.rawValue
    case .brokenStore(let flaw): flaw.rawValue
    }
  }

  /// What is wrong, for people.
  package var summary: String {
    switch self {
    case .sound: "the ledger's own machines on a linearizable store"
    case .brokenProtocol(let flaw): "protocol: \(flaw.summary)"
    case .brokenStore(let flaw): "store: \(flaw.summary)"
    }
  }

  /// The subject with this name; nil if there is none.
  package init?(name: String) {
    guard let found = ([.sound] + Self.broken).first(where: { $0.name == name }) else { return nil }
    self = found
  }

  var protocolFlaw: ProtocolFlaw? {
    if case .brokenProtocol(let flaw) = self { flaw } else { nil }
  }

  var storeFlaw: StoreFlaw? { if case .brokenStore(let flaw) = self { flaw } else { nil } }
}
