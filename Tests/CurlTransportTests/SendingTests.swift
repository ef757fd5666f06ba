import CurlTransport
import HTTPClient
import Testing

@Suite(.tags(.process)) struct `Sending a request` {
  let server: HostileServer
  let transport = HTTPTransport()

  init() throws { server = try .running() }

  private func echo(_ request: HTTPRequest) async throws -> String {
    String(decoding: try await transport.send(request).body, as: UTF8.self)
  }

  @Test(arguments: [
    "a/../b/./c//d", "%2e%2e/%C3%A9%20+~!*'();:@&=,$[]", "k?b=2&a=1&a=&%7E=~", "x{y}|^`\"<>\\",
  ])
  func `the path and query are sent byte for byte`(path: String) async throws {
    let head = try await echo(HTTPRequest(.get, server.url("echo/" + path)))
    #expect(head.hasPrefix("GET /echo/\(path) HTTP/1.1\r\n"))
  }

  @Test func `of a query that is empty at most the question mark is lost`() async throws {
    let head = try await echo(HTTPRequest(.get, server.url("echo/k?")))
    #expect(
      ["GET /echo/k? HTTP/1.1", "GET /echo/k HTTP/1.1"].contains(head.prefix { $0 != "\r\n" }))
  }

  @Test func `only the caller's headers, Host and User-Agent are sent`() async throws {
    let head = try await echo(
      HTTPRequest(
        .get, server.url("echo"), headers: [HTTPField("X-One", "1"), HTTPField("X-No", "")])
    )
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

  @Test(arguments: [HTTPRequest.Method.put, .post], [0, 1, 65_536, 65_537, 3_000_000])
  func `a body arrives whole, with its length and without Expect`(
    method: HTTPRequest.Method, size: Int
  ) async throws {
    let body = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 7) }
    let response = try await transport.send(HTTPRequest(method, server.url("echo"), body: body))
    let text = String(decoding: response.body.prefix(300), as: UTF8.self)
    #expect(text.hasPrefix("\(method.rawValue) /echo HTTP/1.1\r\n"))
    #expect(text.contains("Content-Length: \(size)\r\n"))
    #expect(!text.contains("Expect") && !text.contains("Content-Type"))
    #expect(response.body.suffix(size) == body[...])
  }

  @Test func `given Host, Content-Type and Content-Length headers replace libcurl's`() async throws
  {
    let head = try await echo(
      HTTPRequest(
        .put, server.url("echo"),
        headers: [
          HTTPField("host", "bucket.example"), HTTPField("content-type", "application/json"),
          HTTPField("content-length", "2"), HTTPField("user-agent", "other"),
          HTTPField("accept", "x/y"),
        ], body: [0x7B, 0x7D]))
    for line in [
      "Host: bucket.example", "content-type: application/json", "Content-Length: 2",
      "user-agent: other", "accept: x/y",
    ] {
      #expect(head.contains("\r\n\(line)\r\n"), "\(line)")
    }
    #expect(head.split(separator: "\r\n").count == 6 + 1)
  }

  @Test func `DELETE sends no body and HEAD expects none`() async throws {
    let head = try await echo(HTTPRequest(.delete, server.url("echo")))
    #expect(head.hasPrefix("DELETE /echo HTTP/1.1\r\n") && !head.contains("Content-Length"))
    let response = try await transport.send(HTTPRequest(.head, server.url("huge")))
    #expect(response.status == 200 && response.body.isEmpty)
    #expect(response.header("content-length") == "10737418240")
  }

  @Test func `one connection serves successive requests, whatever the method`() async throws {
    let id = freshID()
    for method in [HTTPRequest.Method.get, .head, .put, .delete, .post, .get] {
      let response = try await transport.send(HTTPRequest(method, server.url("ok/\(id)")))
      #expect(response.status == 200 && response.sends == 1)
    }
    let connections = Set(try await server.log(id).compactMap { $0.split(separator: " ").last })
    #expect(connections.count == 1)
  }

  @Test(arguments: [204, 304])
  func `a response without a body ends with its header`(status: Int) async throws {
    let request = HTTPRequest(.get, server.url("status/x/\(status)"), timeout: .seconds(20))
    for _ in 0..<2 {
      let response = try await transport.send(request)
      #expect(response.status == status && response.body.isEmpty)
      #expect(response.header("ETAG") == "x")
    }
  }

  @Test func `a redirect is returned, not followed`() async throws {
    let id = freshID()
    let response = try await transport.send(HTTPRequest(.put, server.url("redirect/\(id)")))
    #expect(response.status == 307)
    #expect(response.header("location") == "/redirect/\(id)")
    #expect(try await server.log(id) == ["redirected"])
  }

  @Test func `interim responses are read over`() async throws {
    let response = try await transport.send(
      HTTPRequest(.put, server.url("interim"), body: .init(repeating: 1, count: 100_000)))
    #expect(response.status == 200 && response.body == Array("ok".utf8))
    #expect(response.header("x-interim") == nil && response.header("link") == nil)
  }

  @Test func `odd but valid headers come as received`() async throws {
    let response = try await transport.send(HTTPRequest(.get, server.url("odd")))
    #expect(
      response.headers == [
        HTTPField("eTaG", "\"a\""), HTTPField("X-Dup", "1"), HTTPField("x-dup", "2"),
        HTTPField("X-Empty", ""), HTTPField("X-Fold", "a b"), HTTPField("X-Colon", "a:b"),
        HTTPField("X-Latin", "caf\u{FFFD}"), HTTPField("content-LENGTH", "2"),
      ])
    #expect(response.status == 200 && response.body == Array("ok".utf8))
  }

  @Test func `chunked, HTTP 1.0 and compressed bodies come as they are`() async throws {
    let chunked = try await transport.send(HTTPRequest(.get, server.url("chunked")))
    #expect(chunked.body == Array("hello world".utf8) && chunked.header("x-trailer") == nil)
    let closed = try await transport.send(HTTPRequest(.get, server.url("until-close")))
    #expect(closed.body == Array("all there is".utf8))
    let compressed = try await transport.send(HTTPRequest(.get, server.url("gzip-body")))
    #expect(compressed.body == [0x1F, 0x8B] + Array("not really".utf8))
  }

  @Test func `a refusal before the body is read is the response`() async throws {
    let response = try await transport.send(
      HTTPRequest(.put, server.url("early"), body: .init(repeating: 1, count: 8_000_000)))
    #expect(response.status == 412 && response.body == Array("no".utf8))
  }

  @Test func `a refusal that resets the connection is the response or an unknown outcome`()
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
