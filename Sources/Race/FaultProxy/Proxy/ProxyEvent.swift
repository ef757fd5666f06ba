package import StoreTesting

/// What happened to one request, or to its late send.
package struct ProxyEvent: Hashable, Sendable {
  /// The request's number since the plan began, from 1. A late send has the number of its request.
  package let number: Int
  /// The time from the start of the proxy to the end of this event.
  package let milliseconds: Int
  package let operation: RequestKind
  /// As sent, without the query.
  package let path: String
  /// `if-match` or `if-none-match`.
  package let condition: String?
  package let fault: ProxyFault?
  /// True for a send after the client's end of the request.
  package let late: Bool
  /// For each send, the server's status, or why there was none; empty if the server saw nothing.
  package let server: [String]
  /// What the client got: a status, `closed`, `reset`, `truncated`, or `gone` if it had left.
  package let client: String
  package let applied: Applied

  /// Whether the server carried out a write.
  package enum Applied: String, Hashable, Sendable {
    /// Not a write.
    case none = "read"
    case yes
    case no
    /// The server got it and gave no answer, or has not got it yet.
    case unknown
  }
}

extension ProxyEvent.Applied {
  /// Determined from the server's answers to all sends of a request.
  init(_ operation: RequestKind, _ replies: [Upstream.Reply]) {
    guard operation.isWrite else {
      self = .none
      return
    }
    var applied = ProxyEvent.Applied.no
    for reply in replies {
      switch reply {
      case .success(let response):
        if (200..<300).contains(response.status) {
          self = .yes
          return
        }
        // Some servers answer 500 to the loser of a race, and also to a write that was applied.
        if response.status >= 500 { applied = .unknown }
      case .failure(let error): if error.mayHaveBeenApplied { applied = .unknown }
      }
    }
    self = applied
  }
}
