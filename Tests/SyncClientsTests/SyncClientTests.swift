import Foundation
import HealthModel
import HealthStreams
import ObjectStore
import Outbox
import Secrets
import SyncClients
import TestSupport
import Testing

/// An outbox and its receivers, with nothing but what an app can see of them.
@Suite(.process) struct SyncClientTests {
  private static let device = "6f2c1c0e-9f3a-4f0b-8a51-0d9b6a3c7e11"

  private func withOutbox(_ work: (Outbox) async throws -> Void) async throws {
    let folder = NSTemporaryDirectory() + "clients-\(UInt64.random(in: .min ... .max))"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try await work(
      try Outbox(path: folder + "/outbox.sqlite", deviceID: Self.device, appVersion: "1"))
  }

  private func steps(_ number: Int) throws -> StreamEntry {
    try StreamEntry(
      .object([
        "sample_type": .string("HKQuantityTypeIdentifierStepCount"),
        "uuid": .string("00000000-0000-4000-8000-" + String(format: "%012d", number)),
        "timestamp": .string("2025-01-30T10:00:00.000Z"), "value": .number(Double(number)),
        "unit": .string("count"),
      ]), of: .healthKit)
  }

  private func client(_ url: String, token: String = IngestServer.token) throws -> IngestClient {
    try IngestClient(url, token: Secret(token), timeout: .seconds(5))
  }

  @Test func `R46, R48: queued entries reach the server once, and the status shows it`()
    async throws
  {
    let server = try IngestServer()
    try await withOutbox { outbox in
      try await outbox.add([try steps(1), try steps(2)])
      let before = try outbox.status()
      #expect(before.streamCounts[.healthKit]?.pending == 2 && before.uploadStats.total == 2)
      #expect(before.lastUploadDate == nil && before.lastSuccessfulSyncDate == nil)

      // A failure moves the first date alone.
      let failed = try await outbox.sync(to: try client(server.url("500")))
      #expect(failed.failures.map(\.code) == ["E003"])
      #expect(failed.status.lastUploadDate != nil && failed.status.lastSuccessfulSyncDate == nil)
      #expect(failed.status.lastError?.code == "E003" && failed.status.uploadStats.pending == 2)

      #expect(try outbox.retry() == 2)
      let sent = try await outbox.sync(to: try client(server.url()))
      #expect(sent.entries == 2 && sent.failures.isEmpty)
      #expect(sent.status.lastSuccessfulSyncDate != nil)
      #expect(sent.status.uploadStats.pending == 0 && sent.status.uploadStats.uploaded == 2)
      #expect(try await outbox.sync(to: try client(server.url())).requests == 0)
      #expect(try await server.log().batches.values.map(\.records) == [2])
    }
  }

  @Test func `R46: verify distinguishes a wrong token, what is not a server, and silence`()
    async throws
  {
    let server = try IngestServer()
    try await (try client(server.url())).verify()
    for (url, token, code) in [
      (server.url(), "wrong", ClientError.Code.unauthorized),
      (server.url("html"), IngestServer.token, .notAServer),
      ("http://127.0.0.1:9", IngestServer.token, .unreachable),
    ] {
      let error = await #expect(throws: ClientError.self) {
        try await client(url, token: token).verify()
      }
      #expect(error?.code == code, "\(url): \(error.map { "\($0)" } ?? "")")
      #expect(error?.message.contains(token) == false)
    }
  }

  @Test(arguments: ["http://hub.example", "hub.example", "https://u:secret@hub.example"])
  func `a URL that can't be used is refused without quoting it`(url: String) {
    for make in [
      { _ = try IngestClient(url, token: Secret("t")) },
      { _ = try RecordClient(url, token: Secret("t")) },
      { _ = try GatewayClient(url, instance: "i", file: "/nowhere") },
    ] {
      let error = #expect(throws: ClientError.self) { try make() }
      #expect(error?.code == .invalid && error?.message.contains("secret") == false)
    }
  }

  @Test func `R57: a gateway is reached over plain http with leave alone`() throws {
    func gateway(_ url: String, _ allows: Bool) throws -> GatewayClient {
      try GatewayClient(url, instance: "i", file: "/nowhere", allowsPlaintext: allows)
    }
    let refused = #expect(throws: ClientError.self) { try gateway("http://gateway.home", false) }
    #expect(refused?.message.contains("allow plain http") == true)
    _ = try gateway("http://gateway.home", true)
    _ = try gateway("http://127.0.0.1:9091", false)
    _ = try gateway("https://gateway.home", false)
  }

  @Test func `R46: a folder or bucket gets each batch once, whoever sends it again`() async throws {
    let folder = URL(filePath: NSTemporaryDirectory() + "bucket-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let store = try DirectoryStore(root: folder, createsRoot: true)
    let batch = try SealedBatch(
      sealing: [try steps(1), try steps(2)], of: .healthKit, deviceID: Self.device, session: "s",
      appVersion: "1")
    for _ in 0..<2 {
      guard case .confirmed = await BucketClient(store, feed: "phone").deliver(batch) else {
        Issue.record("not confirmed")
        return
      }
    }
    let listed = try await store.list(ListRequest(prefix: "streams/v0/")).entries
    #expect(listed.filter { $0.key.hasSuffix(".json.gz") }.count == 1, "\(listed.map(\.key))")
  }

  @Test func `R56: records that a server would refuse are named before anything is sent`()
    async throws
  {
    let client = try RecordClient("http://127.0.0.1:9", token: Secret("t"), attempts: 1)
    let error = await #expect(throws: ClientError.self) {
      try await client.post([.object(["value": .number(1)])], as: .metrics)
    }
    #expect(error?.code == .invalid && error?.message.contains("/records/0") == true)
  }
}
