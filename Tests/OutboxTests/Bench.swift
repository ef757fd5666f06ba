import Foundation
import HealthModel
import HealthStreams
import Synchronization
import Testing

@testable import Outbox

/// An outbox in a folder of its own, with a clock and a disk that the test sets.
final class Bench: Sendable {
  let folder: String
  let outbox: Outbox
  private let clockBox = Box(1_700_000_000)
  private let diskBox = Box(10_000_000_000)

  init() throws {
    folder = NSTemporaryDirectory() + "outbox-\(UInt64.random(in: .min ... .max))"
    let (clock, disk) = (clockBox, diskBox)
    var file = try OutboxFile(
      path: folder + "/private/outbox.sqlite", deviceID: Self.device, appVersion: "1")
    file.now = { Timestamp(secondsSince1970: clock.value) }
    file.freeSpace = { _ in disk.value }
    outbox = try Outbox(file)
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  static let device = "00000000-0000-4000-8000-000000000001"

  var now: Int {
    get { clockBox.value }
    set { clockBox.value = newValue }
  }

  var freeDisk: Int {
    get { diskBox.value }
    set { diskBox.value = newValue }
  }

  /// The same file, as another process opens it.
  func reopened() throws -> Outbox { try Outbox(outbox.file) }

  func sync(
    _ receiver: any BatchReceiver, _ streams: [StreamName] = StreamName.collected
  ) async throws -> SyncReport {
    try await OutboxSync(outbox, to: receiver, streams: streams).run()
  }
}

/// A number that may change.
final class Box: Sendable {
  private let number: Mutex<Int>

  init(_ value: Int) { number = Mutex(value) }

  var value: Int {
    get { number.withLock { $0 } }
    set { number.withLock { $0 = newValue } }
  }
}

/// A receiver that keeps what it takes, and answers as the test says.
final class Receiver: BatchReceiver {
  typealias Answer = @Sendable (SealedBatch) -> DeliveryResult

  private let state = Mutex(State())
  private let answer: Answer

  private struct State {
    var stored: [String: SealedBatch] = [:]
    var sent: [SealedBatch] = []
  }

  init(_ answer: @escaping Answer = { _ in .confirmed(at: nil) }) { self.answer = answer }

  /// Fails always in this way.
  convenience init(failing kind: DeliveryFailure.Kind) {
    self.init { _ in .failed(DeliveryFailure(kind, "as planned")) }
  }

  /// Refuses every batch that has an entry with this text.
  convenience init(refusing text: String, as kind: DeliveryFailure.Kind = .refused) {
    self.init { batch in
      String(decoding: batch.body, as: UTF8.self).contains(text)
        ? .failed(DeliveryFailure(kind, "there is a \(text) in it")) : .confirmed(at: nil)
    }
  }

  func deliver(_ batch: SealedBatch) async -> DeliveryResult {
    let result = answer(batch)
    state.withLock { state in
      state.sent.append(batch)
      if case .confirmed = result { state.stored[batch.id] = batch }
    }
    return result
  }

  /// Every batch that was sent, in order.
  var sent: [SealedBatch] { state.withLock { $0.sent } }

  /// The entries that were confirmed, each as often as it is in a batch.
  var entries: [JSONValue] {
    get throws {
      try state.withLock { $0.stored.values }.flatMap {
        try JSONValue(parsing: $0.body)["data"]?.arrayValue ?? []
      }
    }
  }
}

/// Entries for tests. Their numbers tell them apart.
enum Sample {
  /// - Parameter content: what tells it from others of its number; at most eight digits.
  static func audio(_ number: Int, bytes: Int = 8, content: Int? = nil) throws -> StreamEntry {
    let digits = content.map { String(String(100_000_000 + $0).suffix(8)) }
    let moment = JSONValue.string("\(Timestamp(secondsSince1970: 1_700_000_000 + number * 30))")
    return try StreamEntry(
      .object([
        "id": .string("chunk-\(number)."), "timestamp_start": moment, "timestamp_end": moment,
        "duration": .number(30), "overlap_duration": .number(2),
        "audio_data": .string(digits ?? String(repeating: "A", count: bytes / 4 * 4)),
      ]), of: .audio)
  }

  /// A chunk of a million bytes, made without checks, which would take long.
  static func megabyte(_ number: Int) -> StreamEntry {
    let id = "chunk-\(number)."
    let start = Timestamp(secondsSince1970: 1_700_000_000 + number * 30)
    let bytes = Array("{\"id\":\"\(id)\"".utf8) + [UInt8](repeating: 0x20, count: 1_000_000)
    return StreamEntry(
      stream: .audio, id: id, start: start, end: start, sampleType: nil, isDeletion: false,
      bytes: bytes + [UInt8(ascii: "}")])
  }

  static func location(_ number: Int) throws -> StreamEntry {
    try StreamEntry(
      .object([
        "timestamp": .string("\(Timestamp(secondsSince1970: 1_700_000_000 + number))"),
        "latitude": .number(48), "longitude": .number(16), "altitude": .number(1),
        "speed": .number(1), "horizontal_accuracy": .number(5), "vertical_accuracy": .number(3),
      ]), of: .location)
  }

  /// A sample without an id of its own.
  static func heartRate(
    _ number: Int, bpm: Double = 72, feed: String? = nil
  ) throws -> StreamEntry {
    var members: [String: JSONValue] = [
      "timestamp": .string("\(Timestamp(secondsSince1970: 1_700_000_000 + number))"),
      "sample_type": .string("HKQuantityTypeIdentifierHeartRate"), "unit": .string("bpm"),
      "value": .number(bpm),
    ]
    members["feed"] = feed.map { .string($0) }
    return try StreamEntry(.object(members), of: .healthKit)
  }
}
