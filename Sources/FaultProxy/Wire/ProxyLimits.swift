/// What a proxy takes from its clients at most.
package struct ProxyLimits: Hashable, Sendable {
  package var headBytes = 64 << 10
  package var bodyBytes = 64 << 20
  /// From a request's first byte to its last.
  package var requestTime: Duration = .seconds(30)
  /// Between two requests.
  package var idleTime: Duration = .seconds(300)
  /// How long a fault that waits for the client to give up, or for a release, waits.
  package var patience: Duration = .seconds(120)
  /// Of one exchange with the server, whose answer may be as large as a body.
  package var serverTime: Duration = .seconds(60)
  package var connections = 512
  /// Events kept; the oldest go first.
  package var events = 10_000

  package init() {}
}
