import HTTPClient
import Testing

/// A server may end a connection after any answer: what may be sent once must not be sent on it.
@Suite(.process) struct `Where a server closes a connection without having said so` {
  /// Each transport, over http and, where it can be told whom to trust, over https.
  static let ways = Transport.all.flatMap { transport in
    (transport.isURLSession ? ["http"] : ["http", "https"]).map { (transport, $0) }
  }

  let server: HostileServer
  private let configuration: TransportConfiguration

  init() throws {
    server = try .running()
    var configuration = TransportConfiguration()
    configuration.caBundle = server.ports.ca
    self.configuration = configuration
  }

  private func url(_ scheme: String, _ path: String) -> String {
    "\(scheme)://127.0.0.1:\(scheme == "https" ? server.ports.tls : server.ports.http)/\(path)"
  }

  /// The pause puts the close before and after the next request.
  @Test(arguments: ways, ["0", "0.2"])
  func `the PUT after a refused one goes over another connection, and is sent once`(
    way: (transport: Transport, scheme: String), pause: String
  ) async throws {
    let (transport, scheme) = (way.transport.make(configuration), way.scheme)
    let id = freshID()
    for round in 1...20 {
      let refused = try await transport.send(
        HTTPRequest(
          .put, url(scheme, "refuse-unread/\(id)/refused/\(pause)"), body: [1, 2, 3],
          sendsAtMostOnce: true))
      #expect(refused.status == 412)
      let response = try await transport.send(
        HTTPRequest(
          .put, url(scheme, "refuse-unread/\(id)"), body: [1, 2, 3], sendsAtMostOnce: true))
      #expect(response.status == 200 && response.sends == 1)
      #expect(try await server.log(id).count { $0.hasPrefix("PUT") } == 2 * round)
    }
  }

  @Test(arguments: ways)
  func `a PUT finds the connection ended and goes over a new one, sent once`(
    transport: Transport, scheme: String
  ) async throws {
    let transport = transport.make(configuration)
    for _ in 1...20 {
      let id = freshID()
      _ = try await transport.send(HTTPRequest(.get, url(scheme, "close-idle/\(id)")))
      _ = try await server.log(id, having: "closed")
      let response = try await transport.send(
        HTTPRequest(.put, url(scheme, "close-idle/\(id)"), body: [1, 2, 3], sendsAtMostOnce: true))
      #expect(response.status == 200 && response.sends == 1)
      #expect(try await server.log(id).count { $0.hasPrefix("PUT") } == 1)
    }
  }

  @Test(arguments: ways)
  func `a connection that stays is used for one read after another`(
    transport: Transport, scheme: String
  ) async throws {
    let (transport, id) = (transport.make(configuration), freshID())
    for _ in 1...5 { _ = try await transport.send(HTTPRequest(.get, url(scheme, "ok/\(id)"))) }
    #expect(Set(try await server.log(id)).count == 1)
  }
}
