package import ObjectStore

/// What goes wrong with one request: faults that occur in networks, proxies and servers.
package enum Fault: Hashable, Sendable {
  /// The request does not reach the store, and there is no answer.
  case lost
  /// The store applies the request, but its answer is lost.
  case answerLost
  /// There is no answer. A write is applied after this many more requests, or by `settle`.
  case delayed(requests: Int)
  /// Sent twice in a row, as by a client library that resends. The caller gets the second answer.
  case resent
  /// Answered as usual. A copy of a write arrives again after this many more requests.
  case duplicatedLate(requests: Int)
  /// A write is applied whatever the store holds, as by a store or proxy that ignores the
  /// condition. This is the negative control of every test of the protocol.
  case preconditionStripped
  /// The store gives this answer and applies nothing.
  case refused(Refusal)
  /// Carried out as usual, after this delay.
  case slow(Duration)

  /// An answer that means "certainly not applied".
  package enum Refusal: Int, Hashable, Sendable, CaseIterable {
    case conflict = 409
    case preconditionFailed = 412
    case unavailable = 503
  }
}

/// A request as it arrives at a fault-injecting store.
package struct StoreRequest: Hashable, Sendable {
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    case get, put, list, delete
  }

  package let kind: Kind
  /// The key, or the prefix of a listing.
  package let key: String
  /// The precondition of a put.
  package let precondition: Precondition?
  /// The request's number in order of arrival, from 1.
  package let ordinal: Int
}
