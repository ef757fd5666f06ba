import Foundation
import Gzip
import TestSupport
import Testing

/// Slow, large and packed requests (R54).
extension HubAttackTests {
  @Test func `R54: a client that goes on sending after its refusal is cut off`() async throws {
    let trial = try await HubTrial()
    let connection = try RawConnection(port: trial.hub.port)
    try await connection.send(
      "POST /api/ingest HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n")
    let chunk =
      Array("100000\r\n".utf8) + [UInt8](repeating: 0x20, count: 1 << 20) + Array("\r\n".utf8)
    var sent = 0
    // A hundred megabytes would be taken without a limit.
    for _ in 0..<100 {
      let count = try await connection.send(chunk)
      sent += count
      if count < chunk.count { break }
    }
    #expect(sent < 60 << 20)
    try await trial.clear()
  }

  @Test func `R54: a refused request is read to its end, so that its sender gets the answer`()
    async throws
  {
    let trial = try await HubTrial()
    let connection = try RawConnection(port: trial.hub.port)
    let body = [UInt8](repeating: 0x20, count: 8 << 20)
    try await connection.send(
      "POST /api/ingest HTTP/1.1\r\nHost: a\r\nContent-Length: \(body.count)\r\n\r\n")
    #expect(try await connection.send(body) == body.count)
    let answer = try await connection.read { $0.contains("not_authorized") }
    #expect(answer.text.hasPrefix("HTTP/1.1 401 "))
    try await trial.clear()
  }

  @Test func `R54: one device that sends too much waits, and another does not`() async throws {
    let trial = try await HubTrial(arguments: ["--rate-limit", "1"])
    let other = try await HubProgram.token("other", trial.program)
    var last = CurlAnswer?.none
    for _ in 0..<40 where last?.status != 429 {
      last = try await trial.ask("/api/ingest", token: trial.token)
    }
    let refused = try #require(last)
    #expect((refused.status, refused.code) == (429, "too_many_requests"))
    #expect(refused.headers["retry-after"].flatMap { Int($0) } == 1)
    var status = 0
    for _ in 0..<100 where status != 204 {
      try await Task.sleep(for: .milliseconds(100))
      status = try await trial.ask("/api/ingest", token: other).status
    }
    #expect(status == 204)
    try await trial.clear()
  }

  @Test func `R54: a packed body that is on its way counts as what it may unpack to`() async throws
  {
    let trial = try await HubTrial()
    let head =
      "POST /api/ingest HTTP/1.1\r\nHost: a\r\nX-Device-Token: \(trial.token)\r\n"
      + "Content-Encoding: gzip\r\nContent-Length: 300000\r\n\r\n"
    // 32 MiB are what one device may send at once: four bodies of 8 MiB.
    var held: [RawConnection] = []
    for _ in 0..<4 {
      let connection = try RawConnection(port: trial.hub.port)
      try await connection.send(head)
      held.append(connection)
    }
    // Until the server has read the heads of all four.
    var last = CurlAnswer?.none
    for _ in 0..<30 where last?.status != 429 {
      try await Task.sleep(for: .milliseconds(200))
      last = try await trial.ask(
        "/api/ingest", token: trial.token, body: String(repeating: " ", count: 300_000),
        arguments: ["--header", "Content-Encoding: gzip"])
    }
    let fifth = try #require(last)
    #expect((fifth.status, fifth.code) == (429, "too_many_requests"))
    #expect(fifth.headers["retry-after"] == "1")
    withExtendedLifetime(held) {}
    try await trial.clear()
  }

  @Test func `R54: metrics are on a listener of their own, in the format that Prometheus reads`()
    async throws
  {
    let trial = try await HubTrial(arguments: ["--metrics-listen", "127.0.0.1:0"])
    #expect(
      try await trial.ask("/api/ingest", token: trial.token, body: HubTrial.body([1, 2])).status
        == 200)
    #expect(try await trial.ask("/nothing\"here").status == 404)
    let port = try #require(trial.hub.metricsPort)
    let metrics = try await CurlAnswer("http://127.0.0.1:\(port)/metrics")
    #expect(metrics.headers["content-type"] == "text/plain; version=0.0.4; charset=utf-8")
    #expect(metrics.body.contains(#"s3healthd_received_total{endpoint="/api/ingest"} 2"#))
    #expect(
      metrics.body.contains(#"s3healthd_requests_total{endpoint="-",method="-",status="404"} 1"#))
    #expect(!metrics.body.contains("phone") && !metrics.body.contains("here"))
    #expect(try await CurlAnswer("http://127.0.0.1:\(port)/api/ingest").status == 404)
    try await trial.clear()
  }
}
