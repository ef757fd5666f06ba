import HealthStreams
internal import Hummingbird
internal import HummingbirdCore
internal import HummingbirdTLS
internal import Logging
import NIOCore
internal import NIOSSL
internal import ServiceLifecycle

/// The server that phones post to (R50).
package struct HubServer: Sendable {
  /// Where a server listens.
  package struct Address: Hashable, Sendable {
    /// A name or an address, without brackets.
    package let host: String
    /// 0 for any free one.
    package let port: Int

    package init(host: String, port: Int) { (self.host, self.port) = (host, port) }
  }

  /// The files of a certificate and its key, in PEM.
  package struct TLSFiles: Hashable, Sendable {
    package let certificate: String
    package let key: String

    package init(certificate: String, key: String) {
      (self.certificate, self.key) = (certificate, key)
    }
  }

  private let hub: Hub
  private let address: Address
  private let tls: TLSFiles?

  package init(_ hub: Hub, at address: Address, tls: TLSFiles? = nil) {
    (self.hub, self.address, self.tls) = (hub, address, tls)
  }

  private var routes: [Route] {
    [Route(open: "/healthz") { Answer(200, text: "ok\n") }]
      + IngestRoutes.routes(hub) + RecordRoutes.routes(hub) + AppRoutes.routes(hub)
  }

  /// Serves until the process is asked to end by SIGTERM or SIGINT. Then what was accepted is
  /// finished.
  ///
  /// - Parameter isListening: called with the port once connections are accepted.
  package func run(isListening: @escaping @Sendable (Int) -> Void) async throws {
    var logger = Logger(label: "s3healthd.server")
    logger.logLevel = .warning
    let responder = HubResponder(
      hub: hub, routes: RouteTable(routes), admission: Admission(hub.limits))
    let server = HTTPServerBuilder.http1(
      configuration: .init(idleTimeout: .seconds(Int64(hub.limits.idleSeconds))))
    let application = Application(
      responder: responder, server: server,
      configuration: .init(
        address: .hostname(address.host, port: address.port),
        availableConnectionsDelegate: MaximumAvailableConnections(hub.limits.connections)),
      onServerRunning: { channel in isListening(channel.localAddress?.port ?? 0) },
      logger: logger)
    let group = ServiceGroup(
      configuration: .init(
        services: [application], gracefulShutdownSignals: [.sigterm, .sigint], logger: logger))
    try await group.run()
  }
}
