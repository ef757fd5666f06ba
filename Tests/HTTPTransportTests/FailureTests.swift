import HTTPClient
import Testing

@Suite(.process) struct `A failed exchange` {
  let server: HostileServer

  init() throws { server = try .running() }

  @Test(
    arguments: Transport.all,
    [
      ("garbage", HTTPError.Code.malformedResponse), ("no-colon", .malformedResponse),
      ("empty", .connectionLost), ("truncated", .connectionLost), ("cut-head", .connectionLost),
      ("chunked-broken", .connectionLost), ("chunked-cut", .connectionLost),
      ("reset", .connectionLost), ("reset-body", .connectionLost),
    ])
  func `names what the server did and leaves the outcome open`(
    transport: Transport, fault: (scenario: String, code: HTTPError.Code)
  ) async throws {
    let (scenario, code) = fault
    guard !transport.endsProcess(of: scenario) else { return }
    for method in [HTTPRequest.Method.get, .put] {
      let request = HTTPRequest(method, server.url("\(scenario)?secret"))
      let error = try #require(await transport.failure(of: request))
      // Of URLSession's codes only some tell the kinds apart.
      let isClose = [.connectionLost, .malformedResponse].contains(error.code)
      #expect(transport.isURLSession ? isClose : error.code == code, "\(error)")
      #expect(error.mayHaveBeenApplied)
      #expect(!error.message.contains("secret") && !error.message.isEmpty)
    }
    let next = try await transport.send(HTTPRequest(.get, server.url("ok")))
    #expect(next.status == 200)
  }

  @Test(arguments: Transport.all) func `without a connection is certain not to have been applied`(
    transport: Transport
  ) async throws {
    let closed = try #require(
      await transport.failure(of: HTTPRequest(.put, "http://127.0.0.1:1/k?secret")))
    #expect(closed.code == .couldNotConnect && !closed.mayHaveBeenApplied)
    #expect(closed.message.contains("127.0.0.1") && !closed.message.contains("secret"))
    let unknown = try #require(
      await transport.failure(of: HTTPRequest(.put, "http://something.invalid/k?secret")))
    #expect(unknown.code == .couldNotResolve && !unknown.mayHaveBeenApplied)
    #expect(unknown.message == "the host name something.invalid could not be resolved")
  }

  @Test(
    arguments: Transport.all,
    [
      "ftp://host/", "http://", "http://:80/", "host/path", "http://host/a b", "http://host/é",
      "http://user:password@host/", "http://host/#part", "http://[::1/", "file:///etc/passwd",
      "http://host/\r\nX: y", "http://host:99999999/", "HTTP", "",
      "http://host/" + String(repeating: "a", count: 70_000),
    ])
  func `for an invalid URL is found before anything is sent`(transport: Transport, url: String)
    async throws
  {
    let error = try #require(await transport.failure(of: HTTPRequest(.get, url)))
    #expect(error.code == .invalidRequest && !error.mayHaveBeenApplied)
    #expect(!error.message.contains("password"))
  }

  @Test(
    arguments: Transport.all,
    [
      HTTPField("", "x"), HTTPField("X Y", "x"), HTTPField("X:", "x"), HTTPField("X", "a\r\nY: b"),
      HTTPField("X", "a\0b"), HTTPField("Expect", "100-continue"), HTTPField("connection", "close"),
      HTTPField("Transfer-Encoding", "chunked"), HTTPField("Content-Length", "5"),
    ])
  func `for an invalid header is found before anything is sent`(
    transport: Transport, field: HTTPField
  ) async throws {
    let request = HTTPRequest(.put, server.url("ok"), headers: [field], body: [1])
    let error = try #require(await transport.failure(of: request))
    #expect(error.code == .invalidRequest && !error.mayHaveBeenApplied)
  }

  @Test(arguments: Transport.all, [HTTPRequest.Method.get, .head, .delete])
  func `for a body where none belongs is found before anything is sent`(
    transport: Transport, method: HTTPRequest.Method
  ) async throws {
    let request = HTTPRequest(method, server.url("ok"), body: [1])
    #expect(await transport.failure(of: request)?.code == .invalidRequest)
  }
}
