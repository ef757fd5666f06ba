import CurlTransport
import HTTPClient
import Testing

/// libcurl repeats a request whose reused connection dies unanswered.
@Suite(.tags(.process)) struct `On a reused connection that dies without an answer` {
  let server: HostileServer
  let transport = HTTPTransport()

  init() throws { server = try .running() }

  @Test(arguments: [0, 100, 300_000])
  func `a PUT that may be sent once is sent once, its outcome unknown`(size: Int) async throws {
    let (id, body) = (freshID(), [UInt8](repeating: 1, count: size))
    _ = try await transport.send(HTTPRequest(.get, server.url("close-reused/\(id)")))
    let error = try #require(
      await transport.failure(
        of: HTTPRequest(
          .put, server.url("close-reused/\(id)"), body: body, sendsAtMostOnce: true)))
    #expect(error.code == .wouldResend && error.mayHaveBeenApplied)
    #expect(try await server.log(id, having: "closed") == ["GET 0", "PUT \(size)", "closed"])
  }

  @Test(arguments: [0, 100, 300_000])
  func `a PUT that may be repeated is sent twice, and the response says so`(
    size: Int
  ) async throws {
    let (id, body) = (freshID(), [UInt8](repeating: 1, count: size))
    _ = try await transport.send(HTTPRequest(.get, server.url("close-reused/\(id)")))
    let response = try await transport.send(
      HTTPRequest(.put, server.url("close-reused/\(id)"), body: body))
    #expect(response.status == 200 && response.sends == 2)
    let log = try await server.log(id, having: "closed")
    #expect(log.filter { $0 == "PUT \(size)" }.count == 2)
  }
}

/// A server may end a connection after any answer: what may be sent once must not be sent on it.
@Suite(.tags(.process)) struct `Where a server closes a connection without having said so` {
  let server: HostileServer
  let transport: HTTPTransport

  init() throws {
    server = try .running()
    var configuration = HTTPTransport.Configuration()
    configuration.caBundle = server.ports.ca
    transport = HTTPTransport(configuration)
  }

  private func url(_ scheme: String, _ path: String) -> String {
    "\(scheme)://127.0.0.1:\(scheme == "https" ? server.ports.tls : server.ports.http)/\(path)"
  }

  /// The pause puts the close before and after the next request.
  @Test(arguments: ["http", "https"], ["0", "0.2"])
  func `the PUT after a refused one goes over another connection, and is sent once`(
    scheme: String, pause: String
  ) async throws {
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

  @Test(arguments: ["http", "https"])
  func `a PUT finds the connection ended and goes over a new one, sent once`(
    scheme: String
  ) async throws {
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

  @Test(arguments: ["http", "https"])
  func `a connection that stays is used for one PUT after another`(scheme: String) async throws {
    let id = freshID()
    for _ in 1...5 {
      _ = try await transport.send(
        HTTPRequest(.put, url(scheme, "ok/\(id)"), body: [1], sendsAtMostOnce: true))
    }
    #expect(Set(try await server.log(id)).count == 1)
  }
}
