import Foundation
import Gzip
import TestSupport
import Testing

@testable import IngestServer

/// What else is said of tokens (R54).
extension HubAccessTests {
  @Test func `R54: a server without tokens says so at its start`() async throws {
    let program = try Program()
    let hub = try await HubProgram(program, store: program.folder("store").path)
    let path = program.home.path + "/.config/s3health/tokens.json"
    let note = "note: \(path) has no token, so nobody can post"
    #expect(try await until { hub.log.contains(note) })
    try await hub.end(by: SIGTERM)

    let trial = try await HubTrial()
    _ = try await trial.ask("/api/ingest", token: trial.token)
    #expect(!trial.hub.log.contains("has no token"))
  }
}

/// Certificates that change while a server starts (R54).
extension HubTLSTests {
  @Test func `R54: SIGHUP while the server starts does not end it, and is not lost`() async throws {
    let (program, other) = (try Program(), try Program())
    let (certificate, key) = try await HubProgram.certificate(in: program)
    let (newCertificate, newKey) = try await HubProgram.certificate(in: other)
    let token = try await HubProgram.token("phone", program)
    // The key is read through a pipe: the server waits there until something is written to it.
    let old = try Data(contentsOf: URL(filePath: key))
    try FileManager.default.removeItem(atPath: key)
    #expect(mkfifo(key, 0o600) == 0)
    let hub = try await HubProgram(
      program, store: program.home.path, arguments: ["--tls-cert", certificate, "--tls-key", key]
    ) { process in
      let pipe = try #require(FileHandle(forWritingAtPath: key))
      for (path, new) in [(key, newKey), (certificate, newCertificate)] {
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.copyItem(atPath: new, toPath: path)
      }
      kill(process, SIGHUP)
      try pipe.write(contentsOf: old)
      try pipe.close()
    }
    let url = "https://127.0.0.1:\(hub.port)/api/ingest"
    #expect(
      try await until {
        try await CurlAnswer(url, token: token, ["--cacert", newCertificate]).status == 204
      })
    #expect(try await hub.end(by: SIGTERM) == 0)
  }

  @Test func `R54: a server that can't start says which file or address it is`() async throws {
    let (program, other) = (try Program(), try Program())
    let (certificate, _) = try await HubProgram.certificate(in: program)
    let (_, key) = try await HubProgram.certificate(in: other)
    func failure(_ arguments: [String]) async throws -> String {
      let error = await #expect(throws: HubProgram.Failure.self) {
        try await HubProgram.run(program, ["serve", "--store", program.home.path] + arguments)
      }
      return error?.description ?? ""
    }
    let strange = try await failure(
      ["--listen", "127.0.0.1:0", "--tls-cert", certificate, "--tls-key", key])
    #expect(strange.contains("the key \(key) does not belong to the certificate \(certificate)"))
    let first = try await HubProgram(program, store: program.home.path)
    let taken = try await failure(["--listen", "127.0.0.1:\(first.port)"])
    #expect(taken.contains("can't listen on 127.0.0.1:\(first.port): Address already in use\n"))
    let metrics = try await failure(
      ["--listen", "127.0.0.1:0", "--metrics-listen", "127.0.0.1:\(first.port)"])
    #expect(metrics.contains("127.0.0.1:0 or 127.0.0.1:\(first.port): Address"))
    #expect(try await first.end(by: SIGTERM) == 0)
  }
}

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
  }

  @Test func `R54: a refused request is read to its end, so that it is answered`() async throws {
    let trial = try await HubTrial()
    let connection = try RawConnection(port: trial.hub.port)
    let body = [UInt8](repeating: 0x20, count: 8 << 20)
    try await connection.send(
      "POST /api/ingest HTTP/1.1\r\nHost: a\r\nContent-Length: \(body.count)\r\n\r\n")
    #expect(try await connection.send(body) == body.count)
    let answer = try await connection.read { $0.contains("not_authorized") }
    #expect(answer.text.hasPrefix("HTTP/1.1 401 "))
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
    #expect(try await trial.ask("/api/ingest", token: other).status == 204)
  }

  @Test func `R54: a packed body on its way counts as what it may unpack to`() async throws {
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
  }

  @Test func `R54: metrics have a listener of their own, as Prometheus reads them`() async throws {
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
  }
}

