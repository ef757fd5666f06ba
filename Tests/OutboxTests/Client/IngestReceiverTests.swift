import Foundation
import HTTPClient
import HealthModel
import HealthStreams
import ObjectStore
import Outbox
import TestSupport
import Testing

#if PHONE
  import URLSessionTransport
#else
  import CurlTransport
#endif

@Suite(.process) struct IngestReceiverTests {
  #if PHONE
    private static let transport = URLSessionTransport()
  #else
    private static let transport = CurlTransport()
  #endif

  private func batch(_ count: Int = 30) throws -> SealedBatch {
    let entries = try (0..<count).map { index in
      try StreamEntry(
        .object([
          "timestamp": .string("2025-01-30T10:\(10 + index % 50):00.000Z"),
          "latitude": .number(37.7749), "longitude": .number(-122.4194),
          "altitude": .number(10.5), "speed": .number(1.2), "horizontal_accuracy": .number(5),
          "vertical_accuracy": .number(3),
        ]), of: .location)
    }
    return try SealedBatch(
      sealing: entries, of: .location, deviceID: "6f2c1c0e-9f3a-4f0b-8a51-0d9b6a3c7e11",
      session: "s-1", appVersion: "1.0")
  }

  private func receiver(
    _ url: String, token: String = IngestServer.token, timeout: Duration = .seconds(30)
  ) throws -> IngestReceiver {
    IngestReceiver(
      try IngestEndpoint(url, allowsPlaintext: false),
      token: try #require(DeviceToken(token)), transport: Self.transport, timeout: timeout)
  }

  @Test func `R46: a server gets the sealed body once, however often it is sent`()
    async throws
  {
    let server = try IngestServer()
    let batch = try batch()
    for mode in ["ok", "plain", "ok"] {
      guard case .confirmed(let time) = await (try receiver(server.url(mode))).deliver(batch) else {
        Issue.record("not confirmed: \(mode)")
        continue
      }
      // The server's clock, an hour ahead of this machine's, is what retention follows.
      let ahead = try #require(time).secondsSince1970 - Int(Date().timeIntervalSince1970)
      #expect((3500...3700).contains(ahead))
    }
    let log = try await server.log()
    #expect(log.batches.keys.map { $0 } == [batch.id])
    #expect(log.batches[batch.id]?.sent == 3 && log.batches[batch.id]?.records == 30)
  }

  @Test func `R46: a batch whose answer was lost is sent again and stored once`() async throws {
    let server = try IngestServer()
    let receiver = try receiver(server.url("lost"))
    let batch = try batch()
    // libcurl itself may have sent it again, on a connection of its own.
    if case .failed(let failure) = await receiver.deliver(batch) {
      #expect(failure.kind == .server)
    }
    guard case .confirmed = await receiver.deliver(batch) else {
      Issue.record("not confirmed")
      return
    }
    #expect(try await server.log().batches.count == 1)
  }

  @Test(arguments: [
    ("html", DeliveryFailure.Kind.server, "E003"), ("garbage", .server, "E003"),
    ("rejected", .server, "E003"), ("other_batch", .server, "E003"),
    ("failed_line", .server, "E003"), ("400_html", .server, "E003"),
    ("422_empty", .server, "E003"), ("wrong_count", .server, "E003"),
    ("error_in_200", .server, "E003"), ("success_false", .server, "E003"),
    ("401", .unauthorized, "E002"), ("basic", .unauthorized, "E002"),
    ("403", .unauthorized, "E002"), ("400", .refused, "E003"),
    ("422", .refused, "E003"), ("413", .tooLarge, "E003"), ("500", .server, "E003"),
    ("404", .server, "E003"), ("302", .server, "E003"), ("307", .server, "E003"),
    ("507", .storageFull, "E004"), ("huge", .server, "E003"), ("deep", .server, "E003"),
    ("close", .server, "E003"), ("reset", .server, "E003"), ("half", .server, "E003"),
    ("not_http", .server, "E003"),
  ])
  func `R46: whatever is not a clear success is a failure of its kind`(
    mode: String, kind: DeliveryFailure.Kind, code: String
  ) async throws {
    let server = try IngestServer()
    let result = await (try receiver(server.url(mode))).deliver(try batch())
    guard case .failed(let failure) = result else {
      Issue.record("\(mode) was confirmed")
      return
    }
    #expect(failure.kind == kind, "\(failure)")
    #expect(failure.code == code)
    #expect(failure.message.utf8.allSatisfy { (0x20..<0x7F).contains($0) }, "\(failure)")
    #expect(!failure.message.contains(IngestServer.token))
    // A redirect is not followed, so nothing reached the place that it names.
    #expect(try await server.log().batches.isEmpty)
  }

  @Test(arguments: ["empty", "ok_line", "no_content", "other_json"])
  func `R46: any 2xx confirms whose body does not contradict it`(mode: String) async throws {
    let server = try IngestServer()
    guard case .confirmed = await (try receiver(server.url(mode))).deliver(try batch()) else {
      Issue.record("\(mode) was not confirmed")
      return
    }
  }

  @Test func `R48: Retry-After is passed on`() async throws {
    let server = try IngestServer()
    for (mode, seconds) in [("429", 7), ("503", 120)] {
      guard case .failed(let failure) = await (try receiver(server.url(mode))).deliver(try batch())
      else {
        Issue.record("confirmed")
        continue
      }
      #expect(failure.kind == .server && failure.retryAfter == seconds)
    }
  }

  @Test(arguments: ["silent", "slow"])
  func `R46: an answer that does not come in time is a time-out`(mode: String) async throws {
    let server = try IngestServer()
    let receiver = try receiver(server.url(mode), timeout: .seconds(1))
    guard case .failed(let failure) = await receiver.deliver(try batch()) else {
      Issue.record("confirmed")
      return
    }
    #expect(failure.kind == .timeout && failure.code == "E001", "\(failure)")
  }

  @Test func `R48: where nothing answers at all, it is offline`() async throws {
    for url in ["http://127.0.0.1:9/api/ingest", "https://no-such-host.invalid/api/ingest"] {
      guard case .failed(let failure) = await (try receiver(url)).deliver(try batch()) else {
        Issue.record("confirmed")
        continue
      }
      #expect(failure.kind == .offline && failure.code == "E001", "\(failure)")
    }
  }

  @Test func `R46: a wrong token is refused by the server`() async throws {
    let server = try IngestServer()
    guard
      case .failed(let failure) = await (try receiver(server.url(), token: "wrong"))
        .deliver(try batch())
    else {
      Issue.record("confirmed")
      return
    }
    #expect(failure.kind == .unauthorized && !failure.message.contains("wrong"))
  }

  @Test(arguments: [
    "", "host/api/ingest", "ftp://host/api/ingest", "http://health.example/api/ingest",
    "https://user:secret@host/api/ingest", "https://host/api/ingest?token=secret",
    "https://host/api/ingest#x", "https:///api/ingest", "https://host/a b",
    "https://host/\r\nX: y", "http://127.0.0.1.example/api/ingest",
  ])
  func `R46: a URL that can't be used is refused without quoting it`(url: String) {
    let error = #expect(throws: StoreError.self) {
      try IngestEndpoint(url, allowsPlaintext: false)
    }
    #expect(error?.message.contains("secret") == false)
  }

