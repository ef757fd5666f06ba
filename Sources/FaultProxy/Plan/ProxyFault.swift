/// What a fault proxy does to one request; the raw value is its name on the command line.
package enum ProxyFault: String, Hashable, Sendable, CaseIterable, Codable {
  /// The connection closes; the server never sees the request.
  case drop
  /// The server answers, and the connection closes without it.
  case lose
  /// The server answers, and the connection is reset (RST) without it.
  case reset
  /// The server answers; half of the answer's head comes, then the end.
  case truncateHead = "truncate-head"
  /// The server answers; its head and half of its body come, then the end.
  case truncateBody = "truncate-body"
  /// The server answers; nothing is passed on until the client gives up.
  case stall
  /// The answer is this one; the server never sees the request.
  case conflict = "409"
  case preconditionFailed = "412"
  case internalError = "500"
  case slowDown = "503"
  /// 200 with an `<Error>` in the body.
  case okWithError = "200-error"
  /// The answer is this one, although the server was asked and may have applied the request.
  case conflictAfter = "409-after"
  case preconditionFailedAfter = "412-after"
  case internalErrorAfter = "500-after"
  case slowDownAfter = "503-after"
  case okWithErrorAfter = "200-error-after"
  /// Answered as usual; a copy reaches the server a little later.
  case duplicate
  /// Sent twice in a row; the second answer is passed on.
  case resend
  /// No answer until the client gives up; the server sees the request only after that.
  case delay
  /// Sent without `If-Match` and `If-None-Match`, which a server that checks signatures refuses.
  case strip
  /// Answered as usual, a little later, so that answers overtake each other.
  case slow
  /// Waits for `release()`, then goes on as usual; never drawn by lot.
  case hold
}

extension ProxyFault {
  /// Whether a draw gives it to requests that change nothing: what is only a matter of writes, or
  /// an answer that no server gives to a read, is left to writes.
  var befallsReads: Bool {
    switch self {
    case .drop, .lose, .reset, .truncateHead, .truncateBody, .stall, .internalError, .slowDown,
      .internalErrorAfter, .slowDownAfter, .slow:
      true
    case .conflict, .preconditionFailed, .okWithError, .conflictAfter, .preconditionFailedAfter,
      .okWithErrorAfter, .duplicate, .resend, .delay, .strip, .hold:
      false
    }
  }

  /// All that a draw may give.
  package static let drawn = allCases.filter { $0 != .hold }

  /// Names for several at once on the command line.
  package static let groups: [(name: String, faults: [ProxyFault])] = [
    ("all", drawn),
    ("truncate", [.truncateHead, .truncateBody]),
    ("replace", [.conflict, .preconditionFailed, .internalError, .slowDown, .okWithError]),
    (
      "replace-after",
      [
        .conflictAfter, .preconditionFailedAfter, .internalErrorAfter, .slowDownAfter,
        .okWithErrorAfter,
      ]
    ),
  ]
}
