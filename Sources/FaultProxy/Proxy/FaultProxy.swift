import Foundation
import Synchronization

/// An HTTP proxy on 127.0.0.1 that stands between an S3 client and one real server, passes requests
/// on as they came, and lets some go wrong as its plan says.
///
/// The client signs the host that it is given, so the `Host` field goes on unchanged; that serves
/// every server that checks the signature against the host it is told, with path addressing. Serves
/// each connection on a thread of its own. Call `stop` when done.
package final class FaultProxy: Sendable {
  /// What to do about sends that are still to come.
  package enum Ending: Hashable, Sendable {
    /// Wait for them.
    case settling
    /// Drop them; what the server was sent already may still be applied.
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
          socket.close()
          state.noteTurnedAway()
        }
      }
    }
  }

  deinit { close() }

  /// Numbers so far.
  package var tally: ProxyTally { state.tally }

  /// The last events, oldest first, up to the limit.
  package var events: [ProxyEvent] { state.events }

  /// How many requests wait for `release`.
  package var holding: Int { state.holding }

  /// Lets all requests go on that are held now.
  package func release() { state.release() }

  /// Follows another plan from the next request on, which has number 1 again.
  package func begin(_ plan: ProxyPlan) { state.begin(plan) }

  /// Waits until no request is under way, late sends included; one that is held is under way until
  /// its release, and a stalled one until its client gives up.
  package func settle() async { await state.settle() }

  /// Closes the port and every connection, and returns when all threads have ended.
  ///
  /// May be called again. Requests that wait for the server's answer are waited for with
  /// `settling`, up to `serverTime`, and given up with `cancelling`.
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
