/// What goes wrong with one request to a store: faults that occur in networks, proxies and servers.
package enum Fault: PlannedFault {
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

  package func befalls(_ kind: RequestKind) -> Bool { true }
}

package typealias FaultPlan = RequestPlan<Fault>
