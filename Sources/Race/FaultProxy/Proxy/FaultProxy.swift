import Foundation
import StoreTesting
import Synchronization

/// An HTTP proxy on 127.0.0.1 between an S3 client and one real server. It passes requests on
/// unchanged and injects faults according to its plan.
///
/// The client signs the host that it is given, so the `Host` field is passed on unchanged. This
/// works for every server that checks the signature against that field, with path addressing. Each
/// connection has its own thread. Call `stop` when done.
package final class FaultProxy: Sendable {
  /// What to do about delayed sends when the proxy stops.
  package enum Ending: Hashable, Sendable {
    /// Wait for them.
    case settling
    /// Drop them. What was already sent to the server may still be applied.
    case cancelling
  }

  /// The address for clients, with the server's base path: `http://127.0.0.1:PORT`.
  package let endpoint: String
  let state: ProxyState
  private let connections: OpenConnections
  private let listener: Mutex<ListeningSocket?>

  /// Listens when it returns.
  ///
  /// - Parameters:
  ///   - url: the server's endpoint, http or https.
  ///   - caBundle: PEM file that replaces the system's certificate authorities.
  package init(
    to url: String, caBundle: String? = nil, plan: ProxyPlan = .none,
    limits: ProxyLimits = ProxyLimits()
  ) throws(FaultProxyError) {
    let upstream = try Upstream(url, caBundle: caBundle, limits: limits)
    let listener = try ListeningSocket()
    endpoint = "http://127.0.0.1:\(listener.port)\(upstream.basePath)"
    let state = ProxyState(plan: plan, upstream: upstream, limits: limits)
    let connections = OpenConnections(limit: limits.connections)
    self.state = state
    self.connections = connections
    self.listener = Mutex(listener)
    connections.run(nil) {
      while let socket = listener.next() {
        let isServed = connections.run(socket) {
          ClientConnection(socket: socket, state: state).serve()
        }
        if !isServed {
          state.noteTurnedAway()
          socket.close()
        }
      }
    }
  }

  deinit { close() }

  /// The counts so far.
  package var tally: ProxyTally { state.tally }

  /// The last events, oldest first, up to the limit.
  package var events: [ProxyEvent] { state.events }

  /// How many requests wait for `release`.
  package var holding: Int { state.holding }

  /// Lets all held requests continue.
  package func release() { state.release() }

  /// Uses another plan from the next request on, which gets number 1.
  package func begin(_ plan: ProxyPlan) { state.begin(plan) }

  /// Waits until no request is in progress, including late sends. A held request is in progress
  /// until its release, a stalled one until its client gives up.
  package func settle() async { await state.settle() }

  /// Closes the port and every connection. Returns when all threads have ended.
  ///
  /// May be called again. With `settling`, requests to the server are waited for, up to
  /// `serverTime`; with `cancelling` they are abandoned.
  package func stop(_ ending: Ending) async {
    close()
    if ending == .cancelling {
      state.lateSends.cancel()
      state.upstream.shutdown()
    }
    await connections.ended()
    await state.settle()
    state.upstream.shutdown()
  }

  private func close() {
    state.stop()
    listener.withLock { $0.take() }?.ring()
    connections.interrupt()
  }
}
