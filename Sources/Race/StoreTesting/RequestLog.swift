package import ObjectStore

/// The requests to a fault-injecting store, in order of arrival, with their answers.
package struct RequestLog: Sendable {
  /// One request.
  package struct Entry: Hashable, Sendable {
    /// In order of arrival, from 1.
    package let number: Int
    package let kind: RequestKind
    /// The key, or the prefix of a listing.
    package let key: String
    /// The precondition of a put.
    package let precondition: Precondition?
    package let fault: Fault?
    /// What the caller got; nil while the request runs.
    package internal(set) var answer: Answer?
  }

  /// What a caller got.
  package enum Answer: Hashable, Sendable {
    case found, absent, stored, preconditionFailed, unknown, deleted
    case listed(Int)
    case failed(StoreError.Code)
  }

  package internal(set) var entries: [Entry] = []

  /// The number of requests of a kind, for checking request budgets.
  package func count(_ kind: RequestKind) -> Int { entries.count { $0.kind == kind } }

  package var gets: Int { count(.get) }
  package var puts: Int { count(.put) }
  package var lists: Int { count(.list) }
  package var deletes: Int { count(.delete) }
}
