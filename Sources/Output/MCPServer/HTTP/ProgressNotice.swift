package import HealthModel

/// Reports to a client how far a call has got, if its request asked for that (R53).
package struct ProgressNotice: Hashable, Sendable {
  private let token: JSONValue
  /// The progress that the client already knows of. It is not reported again.
  var done = 0

  /// Nil if the request has no token for it.
  init?(_ request: JSONValue) {
    switch request["params"]?["_meta"]?["progressToken"] {
    case .string(let text): token = .string(text)
    case .number(let number): token = .number(number)
    default: return nil
    }
  }

  /// The notification after so many dates; nil if the last one is recent enough. There are at most 20
  /// for one call.
  package func message(_ done: Int, of total: Int) -> JSONValue? {
    guard total > 1, done > self.done, done * 20 / total > (done - 1) * 20 / total else {
      return nil
    }
    return [
      "jsonrpc": "2.0", "method": "notifications/progress",
      "params": [
        "progressToken": token, "progress": .number(Double(done)),
        "total": .number(Double(total)),
      ],
    ]
  }
}
