import HTTPClient
import Testing

@Suite(.process) struct `Sending a request` {
  let server: HostileServer

  init() throws { server = try .running() }

  private func echo(_ request: HTTPRequest, _ transport: Transport) async throws -> String {
    String(decoding: try await transport.send(request).body, as: UTF8.self)
  }

  @Test(
    arguments: Transport.all,
    [
      "a/../b/./c//d", "%2e%2e/%C3%A9%20+~!*'();:@&=,$[]", "k?b=2&a=1&a=&%7E=~", "x{y}|^`\"<>\\",
    ])
  func `the path and query are sent byte for byte, or not at all`(
    transport: Transport, path: String
  ) async throws {
    let isChanged = ["..", "{", "["].contains { path.contains($0) }
    if transport.isURLSession, isChanged {
      let failure = await transport.failure(of: HTTPRequest(.get, server.url("echo/" + path)))
      #expect(failure?.code == .invalidRequest && failure?.mayHaveBeenApplied == false)
      return
    }
    let head = try await echo(HTTPRequest(.get, server.url("echo/" + path)), transport)
    #expect(head.hasPrefix("GET /echo/\(path) HTTP/1.1\r\n"))
  }

  @Test(arguments: Transport.all) func `of a query that is empty at most the question mark is lost`(
    transport: Transport
  ) async throws {
    let head = try await echo(HTTPRequest(.get, server.url("echo/k?")), transport)
    #expect(
      ["GET /echo/k? HTTP/1.1", "GET /echo/k HTTP/1.1"].contains(head.prefix { $0 != "\r\n" }))
  }

  @Test(arguments: Transport.all) func `only the caller's headers, Host and User-Agent are sent`(
    transport: Transport
  ) async throws {
    let head = try await echo(
      HTTPRequest(
        .get, server.url("echo"), headers: [HTTPField("X-One", "1"), HTTPField("X-No", "")]),
      transport)
    if transport.isURLSession {
      let names = Set(head.split(separator: "\r\n").dropFirst().map { $0.prefix { $0 != ":" } })
      #expect(
        names.isSubset(of: [
          "Host", "User-Agent", "X-One", "X-No", "Connection", "Accept", "Accept-Encoding",
          "Accept-Language",
        ]))
      #expect(head.contains("\r\nX-One: 1\r\n") && head.contains("\r\nUser-Agent: s3health\r\n"))
      #expect(head.contains("\r\nAccept-Encoding: identity\r\n"))
      return
    }
    #expect(
      head == """
        GET /echo HTTP/1.1\r
        Host: 127.0.0.1:\(server.ports.http)\r
        User-Agent: s3health\r
        X-One: 1\r
        X-No:\r
        \r

        """)
  }

  @Test(arguments: Transport.all, [HTTPRequest.Method.put, .post])
  func `a body arrives whole, with its length and without Expect`(
    transport: Transport, method: HTTPRequest.Method
  ) async throws {
    for size in [0, 1, 65_536, 65_537, 3_000_000] {
      let body = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 7) }
      let response = try await transport.send(HTTPRequest(method, server.url("echo"), body: body))
      let text = String(decoding: response.body.prefix(300), as: UTF8.self)
      #expect(text.hasPrefix("\(method.rawValue) /echo HTTP/1.1\r\n"))
      #expect(text.contains("Content-Length: \(size)\r\n"))
      #expect(!text.contains("Expect") && !text.lowercased().contains("transfer-encoding"))
      #expect(transport.isURLSession || !text.contains("Content-Type"))
      #expect(response.body.suffix(size) == body[...])
    }
  }

  @Test(arguments: Transport.all)
  func `given Host, Content-Type and Content-Length headers replace the transport's`(
    transport: Transport
  ) async throws {
    let head = try await echo(
      HTTPRequest(
        .put, server.url("echo"),
        headers: [
          HTTPField("host", "bucket.example"), HTTPField("content-type", "application/json"),
          HTTPField("content-length", "2"), HTTPField("user-agent", "other"),
          HTTPField("accept", "x/y"),
        ], body: [0x7B, 0x7D]), transport)
    for line in [
      "Host: bucket.example", "content-type: application/json", "Content-Length: 2",
      "user-agent: other", "accept: x/y",
    ] {
      #expect(head.lowercased().contains("\r\n\(line.lowercased())\r\n"), "\(line)")
    }
    if !transport.isURLSession { #expect(head.split(separator: "\r\n").count == 6 + 1) }
  }

  @Test(arguments: Transport.all) func `DELETE sends no body and HEAD expects none`(
    transport: Transport
  ) async throws {
    let head = try await echo(HTTPRequest(.delete, server.url("echo")), transport)
    #expect(head.hasPrefix("DELETE /echo HTTP/1.1\r\n"))
    #expect(!head.contains("Content-Length") || head.contains("Content-Length: 0\r\n"))
    let response = try await transport.send(HTTPRequest(.head, server.url("huge")))
    #expect(response.status == 200 && response.body.isEmpty)
    #expect(response.header("content-length") == "10737418240")
  }

  @Test(arguments: Transport.all)
  func `one connection serves successive requests, whatever the method`(transport: Transport)
    async throws
  {
    let id = freshID()
    // Tests beside this one would take the connections of a shared transport.
    let own = transport.make()
    let reads = [HTTPRequest.Method.get, .head, .delete, .get]
    for method in transport.isURLSession ? reads : reads + [.put, .post, .get] {
      let response = try await own.send(HTTPRequest(method, server.url("ok/\(id)")))
      #expect(response.status == 200 && response.sends == 1)
    }
    let connections = Set(try await server.log(id).compactMap { $0.split(separator: " ").last })
    // URLSession may open another one.
    #expect(connections.count <= (transport.isURLSession ? 2 : 1))
  }

  @Test(arguments: Transport.all, [204, 304])
  func `a response without a body ends with its header`(transport: Transport, status: Int)
    async throws
  {
    let request = HTTPRequest(.get, server.url("status/x/\(status)"), timeout: .seconds(20))
    for _ in 0..<2 {
      let response = try await transport.send(request)
      #expect(response.status == status && response.body.isEmpty)
      #expect(response.header("ETAG") == "x")
    }
  }

  @Test(arguments: Transport.all) func `a redirect is returned, not followed`(transport: Transport)
    async throws
  {
    let id = freshID()
    let response = try await transport.send(HTTPRequest(.put, server.url("redirect/\(id)")))
    #expect(response.status == 307)
    #expect(response.header("location") == "/redirect/\(id)")
    #expect(try await server.log(id).filter { $0 != "closed" } == ["redirected"])
  }

  @Test(arguments: Transport.all) func `interim responses are read over`(transport: Transport)
    async throws
  {
    let response = try await transport.send(
      HTTPRequest(.put, server.url("interim"), body: .init(repeating: 1, count: 100_000)))
    #expect(response.status == 200 && response.body == Array("ok".utf8))
    #expect(response.header("x-interim") == nil && response.header("link") == nil)
  }

  @Test(arguments: Transport.all) func `odd but valid headers come as received`(
    transport: Transport
  ) async throws {
    // Foundation on Linux refuses a head that is not UTF-8.
    if transport.isURLSession {
      let failure = try #require(
        await transport.failure(of: HTTPRequest(.get, server.url("odd"))))
      #expect(failure.code == .connectionLost && failure.mayHaveBeenApplied)
      return
    }
    let response = try await transport.send(HTTPRequest(.get, server.url("odd")))
    #expect(
      response.headers == [
        HTTPField("eTaG", "\"a\""), HTTPField("X-Dup", "1"), HTTPField("x-dup", "2"),
        HTTPField("X-Empty", ""), HTTPField("X-Fold", "a b"), HTTPField("X-Colon", "a:b"),
        HTTPField("X-Latin", "caf\u{FFFD}"), HTTPField("content-LENGTH", "2"),
      ])

    #expect(response.status == 200 && response.body == Array("ok".utf8))
  }

  @Test(arguments: Transport.all) func `chunked, HTTP 1.0 and compressed bodies come as they are`(
    transport: Transport
  ) async throws {
    if !transport.endsProcess(of: "chunked") {
      let chunked = try await transport.send(HTTPRequest(.get, server.url("chunked")))
      #expect(chunked.body == Array("hello world".utf8) && chunked.header("x-trailer") == nil)
    }
    let closed = try await transport.send(HTTPRequest(.get, server.url("until-close")))
    #expect(closed.body == Array("all there is".utf8))
    // URLSession decodes what says that it is compressed.
    if transport.isURLSession { return }
    let compressed = try await transport.send(HTTPRequest(.get, server.url("gzip-body")))
    #expect(compressed.body == [0x1F, 0x8B] + Array("not really".utf8))
  }

  @Test(arguments: Transport.all) func `a refusal before the body is read is the response`(
    transport: Transport
  ) async throws {
    let response = try await transport.send(
      HTTPRequest(.put, server.url("early"), body: .init(repeating: 1, count: 8_000_000)))
    #expect(response.status == 412 && response.body == Array("no".utf8))
  }

  @Test(arguments: Transport.all)
  func `a refusal that resets the connection is the response or an unknown outcome`(
    transport: Transport
  )
    async throws
  {
    let request = HTTPRequest(
      .put, server.url("early-hard"), body: .init(repeating: 1, count: 8_000_000),
      sendsAtMostOnce: true)
    do {
      #expect(try await transport.send(request).status == 412)
    } catch {
      #expect(error.code == .connectionLost && error.mayHaveBeenApplied)
    }
  }
}
