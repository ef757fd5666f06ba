package import StoreTesting

package typealias ProxyPlan = RequestPlan<ProxyFault>

/// What a fault proxy does to one request; the raw value is its name on the command line.
package enum ProxyFault: String, PlannedFault, CaseIterable {
  /// The connection closes; the server never sees the request.
  case drop
  /// The server answers, and the connection closes without the answer.
  case lose
  /// The server answers, and the connection is reset (RST) without the answer.
  case reset
  /// The server answers. The client gets half of the answer's head, then the connection ends.
  case truncateHead = "truncate-head"
  /// The server answers. The client gets the head and half of the body, then the connection ends.
  case truncateBody = "truncate-body"
  /// The server answers. Nothing is passed on until the client gives up.
  case stall
  /// The client gets this answer; the server never sees the request.
  case conflict = "409"
  case preconditionFailed = "412"
  case internalError = "500"
  case slowDown = "503"
  /// 200 with an `<Error>` in the body.
  case okWithError = "200-error"
  /// The client gets this answer, although the server got the request and may have applied it.
  case conflictAfter = "409-after"
  case preconditionFailedAfter = "412-after"
  case internalErrorAfter = "500-after"
  case slowDownAfter = "503-after"
  case okWithErrorAfter = "200-error-after"
  /// Answered as usual. A copy reaches the server a little later.
  case duplicate
  /// Sent twice in a row. The client gets the second answer.
  case resend
  /// No answer until the client gives up. Only then does the server see the request.
  case delay
  /// Sent without `If-Match` and `If-None-Match`, which a server that checks signatures refuses.
  case strip
  /// Answered as usual, but a little later, so that answers overtake each other.
  case slow
  /// Waits for `release()`, then continues as usual. Never drawn at random.
  case hold
}

extension ProxyFault {
  /// Faults that concern only writes, and answers that no server gives to a read, are drawn for writes
  /// only.
  package func befalls(_ kind: RequestKind) -> Bool {
    switch self {
    case .drop, .lose, .reset, .truncateHead, .truncateBody, .stall, .internalError, .slowDown,
      .internalErrorAfter, .slowDownAfter, .slow:
      true
    case .conflict, .preconditionFailed, .okWithError, .conflictAfter, .preconditionFailedAfter,
      .okWithErrorAfter, .duplicate, .resend, .delay, .strip, .hold:
      kind.isWrite
    }
  }

  /// All faults that can be drawn at random.
  package static let drawn = allCases.filter { $0 != .hold }

  /// Names for several faults at once on the command line.
  package static let groups: [(name: String, faults: [ProxyFault])] = [
    ("all", drawn),
    ("truncate", [.truncateHead, .truncateBody]),
    ("replace", [.conflict, .preconditionFailed, .internalError, .slowDown, .okWithError]),
    ("replace-after", drawn.filter { $0.rawValue.hasSuffix("-after") }),
  ]
}
