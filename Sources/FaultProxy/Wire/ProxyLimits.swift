/// A proxy's limits for its clients.
package struct ProxyLimits: Hashable, Sendable {
  package var headBytes = 64 << 10
  package var bodyBytes = 64 << 20
  /// From a request's first byte to its last.
  package var requestTime: Duration = .seconds(30)
  /// Between two requests.
  package var idleTime: Duration = .seconds(300)
  /// How long a fault waits for the client to give up or for a release.
  package var patience: Duration = .seconds(120)
  /// For one exchange with the server, whose answer may be as large as a body.
  package var serverTime: Duration = .seconds(60)
  package var connections = 512
  /// Events that are kept. The oldest are dropped first.
  package var events = 10_000

  package init() {}
}
