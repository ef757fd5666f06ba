import CurlTransport
import HTTPClient
import Testing

/// Requests that hold back their bodies until all have sent their headers.
@Suite(.process) struct SendGateTests {
  private let server: HostileServer
  private let transport: CurlTransport

  init() throws {
    server = try .running()
    var configuration = CurlTransport.Configuration()
    configuration.caBundle = server.ports.ca
    transport = CurlTransport(configuration)
  }

  private func put(_ url: String, _ gate: SendGate, _ size: Int = 4) async throws -> HTTPResponse {
    var request = HTTPRequest(.put, url, body: [UInt8](repeating: 1, count: size))
    (request.gate, request.sendsAtMostOnce) = (gate, true)
    return try await transport.send(request)
  }

  private func meet(_ url: String, _ count: Int, size: Int = 4) async throws -> (SendGate, Int) {
    let gate = SendGate(requests: count)
    let answered = try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<count { group.addTask { try await put(url, gate, size).status } }
      return try await group.reduce(0) { $0 + ($1 == 200 ? 1 : 0) }
    }
    return (gate, answered)
  }

  @Test(arguments: [4, 200_000])
  func `all meet, over http, TLS and HTTP 2, and their bodies arrive`(size: Int) async throws {
    let ports = server.ports
    for url in [
      server.url("ok"), "https://127.0.0.1:\(ports.tls)/ok", "https://127.0.0.1:\(ports.tlsTwo)/ok",
    ] {
      for _ in 0..<3 {
        let (gate, answered) = try await meet(url, 16, size: size)
        #expect(gate.met == 16 && answered == 16, "\(url)")
      }
    }
    let two = try await put(
      "https://127.0.0.1:\(ports.tlsTwo)/ok", SendGate(requests: 1), size)
    #expect(two.header("X-Received") == "PUT \(size)")
  }

  @Test func `one that is alone goes on when no other comes`() async throws {
    let gate = SendGate(requests: 2, patience: .milliseconds(20))
    #expect(try await put(server.url("ok"), gate).status == 200)
    #expect(gate.met == 1)
  }

  @Test func `one that fails before it arrives holds up none`() async throws {
    let gate = SendGate(requests: 2, patience: .seconds(3600))
    async let answered = put(server.url("ok"), gate)
    await #expect(throws: HTTPError.self) { try await put("http://127.0.0.1:1/", gate) }
    #expect(try await answered.status == 200)
    #expect(gate.met == 1)
  }

  @Test func `one that is cancelled while it waits counts no more`() async throws {
    let gate = SendGate(requests: 3, patience: .milliseconds(300))
    let waiting = Task { try await put(server.url("ok"), gate) }
    while gate.opening == nil { await Task.yield() }
    waiting.cancel()
    _ = await waiting.result
    #expect(try await put(server.url("ok"), gate).status == 200)
    #expect(gate.met == 1)
  }
}
