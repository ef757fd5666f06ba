/// The counts of a proxy.
package struct ProxyTally: Hashable, Sendable, Codable {
  /// Complete requests, by operation.
  package var requests: [String: Int] = [:]
  /// Requests that met a fault, by the fault's name.
  package var faults: [String: Int] = [:]
  /// Of those faults, how many writes were applied, not applied, or unclear: by fault, then `yes`,
  /// `no`, `unknown`.
  package var applied: [String: [String: Int]] = [:]
  /// Sends after the client's end of the request.
  package var lateSends = 0
  /// Sends that the server did not answer.
  package var unanswered = 0
  /// Input from clients that is not a request that a proxy accepts.
  package var refused = 0
  /// Connections over the limit, closed immediately.
  package var turnedAway = 0

  package init() {}

  package var totalRequests: Int { requests.values.reduce(0, +) }
  package var totalFaults: Int { faults.values.reduce(0, +) }
}