  @Test func `R46: a URL without a path gets the protocol's`() throws {
    for url in ["https://host:8443", "https://host:8443/"] {
      #expect(
        try IngestEndpoint(url, allowsPlaintext: false).url == "https://host:8443/api/ingest")
    }
    #expect(try IngestEndpoint("http://[::1]:8000", allowsPlaintext: false).host == "::1")
    #expect(
      try IngestEndpoint("http://health.example/x", allowsPlaintext: true).url.hasSuffix("/x"))
  }

  @Test func `a token shows itself in no description`() throws {
    let token = try #require(DeviceToken("s3cret"))
    #expect(!"\(token) \(String(reflecting: token))".contains("s3cret"))
    var text = ""
    dump(token, to: &text)
    #expect(!text.contains("s3cret"))
    for bad in ["", "a b", "a\nb", "é", String(repeating: "x", count: 4097)] {
      #expect(DeviceToken(bad) == nil)
    }
  }

  @Test(arguments: [
    ("certificate is not yet valid", "set the clock of this machine"),
    ("certificate has expired", "set the clock of this machine if it is wrong"),
    ("server certificate not activated", "set the clock of this machine"),
    ("unable to get local issuer certificate", ""),
  ])
  func `R46: where the dates of a certificate do not fit, the clock is what to look at`(
    words: String, advice: String
  ) {
    let failure = DeliveryFailure(
      HTTPError(.tlsFailed, "SSL certificate problem: \(words)", mayHaveBeenApplied: false))
    #expect(failure.kind == .offline)
    #expect(failure.remedy.map { "\($0)".hasPrefix(advice) } ?? advice.isEmpty)
  }

  @Test func `R46, R55: payloads are sent to an address of their own, and that is the one named`()
    throws
  {
    let receiver = try receiver("http://127.0.0.1:1/api/ingest")
    #expect(receiver.url(for: .location) == "http://127.0.0.1:1/api/ingest")
    #expect(receiver.url(for: .healthAutoExport) == "http://127.0.0.1:1/health-auto-export")
  }

  @Test func `R46, R55: a server without an endpoint for payloads refuses them, and says so`()
    async throws
  {
    let server = try IngestServer()
    let entry = try HealthAutoExportBody.entry(
      of: Array(#"{"data":{"metrics":[]}}"#.utf8), headers: [:],
      receivedAt: Timestamp(secondsSince1970: 1_800_000_000), spans: { _ in [] }
    ).entry
    let batch = try SealedBatch(
      sealing: [entry], of: .healthAutoExport, deviceID: "6f2c1c0e-9f3a-4f0b-8a51-0d9b6a3c7e11",
      session: "s-1", appVersion: "1.0")
    for mode in ["ok", "404"] {
      guard case .failed(let failure) = await (try receiver(server.url(mode))).deliver(batch) else {
        Issue.record("a payload was confirmed")
        continue
      }
      #expect(failure.kind == .refused && failure.message.contains("payloads"), "\(failure)")
    }
    let post = try #require(HealthAutoExportBody.post(of: batch))
    #expect(post.body == Array(#"{"data":{"metrics":[]}}"#.utf8))
    #expect(post.headers.map(\.name) == ["session-id"])
  }
}
