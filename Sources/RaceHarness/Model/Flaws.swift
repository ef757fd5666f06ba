/// A way to get the protocol wrong: a negative control, which the harness must catch.
package enum ProtocolFlaw: String, CaseIterable, Hashable, Sendable {
  /// The pointer is written without a precondition.
  case blindPut = "blind-put"
  /// The pointer is looked at, and then written without a precondition.
  case headThenPut = "head-then-put"
  /// After a refusal the fresh etag is used whatever value it belongs to.
  case noComparison = "no-comparison"
  /// The pointer is moved before the revision is there.
  case pointerBeforeRevision = "pointer-before-revision"
  /// A refused write of the pointer is taken for success.
  case refusedIsSuccess = "412-is-success"
  /// A refused write of the pointer is taken for a failed publish.
  case refusedIsFailure = "412-is-failure"
  /// An unanswered write of the pointer is taken for success.
  case ambiguousIsSuccess = "ambiguous-is-success"
  /// After two refusals the precondition is left out.
  case blindAfterConflicts = "blind-after-conflicts"

  /// What is wrong, for people.
  package var summary: String {
    switch self {
    case .blindPut: "writes the pointer without a precondition"
    case .headThenPut: "looks at the pointer, then writes it without a precondition"
    case .noComparison: "repeats a refused write under the new etag without comparing"
    case .pointerBeforeRevision: "moves the pointer before the revision is stored"
    case .refusedIsSuccess: "takes 412 for success"
    case .refusedIsFailure: "takes 412 for a failed publish"
    case .ambiguousIsSuccess: "takes a lost answer for success"
    case .blindAfterConflicts: "writes without a precondition after two refusals"
    }
  }
}

/// A way in which a store breaks its word, or surprises a careless client.
package enum StoreFlaw: String, CaseIterable, Hashable, Sendable {
  case ignoresIfMatch = "ignores-if-match"
  case ignoresIfNoneMatch = "ignores-if-none-match"
  case ignoresBoth = "ignores-both"
  /// The precondition is judged first and the write done later, with others between.
  case checksOutsideLock = "checks-outside-lock"
  /// If-Match on a key that is gone creates it.
  case createsMissing = "if-match-creates-missing"
  /// 304 instead of 412, to a client that takes all below 400 for success.
  case answers304 = "304-for-412"
  /// Reads may miss the last write.
  case eventualReads = "eventual-reads"
  /// 200 with an error in its body, to a client that looks at the status alone.
  case errorBody = "200-with-error"

  /// What is wrong, for people.
  package var summary: String {
    switch self {
    case .ignoresIfMatch: "ignores If-Match"
    case .ignoresIfNoneMatch: "ignores If-None-Match"
    case .ignoresBoth: "ignores both preconditions"
    case .checksOutsideLock: "checks preconditions outside the lock"
    case .createsMissing: "creates a missing key under If-Match"
    case .answers304: "answers 304 for 412, and the client takes it for success"
    case .eventualReads: "reads may miss the last write"
    case .errorBody: "answers 200 with an error, and the client takes it for success"
    }
  }

  /// Whether the flaw needs a client that judges by the status code alone; the ledger's own client
  /// bears the same answers, and every run of the sound protocol shows it.
  var needsNaiveClient: Bool { self == .answers304 || self == .errorBody }
}

/// What is raced: nothing broken, or exactly one thing.
package enum Subject: Hashable, Sendable {
  case sound
  case brokenProtocol(ProtocolFlaw)
  case brokenStore(StoreFlaw)

  /// All negative controls.
  package static let broken: [Subject] =
    ProtocolFlaw.allCases.map(Subject.brokenProtocol) + StoreFlaw.allCases.map(Subject.brokenStore)

  /// A word for command lines.
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

  /// The subject of a word; nil if there is none.
  package init?(name: String) {
    guard let found = ([.sound] + Self.broken).first(where: { $0.name == name }) else { return nil }
    self = found
  }

  var protocolFlaw: ProtocolFlaw? {
    if case .brokenProtocol(let flaw) = self { flaw } else { nil }
  }

  var storeFlaw: StoreFlaw? { if case .brokenStore(let flaw) = self { flaw } else { nil } }
}
