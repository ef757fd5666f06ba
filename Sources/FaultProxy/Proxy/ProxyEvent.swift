import Foundation

/// What happened to one request, or to the late send of one.
package struct ProxyEvent: Hashable, Sendable, Codable {
  /// The request's place since the plan began, from 1; a late send has that of its request.
  package let number: Int
  /// Since the proxy began, at the end of this event.
  package let milliseconds: Int
  package let operation: ProxiedOperation
  /// As sent, without the query.
  package let path: String
  /// `if-match` or `if-none-match`.
  package let condition: String?
  package let fault: ProxyFault?
  /// True for a send after the client's end of the request.
  package let late: Bool
  /// For each send, the server's status or why there was none; empty where the server saw nothing.
  package let server: [String]
  /// What the client got: a status, `closed`, `reset`, `truncated`, or `gone` where it had left.
  package let client: String
  package let applied: Applied

  /// Whether the server carried out a write.
  package enum Applied: String, Hashable, Sendable, Codable {
    /// No write.
    case none = "read"
    case yes
    case no
    /// The server was sent it and gave no answer, or is still to be sent it.
    case unknown
  }

  /// One line of JSON with its members in a fixed order, without a line break.
  package var line: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // Nothing in it can fail to encode.
    guard let data = try? encoder.encode(self) else { return "{}" }
    return String(decoding: data, as: UTF8.self)
  }
}

extension ProxyEvent.Applied {
  /// By the server's answers to all sends of a request.
  init(_ operation: ProxiedOperation, _ replies: [Upstream.Reply]) {
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
        // The loser of a race gets a 500 from some servers, and so does a write that was applied.
        if response.status >= 500 { applied = .unknown }
      case .failure(let error): if error.mayHaveBeenApplied { applied = .unknown }
      }
    }
    self = applied
  }
}