/// What one request and one client may take up.
@Suite(.process) struct HubLimitTests {
  /// A body with a sample on each of so many dates.
  private func body(dates count: Int) -> String {
    let data = (0..<count).map { number in
      let moment = Date(timeIntervalSince1970: 1_600_000_000 + 86_400 * Double(number))
      return """
        {"sample_type":"HKQuantityTypeIdentifierStepCount","value":\(number),"unit":"count",\
        "timestamp":"\(moment.formatted(.iso8601))"}
        """
    }
    return HubTrial.body(of: data)
  }

  @Test(arguments: [366, 367, 800])
  func `R54: entries of over 366 dates are stored in several batches`(dates: Int) async throws {
    let trial = try await HubTrial()
    let taken = try await trial.ask("/api/ingest", token: trial.token, body: body(dates: dates))
    #expect(taken.status == 200 && taken.json["received"] as? Int == dates)
    let names = try trial.batches()
    #expect(names.count == dates)
    // The same again is stored once.
    let again = try await trial.ask("/api/ingest", token: trial.token, body: body(dates: dates))
    #expect(again.status == 200)
    #expect(try trial.batches() == names)
  }

  @Test func `R54: the longest idle connections make room for a further one`() async throws {
    // Three of one address.
    let trial = try await HubTrial(arguments: ["--max-connections", "4"])
    var held: [RawConnection] = []
    for _ in 0..<3 {
      let connection = try RawConnection(port: trial.hub.port)
      try await connection.send("GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n")
      #expect(try await connection.read { $0.contains("ok") }.text.hasPrefix("HTTP/1.1 200"))
      held.append(connection)
    }
    #expect(try await trial.ask("/healthz").status == 200)
    #expect(try await held[0].read { _ in false }.isClosed)
    for connection in held.dropFirst() {
      try await connection.send("GET /readyz HTTP/1.1\r\nHost: a\r\n\r\n")
      #expect(try await connection.read { $0.contains("\"store\"") }.text.contains("\"store\""))
    }
  }

  @Test func `R54: where all connections are busy, a further one is answered 503`() async throws {
    let trial = try await HubTrial(arguments: ["--max-connections", "2"])
    var held: [RawConnection] = []
    for _ in 0..<2 {
      let connection = try RawConnection(port: trial.hub.port)
      try await connection.send(
        "POST /api/ingest HTTP/1.1\r\nHost: a\r\nX-Device-Token: \(trial.token)\r\n"
          + "Content-Length: 9\r\n\r\n{")
      held.append(connection)
    }
    var answer = try await trial.ask("/healthz")
    #expect(
      try await until {
        answer = try await trial.ask("/healthz")
        return answer.status != 200
      })
    #expect((answer.status, answer.code) == (503, "unavailable"))
    #expect(answer.headers["retry-after"] == "1" && answer.headers["connection"] == "close")
    let body = [UInt8](repeating: 0x20, count: 1 << 20)
    let posted = try await CurlAnswer(trial.hub.url + "/api/ingest", token: trial.token, body: body)
    #expect(posted.status == 503)
    held.removeLast()
    #expect(try await until { try await trial.ask("/healthz").status == 200 })
    _ = held
  }

  @Test func `R54: one network has three quarters of the places, and takes those of no other`() {
    var places = ConnectionPlaces(most: 4, mostOfOne: 3)
    for connection in 1...3 { #expect(places.enter(connection, of: "a") == .admitted) }
    places.set(1, isIdle: false)
    #expect(places.enter(4, of: "a") == .admittedInsteadOf(2))
    #expect(places.enter(5, of: "b") == .admitted)
    // All are taken: the longest idle of any network goes.
    #expect(places.enter(6, of: "c") == .admittedInsteadOf(3))
    for connection in [4, 5, 6] { places.set(connection, isIdle: false) }
    #expect(places.enter(7, of: "c") == .refused)
    places.set(5, isIdle: true)
    places.set(4, isIdle: true)
    #expect(places.enter(7, of: "c") == .admittedInsteadOf(5))
    // What was cut leaves once more when it closes.
    for connection in [1, 2, 3, 4, 5, 6, 7] { places.leave(connection) }
    for connection in 8...10 { #expect(places.enter(connection, of: "a") == .admitted) }
  }

  @Test func `R54: a client of HTTP/1.0 gets its answer, an unknown coding 501`() async throws {
    let trial = try await HubTrial()
    let answer = try RawConnection(port: trial.hub.port)
    try await answer.send("GET /healthz HTTP/1.0\r\nHost: a\r\n\r\n")
    #expect(try await answer.read { _ in false }.text.contains("200 OK"))
    let coded = try await trial.raw(
      "POST /api/ingest HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n")
    #expect(coded.contains(" 501 "))
  }
}
