import Foundation
import HealthExports
import HealthLedger
import HealthModel
internal import Hummingbird
internal import HummingbirdCore
internal import HummingbirdTLS
internal import Logging
import NIOCore
internal import ServiceLifecycle
internal import UnixSignals

/// Serves what phones post to, and what people and agents read (R54).
package struct HubServer: Sendable {
  private let hub: Hub
  private let address: ListenAddress
  private let tls: TLSFiles?
  private let proxies: [AddressRange]
  private let metrics: ListenAddress?
  private let counters: HubCounters
  private let note: @Sendable (String) -> Void

  /// - Parameters:
  ///   - proxies: whose `X-Forwarded-Proto` counts, besides programs of this machine.
  ///   - metrics: where `/metrics` is served, in plain http and without a token; nil for nowhere.
  ///   - counters: what is served there.
  ///   - note: takes what the person should know.
  package init(
    _ hub: Hub, at address: ListenAddress, tls: TLSFiles? = nil, proxies: [AddressRange] = [],
    metrics: ListenAddress? = nil, counters: HubCounters,
    note: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    (self.hub, self.address, self.tls) = (hub, address, tls)
    self.proxies = AddressRange.thisMachine + proxies
    (self.metrics, self.counters, self.note) = (metrics, counters, note)
  }

  /// How long requests have to end after the server was asked to.
  private static let stopSeconds: Int64 = 70

  /// How long days have to be made again after that. Markers keep those that are left.
  private static let finishSeconds = 10

  private var routes: [Route] {
    let readiness = Readiness(hub.own.streams, hub.own.tables, counters)
    let sessions = hub.own.dashboard.map { PageSessions(hub.tokens, ended: $0.ended) }
    let pages = sessions.map { DashboardRoutes.routes(hub, $0) } ?? []
    return [
      // That the server runs, and that what stands behind it can be reached.
      Route(open: "/healthz") { Answer(200, text: "ok\n") },
      Route(open: "/readyz") { await readiness.answer() },
      // Not a file beside the program: the program alone is enough.
      Route(open: "/openapi.json") {
        Answer(file: PackageResources.openapi_json, type: "application/json")
      },
    ] + IngestRoutes.routes(hub) + RecordRoutes.routes(hub) + AppRoutes.routes(hub)
      + AgentRoutes.routes(hub) + PeopleRoutes.routes(hub) + OAuthRoutes.routes(hub, sessions)
      + pages
  }

  /// Serves until the process is asked to end by SIGTERM or SIGINT. Then what was accepted is
  /// finished.
  ///
  /// - Parameter isListening: called with the port once connections are accepted, and with that of
  ///   `/metrics`, if there is one.
  package func run(
    isListening: @escaping @Sendable (_ port: Int, _ isMetrics: Bool) -> Void
  ) async throws(HubServerError) {
    var logger = Logger(label: "s3healthd.server")
    logger.logLevel = .critical
    let (hub, counters) = (hub, counters)
    let certificate = try tls.map { files throws(HubServerError) in try ServedCertificate(files) }
    let responder = HubResponder(
      hub: hub, routes: RouteTable(routes), admission: Admission(hub.limits),
      isSecure: tls != nil, proxies: proxies,
      report: { record in
        counters.add(record)
        if record.bringsData { hub.known(record.person)?.dashboard?.note(record) }
        hub.report(record)
      })
    func service(
      _ responder: HubResponder, _ server: HTTPServerBuilder, at address: ListenAddress, most: Int,
      isMetrics: Bool
    ) -> some Service {
      Application(
        responder: responder, server: server,
        configuration: .init(
          address: .hostname(address.host, port: address.port),
          availableConnectionsDelegate: MaximumAvailableConnections(most)),
        onServerRunning: { channel in isListening(channel.localAddress?.port ?? 0, isMetrics) },
        logger: logger)
    }
    var services: [any Service] = [
      service(
        responder, try server(certificate), at: address,
        most: hub.limits.connections + ConnectionGate.refused, isMetrics: false)
    ]
    if let metrics {
      let route = Route(open: "/metrics") {
        let waiting = (hub.own.days?.count ?? 0) + (hub.people?.waiting ?? 0)
        return Answer(
          200, text: PrometheusText.text(counters.families(waiting: waiting)),
          type: PrometheusText.contentType)
      }
      let responder = HubResponder(
        hub: hub, routes: RouteTable([route]), admission: Admission(hub.limits), report: { _ in })
      services.append(
        service(responder, plain(isSecure: false), at: metrics, most: 64, isMetrics: true))
    }
    services.append(Worker { await hub.tokens.run() })
    services.append(ReloadWorker(certificate: certificate, note: note))
    // Makes days again and sends events to open pages. The last one ends first: open pages hold no
    // connection then.
    services.append(
      Worker {
        async let people: ()? = hub.people?.run(hub)
        await hub.own.run(hub)
        _ = await people
      })
    var configuration = ServiceGroupConfiguration(
      services: services, gracefulShutdownSignals: [.sigterm, .sigint], logger: logger)
    configuration.maximumGracefulShutdownDuration = .seconds(Self.stopSeconds)
    do {
      try await ServiceGroup(configuration: configuration).run()
    } catch {
      // It does not say of which of the two it is.
      let places = [address, metrics].compactMap(\.self).map { "\($0)" }
      let reason = (error as? IOError).map { String(cString: strerror($0.errnoCode)) } ?? "\(error)"
      throw HubServerError(
        .cannotListen, "can't listen on \(places.joined(separator: " or ")): \(reason)")
    }
    // Requests that were finished last have touched days, too.
    async let people: ()? = hub.people?.finish(seconds: Self.finishSeconds)
    await hub.own.days?.finish(seconds: Self.finishSeconds)
    _ = await people
  }

  private struct Worker: Service {
    let work: @Sendable () async -> Void

    func run() async throws {
      await cancelWhenGracefulShutdown(work)
      // A service that returns early would end the others.
      try? await gracefulShutdown()
    }
  }

  /// Reads the certificate again on SIGHUP. Tokens are read again by themselves.
  private struct ReloadWorker: Service {
    let certificate: ServedCertificate?
    let note: @Sendable (String) -> Void

    func run() async throws {
      let signals = await UnixSignalsSequence(trapping: .sighup)
      // A signal that came while the server started was ignored.
      reload(saysSo: false)
      for await _ in signals.cancelOnGracefulShutdown() { reload(saysSo: true) }
    }

    private func reload(saysSo: Bool) {
      guard let certificate else { return }
      do throws(HubServerError) {
        try certificate.reload()
        if saysSo { note("the certificate was read again") }
      } catch {
        note("the certificate stays as it was: \(error.message)")
      }
    }
  }

  private func plain(isSecure: Bool) -> HTTPServerBuilder {
    let table = ConnectionTable(hub.limits)
    return .http1(
      configuration: .init(
        additionalChannelHandlers: [ConnectionGate(table, isSecure: isSecure)],
        idleTimeout: .seconds(Int64(hub.limits.idleSeconds))))
  }

  private func server(_ certificate: ServedCertificate?) throws(HubServerError) -> HTTPServerBuilder
  {
    guard let certificate else { return plain(isSecure: false) }
    do {
      return try .tls(plain(isSecure: true), tlsConfiguration: certificate.configuration)
    } catch {
      throw HubServerError(.invalidCertificate, "TLS can't be used: \(error)")
    }
  }
}

extension RequestRecord {
  /// Whether it brought data, or was to: not what people's browsers send, and what is from nobody known.
  fileprivate var bringsData: Bool {
    method == "POST" && device != nil && !DashboardRoutes.own.contains(path)
      && path != AgentRoutes.path && !OAuthMetadata.paths.contains(path)
  }
}

/// Why a server can't start, or can't use its certificate or its tokens.
package struct HubServerError: Error, Hashable, Sendable {
  package enum Code: Hashable, Sendable {
    case cannotListen
    case invalidCertificate
    /// The tokens can't be read or written.
    case tokensInaccessible
    /// Other users may read or write the file of tokens.
    case tokensNotPrivate
    /// The file or object is not a list of tokens.
    case tokensDamaged
  }

  package let code: Code
  /// One clause that contains no secret and nothing of the tokens.
  package let message: String

  init(_ code: Code, _ message: String) { (self.code, self.message) = (code, message) }
}
