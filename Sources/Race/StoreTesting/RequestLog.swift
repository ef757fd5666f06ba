package import ObjectStore

/// The requests to a fault-injecting store, in order of arrival, with their answers.
package struct RequestLog: Sendable {
  /// One request.
  package struct Entry: Hashable, Sendable {
    package let request: StoreRequest
    package let fault: Fault?
    /// What the caller got; nil while the request runs.
    package fileprivate(set) var answer: Answer?
  }

  /// What a caller got.
  package enum Answer: Hashable, Sendable {
    case found, absent, stored, preconditionFailed, unknown, deleted
    case listed(Int)
    case failed(StoreError.Code)
  }

  package private(set) var entries: [Entry] = []

  /// The number of requests of a kind, for checking request budgets.
  package func count(_ kind: StoreRequest.Kind) -> Int {
    entries.count { $0.request.kind == kind }
  }

  package var gets: Int { count(.get) }
  package var puts: Int { count(.put) }
  package var lists: Int { count(.list) }
  package var deletes: Int { count(.delete) }

  mutating func note(_ arrival: FaultSchedule.Arrival) {
    entries.append(Entry(request: arrival.request, fault: arrival.fault))
  }

  /// Entries are numbered from 1 without gaps, so the ordinal gives the index.
  mutating func note(_ answer: Answer, to ordinal: Int) {
    entries[ordinal - 1].answer = answer
  }
}
