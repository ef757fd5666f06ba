import Gzip
import HealthModel
import HealthStreams
import ObjectStore
import StoreTesting
import TestSupport
import Testing

@testable import S3Store

/// Batches of streams on every real server.
@Suite(.server) struct StreamsOnServersTests {
  private static let device = "6f2c1c0e-9f3a-4f0b-8a51-0d9b6a3c7e11"
  private static let received = Timestamp(secondsSince1970: 1_738_231_500)

  /// Samples of three dates.
  private func batch() throws -> SealedBatch {
    let entries = try ["29T23:59:59", "30T00:00:00", "31T12:00:00"].map { moment in
      try StreamEntry(
        .object([
          "timestamp": .string("2025-01-\(moment)Z"), "unit": .string("bpm"),
          "sample_type": .string("HKQuantityTypeIdentifierHeartRate"), "value": .number(72),
        ]), of: .healthKit)
    }
    return try SealedBatch(
      sealing: entries, of: .healthKit, deviceID: Self.device, session: "s", appVersion: "1.0")
  }

  private func streams(
    _ store: any ObjectStore, below prefix: String
  ) throws -> StreamStore {
    StreamStore(
      store: store, layout: try #require(StreamLayout(prefix: prefix)),
      compression: ZlibCompression())
  }

  @Test(arguments: TestServer.all)
  func `R46: a batch sent twice, by two at once, is stored once and read back`(
    server: TestServer
  ) async throws {
    let prefix = freshPrefix("streams")
    let streams = try streams(try SharedStores.store(server), below: prefix)
    let batch = try batch()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<4 {
        group.addTask {
          _ = try await streams.append(batch, feed: "f", receivedAt: Self.received)
        }
      }
      try await group.waitForAll()
    }
    let again = try await streams.append(batch, feed: "g", receivedAt: Self.received)
    #expect(again.parts.map(\.wasStoredBefore) == [true, true, true])
    #expect(try await entries(streams) == [1, 1, 1])
    #expect(try await streams.devices(of: .healthKit) == [Self.device])
    #expect(try await streams.markers().markers.count == 5)
    for marker in try await streams.markers().markers {
      // The store's clock is what decides a marker's age.
      #expect(marker.lastModified != nil)
      #expect(try await streams.read(marker)?.get().spans.count == 2)
      try await streams.delete(marker)
    }
    #expect(try await streams.markers().markers.isEmpty)
  }

  @Test(arguments: TestServer.all)
  func `R46: lost, repeated and late requests to a server lose and double nothing`(
    server: TestServer
  ) async throws {
    for (ordinal, fault) in [
      (1, Fault.answerLost), (2, .answerLost), (2, .lost), (3, .delayed(requests: 2)), (3, .resent),
      (4, .duplicatedLate(requests: 1)), (2, .refused(.conflict)),
    ] {
      let store = FaultInjectingStore(
        try SharedStores.store(server), plan: FaultPlan(positions: [ordinal: fault]))
      let streams = try streams(store, below: freshPrefix("streams"))
      let batch = try batch()
      do {
        _ = try await streams.append(batch, feed: "f", receivedAt: Self.received)
      } catch {
        _ = try await streams.append(batch, feed: "f", receivedAt: Self.received)
      }
      await store.settle()
      #expect(try await entries(streams) == [1, 1, 1], "\(ordinal) \(fault)")
      #expect(store.log.entries.contains { $0.fault == fault })
    }
  }

  private func entries(_ streams: StreamStore) async throws -> [Int] {
    var counts: [Int] = []
    let listing = try await streams.batches(of: .healthKit)
    for try await reading in streams.readings(of: listing.batches) {
      counts.append(try #require(try reading.result?.get()).entries.count)
    }
    return counts
  }
}
