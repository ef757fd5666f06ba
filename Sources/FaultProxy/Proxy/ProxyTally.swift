/// What a proxy has seen so far, in numbers.
package struct ProxyTally: Hashable, Sendable, Codable {
  /// Whole requests, by what they were for.
  package var requests: [String: Int] = [:]
  /// Requests that met a fault, by its name.
  package var faults: [String: Int] = [:]
  /// Of those faults, how many left the write applied, not applied, or unclear: by fault, then
  /// `yes`, `no`, `unknown`.
  package var applied: [String: [String: Int]] = [:]
  /// Sends after the client's end of the request.
  package var lateSends = 0
  /// Sends that the server did not answer.
  package var unanswered = 0
  /// What came from a client and was no request that a proxy takes.
  package var refused = 0
  /// Connections beyond the bound, closed at once.
  package var turnedAway = 0

  package init() {}

  package var totalRequests: Int { requests.values.reduce(0, +) }
  package var totalFaults: Int { faults.values.reduce(0, +) }
}
