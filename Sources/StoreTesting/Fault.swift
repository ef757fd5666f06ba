package import ObjectStore

/// What goes wrong with one request, as networks, proxies and servers are known to do it.
package enum Fault: Hashable, Sendable {
  /// The request never reaches the store, and no answer comes.
  case lost
  /// The store applies the request, and its answer never comes.
  case answerLost
  /// No answer comes; a write is applied once this many more requests have arrived, or by `settle`.
  case delayed(requests: Int)
  /// Sent twice at once, as a client library that resends; the second answer is the one seen.
  case resent
  /// Answered as usual; a copy of a write arrives again after this many more requests.
  case duplicatedLate(requests: Int)
  /// A write is applied whatever the store holds: a store or proxy that ignores the condition. The
  /// negative control of every test of a protocol.
  case preconditionStripped
  /// The store answers so, and applies nothing.
  case refused(Refusal)
  /// Done as usual, after this long.
  case slow(Duration)

  /// An answer that certainly means "not applied".
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
  /// Of a put.
  package let precondition: Precondition?
  /// Place among all requests, from 1, in order of arrival.
  package let ordinal: Int
}
