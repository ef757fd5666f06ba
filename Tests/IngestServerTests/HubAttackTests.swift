import Foundation
import Gzip
import HealthStreams
import IngestServer
import StoreTesting
import TestSupport
import Testing

/// Requests that no honest client sends, on raw sockets: each is refused, and the server stays up.
@Suite(.process) struct HubAttackTests {
  /// A request line and header fields, and the status that they get; 0 where the connection may
  /// only be closed. `T` stands for the token.
  static let requests: [(String, Int)] = [
    // Hosts.
    ("GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n", 200),
    ("GET /healthz HTTP/1.1\r\n\r\n", 400),
    ("GET /healthz HTTP/1.1\r\nHost:\r\n\r\n", 400),
    ("GET /healthz HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", 400),
    // Paths: only the exact one is found, and no file of the machine is near.
    ("GET /healthz/ HTTP/1.1\r\nHost: a\r\n\r\n", 404),
    ("GET //healthz HTTP/1.1\r\nHost: a\r\n\r\n", 404),
    ("GET /%68ealthz HTTP/1.1\r\nHost: a\r\n\r\n", 404),
    ("GET /./healthz HTTP/1.1\r\nHost: a\r\n\r\n", 404),
    ("GET /../../etc/passwd HTTP/1.1\r\nHost: a\r\n\r\n", 404),
    ("GET /healthz%00 HTTP/1.1\r\nHost: a\r\n\r\n", 404),
    ("GET /HEALTHZ HTTP/1.1\r\nHost: a\r\n\r\n", 404),
    ("GET http://other/healthz HTTP/1.1\r\nHost: a\r\n\r\n", 200),
    ("OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n", 400),
    ("GET /healthz?x=1 HTTP/1.1\r\nHost: a\r\n\r\n", 200),
    ("GET /metrics HTTP/1.1\r\nHost: a\r\n\r\n", 404),
    // Methods.
    ("DELETE /api/ingest HTTP/1.1\r\nHost: a\r\n\r\n", 405),
    ("PATCH /healthz HTTP/1.1\r\nHost: a\r\n\r\n", 405),
    ("BREW /healthz HTTP/1.1\r\nHost: a\r\n\r\n", 400),
    ("HEAD /healthz HTTP/1.1\r\nHost: a\r\nConnection: Close\r\n\r\n", 200),
    // Smuggling.
    (
      "POST /api/ingest HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
      400
    ),
    (
      "POST /api/ingest HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nabcdef",
      400
    ),
    ("GET /healthz HTTP/1.1\r\nHost: a\r\nX: a\r\n b\r\n\r\n", 400),
    ("GET /healthz HTTP/1.1\r\nHost : a\r\n\r\n", 400),
    ("GET /healthz HTTP/1.1\r\nHost: a\r\nX: a\u{0}b\r\n\r\n", 400),
    (
      "POST /api/ingest HTTP/1.1\r\nHost: a\r\nX-Device-Token: T\r\nTransfer-Encoding: chunked\r\n\r\nZZ\r\n",
      400
    ),
    ("POST /api/ingest HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n", 400),
    ("\u{16}\u{3}\u{1} not http at all\r\n\r\n", 400),
    // Codings and expectations.
    (
      "POST /api/ingest HTTP/1.1\r\nHost: a\r\nX-Device-Token: T\r\nContent-Encoding: br\r\nContent-Length: 1\r\n\r\nx",
      415
    ),
    (
      "POST /api/ingest HTTP/1.1\r\nHost: a\r\nX-Device-Token: T\r\nContent-Encoding: gzip, gzip\r\nContent-Length: 1\r\n\r\nx",
      415
    ),
    (
      "POST /api/ingest HTTP/1.1\r\nHost: a\r\nX-Device-Token: T\r\nContent-Encoding: gzip\r\nContent-Length: 1\r\n\r\nx",
      400
    ),
    ("GET /healthz HTTP/1.1\r\nHost: a\r\nExpect: the-worst\r\n\r\n", 417),
    // Sizes.
    (
      "POST /api/ingest HTTP/1.1\r\nHost: a\r\nX-Device-Token: T\r\nContent-Length: 67108865\r\n\r\n",
      413
    ),
    ("POST /api/ingest HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999999\r\n\r\n", 401),
    ("POST /api/ingest HTTP/1.1\r\nHost: a\r\nX-Device-Token: T\r\nContent-Length: 0\r\n\r\n", 400),
  ]

