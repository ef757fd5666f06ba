import Gzip
import HealthModel
import ObjectStore

@testable import HealthStreams

/// Entries and batches for tests.
enum Samples {
  static let device = "6f2c1c0e-9f3a-4f0b-8a51-0d9b6a3c7e11"
  static let otherDevice = "0b7a7a52-30f6-4a08-a1de-7be1c3c8d001"
  static let received = Timestamp(secondsSince1970: 1_738_231_500)

  static func entry(_ text: String, _ stream: StreamName = .healthKit) throws -> StreamEntry {
    try StreamEntry(JSONValue(parsing: Array(text.utf8)), of: stream)
  }

  /// A heart rate at a moment such as `2025-01-30T10:00:00Z`.
  static func heartRate(_ moment: String, _ value: Double = 72) throws -> StreamEntry {
    try entry(
      #"{"sample_type":"HKQuantityTypeIdentifierHeartRate","timestamp":"\#(moment)","unit":"bpm","value":\#(value)}"#
    )
  }

  static func location(_ moment: String) throws -> StreamEntry {
    try entry(
      #"""
      {"timestamp":"\#(moment)","latitude":37.7749,"longitude":-122.4194,"altitude":10.5,
       "speed":1.2,"horizontal_accuracy":5.0,"vertical_accuracy":3.0}
      """#, .location)
  }

  static func batch(
    _ entries: [StreamEntry], device: String = device, session: String = "s-1"
  ) -> SealedBatch {
    SealedBatch(
      checked: entries, of: entries.first?.stream ?? .healthKit, deviceID: device,
      session: session, appVersion: "1.0")
  }

  /// The unpacked object that stores a batch.
  static func object(
    of batch: SealedBatch, feed: String = "f", receivedAt: Timestamp = received,
    run: RunID? = nil
  ) -> [UInt8] {
    Array(
      StoredBatch.pieces(
        of: batch, feed: feed, receivedAt: PreciseMoment(receivedAt), run: run
      ).joined())
  }

  /// Entries shortly before and after midnight of two dates.
  static func overMidnight(session: String = "s-1") throws -> SealedBatch {
    batch(
      [
        try heartRate("2025-01-30T23:59:59.999Z", 61), try heartRate("2025-01-31T00:00:00Z", 62),
        try heartRate("2025-01-30T10:00:00Z", 60), try heartRate("2025-02-02T10:00:00Z", 63),
      ], session: session)
  }

  static func streams(_ store: any ObjectStore, prefix: String = "") throws -> StreamStore {
    guard let layout = StreamLayout(prefix: prefix) else { throw Failure() }
    var streams = StreamStore(store: store, layout: layout, compression: ZlibCompression())
    streams.rest = { _ in }
    return streams
  }

  struct Failure: Error {}
}

extension StreamStore {
  /// Every batch of a stream, read back; throws where one is at fault.
  func all(_ stream: StreamName = .healthKit) async throws -> [StoredBatch] {
    var batches: [StoredBatch] = []
    for try await reading in readings(of: try await self.batches(of: stream).batches) {
      guard let result = reading.result else { continue }
      batches.append(try result.get())
    }
    return batches
  }
}