  @Test func `R54: a malformed request gets its status; the next client is served`() async throws {
    let trial = try await HubTrial()
    for (request, status) in Self.requests {
      let answer = try await trial.raw(
        request.replacing("X-Device-Token: T", with: "X-Device-Token: \(trial.token)"))
      #expect(answer.hasPrefix("HTTP/1.1 \(status) "), "\(request): \(answer.prefix(200))")
      // 405 says what is taken.
      if status == 405 { #expect(answer.contains("\r\nAllow: GET, HEAD")) }
    }
    #expect(try await trial.ask("/healthz").status == 200)
    #expect(try trial.batches() == [])
  }

  @Test func `R54: Expect 100-continue is answered at once, for a known token`() async throws {
    let trial = try await HubTrial()
    let body = HubTrial.body([5])
    let head =
      "POST /api/ingest HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: \(body.utf8.count)\r\n"
    let known = try RawConnection(port: trial.hub.port)
    try await known.send(head + "X-Device-Token: \(trial.token)\r\n\r\n")
    let first = try await known.read { $0.contains("\r\n\r\n") }
    #expect(first.text == "HTTP/1.1 100 Continue\r\n\r\n")
    try await known.send(body)
    #expect(try await known.read { $0.contains("stream_key") }.text.contains("HTTP/1.1 200 OK"))
    let unknown = try RawConnection(port: trial.hub.port)
    try await unknown.send(head + "\r\n")
    #expect(try await unknown.read { $0.contains("error") }.text.hasPrefix("HTTP/1.1 401 "))
    // Nor is a body asked for that is too large.
    let large = try RawConnection(port: trial.hub.port)
    try await large.send(
      "POST /api/ingest HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 67108865\r\n"
        + "X-Device-Token: \(trial.token)\r\n\r\n")
    #expect(try await large.read { $0.contains("\r\n\r\n") }.text.hasPrefix("HTTP/1.1 413 "))
  }

  @Test func `R54: a body that drips or stalls is cut off with 408`() async throws {
    let trial = try await HubTrial(arguments: ["--body-timeout", "1"])
    let connection = try RawConnection(port: trial.hub.port)
    try await connection.send(
      "POST /api/ingest HTTP/1.1\r\nHost: a\r\nX-Device-Token: \(trial.token)\r\nContent-Length: 1000\r\n\r\n"
    )
    let dripping = Task {
      // Never silent for long, so only a limit of the whole time ends it.
      for _ in 0..<600 where try await connection.send("x") == 1 {
        try await Task.sleep(for: .milliseconds(50))
      }
    }
    let answer = try await connection.read()
    dripping.cancel()
    #expect(answer.text.hasPrefix("HTTP/1.1 408 "))
    #expect(answer.isClosed)
  }

  @Test func `R54: a gzip bomb and endless chunks are refused in little memory`() async throws {
    let trial = try await HubTrial()
    let before = peak(of: trial.hub) ?? 0
    let zeros = [UInt8](repeating: 0x20, count: 64 << 20)
    let bomb = try ZlibCompression().gzip(Array(repeating: zeros[...], count: 8))
    #expect(bomb.count < 1_000_000)
    for _ in 0..<5 {
      let answer = try await CurlAnswer(
        trial.hub.url + "/api/ingest", token: trial.token, body: bomb,
        ["-H", "Content-Encoding: gzip"])
      #expect((answer.status, answer.code) == (413, "too_large"))
    }
    let chunked = try await CurlAnswer(
      trial.hub.url + "/api/ingest/health-metrics", token: trial.token,
      body: Array(zeros.prefix(12 << 20)),
      ["-H", "Transfer-Encoding: chunked"])
    #expect((chunked.status, chunked.code) == (413, "too_large"))
    if let after = peak(of: trial.hub) { #expect(after - before < 150, "\(before) to \(after) MB") }
  }

  /// The most megabytes that a server ever held at once; nil where the system has no /proc.
  private func peak(of hub: HubProgram) -> Int? {
    let status = try? String(contentsOfFile: "/proc/\(hub.processID)/status", encoding: .utf8)
    return status?.firstMatch(of: #/VmHWM:\s+(\d+) kB/#).flatMap { Int($0.1) }.map { $0 / 1024 }
  }

  @Test func `R54: a packed batch is stored as the plain one`() async throws {
    let trial = try await HubTrial()
    let body = Array(HubTrial.body([5]).utf8)
    let packed = try await CurlAnswer(
      trial.hub.url + "/api/ingest", token: trial.token,
      body: try ZlibCompression().gzip([body[...]]),
      ["-H", "Content-Encoding: gzip"])
    let plain = try await CurlAnswer(trial.hub.url + "/api/ingest", token: trial.token, body: body)
    #expect((packed.status, plain.status) == (200, 200))
    #expect(packed.body == plain.body)
    #expect(try trial.batches().count == 1)
  }

  @Test func `R54: SIGTERM lets an accepted request finish and takes no new one`() async throws {
    let trial = try await HubTrial()
    let body = HubTrial.body([11])
    let connection = try RawConnection(port: trial.hub.port)
    try await connection.send(
      "POST /api/ingest HTTP/1.1\r\nHost: a\r\nX-Device-Token: \(trial.token)\r\nExpect: 100-continue\r\nContent-Length: \(body.utf8.count)\r\n\r\n"
    )
    // Now the request is being handled.
    _ = try await connection.read { $0.contains("100 Continue") }
    try await connection.send(String(body.prefix(20)))
    kill(trial.hub.processID, SIGTERM)
    var isOpen = true
    for _ in 0..<200 where isOpen {
      try await Task.sleep(for: .milliseconds(50))
      isOpen = (try? RawConnection(port: trial.hub.port)) != nil
    }
    #expect(!isOpen, "no new connections")
    try await connection.send(String(body.dropFirst(20)))
    #expect(try await connection.read().text.contains("HTTP/1.1 200 OK"))
    #expect(try await trial.hub.ended() == 0)
    #expect(try trial.batches().count == 1)
  }
}

/// Text that the hub compresses with libdeflate, decompressed with zlib.
@Suite(.unit) struct HubCompressionTests {
  @Test(arguments: [0, 1, 2, 100, 32_768, 65_535, 65_536, 300_000, 3_000_000])
  func `R46: decompressing gives the original, whatever its length and pieces`(length: Int) throws {
    var random = SplitMix64(seed: UInt64(length))
    // One text that compresses well and one that does not.
    for greatest in [UInt8(3), 255] {
      let text = (0..<length).map { _ in UInt8.random(in: 0...greatest, using: &random) }
      let packed = try HubCompression().gzip([text[...]])
      #expect(try ZlibCompression().gunzip(packed, limit: length) == text)
      #expect(packed.count <= length + length / 1000 + 64)
      let cut = Int.random(in: 0...length, using: &random)
      #expect(try HubCompression().gzip([text[..<cut], [], text[cut...]]) == packed)
    }
  }
}
