import ContentDigests
public import HealthModel
import ObjectStore

/// One entry of a stream: validated, normalised, and in canonical bytes (R43, R44).
///
/// The bytes are what is queued, sealed, hashed, sent and stored. So an entry has the same bytes in
/// every place, and equal entries have equal bytes.
public struct StreamEntry: Hashable, Sendable {
  /// The stream that the entry belongs to.
  public let stream: StreamName
  /// What readers count the entry by: the sample's native UUID, an audio chunk's id, or a UUID made
  /// from what distinguishes the entry from every other (R45). At most 100 bytes.
  public let id: String
  /// When it begins. Entries are filed by the UTC date of this moment.
  public let start: Timestamp
  /// When it ends; the start, where it is a moment.
  public let end: Timestamp
  /// The type of a sample of `healthKit`; nil in other streams.
  public let sampleType: String?
  /// Whether the entry says that the sample of this id was deleted.
  public let isDeletion: Bool
  /// The entry as canonical JSON (R13).
  public let bytes: [UInt8]

  /// The most bytes of one entry. A chunk of 30 s of audio takes about 400,000.
  public static let maximumBytes = 4_194_304
  /// The most bytes of an entry that is a whole payload: a batch less room for its other members.
  public static let maximumPayloadBytes = 8_388_608 - 4096

  /// Reads, checks and normalises an entry as a collector gives it.
  ///
  /// - Throws: `RequestFault`, which names the member at fault. Nothing is guessed.
  public init(_ value: JSONValue, of stream: StreamName) throws(RequestFault) {
    let reader = try EntryReader(value, optional: stream.optionalMembers)
    let read =
      switch stream {
      case .location: try reader.location()
      case .audio: try reader.audio()
      case .healthKit: try reader.sample()
      case .healthAutoExport: try reader.payload()
      case .appMessages: try reader.message()
      }
    let bytes = JSONValue.object(read.members).canonicalBytes
    let most = stream == .healthAutoExport ? Self.maximumPayloadBytes : Self.maximumBytes
    guard bytes.count <= most else {
      throw RequestFault(
        .tooLarge, "", "the entry has \(bytes.count) bytes, more than \(most)")
    }
    self.init(
      stream: stream, id: read.id ?? ContentDigest.hex(of: bytes), start: read.start,
      end: read.end, sampleType: read.sampleType,
      isDeletion: read.isDeletion, bytes: bytes)
  }

  /// Whether the id is the sample's or the chunk's own, and not made from the entry's members. A made
  /// one tells entries apart only within one feed and device (R45).
  public var hasNativeID: Bool {
    switch stream {
    case .location: false
    // The digest of the content: it can mean nothing else.
    case .audio, .healthAutoExport, .appMessages: true
    // The id is made of characters that JSON never escapes.
    case .healthKit: contains(Array(#""uuid":"\#(id)""#.utf8))
    }
  }

  /// The feed that the entry names itself; nil if it names none. An outbox sends the entries of
  /// several feeds in one batch, and their object can name only one.
  package var ownFeed: String? {
    // Quotes within a string are escaped, so this finds members alone.
    guard contains(Array(#""feed":""#.utf8)) else { return nil }
    return (try? JSONValue(parsing: bytes))?["feed"]?.stringValue
  }

  private func contains(_ text: [UInt8]) -> Bool {
    guard let first = text.first else { return true }
    var rest = bytes[...]
    while let place = rest.firstIndex(of: first) {
      rest = rest[place...]
      if rest.starts(with: text) { return true }
      rest = rest.dropFirst()
    }
    return false
  }

  /// An entry that was checked when it was queued.
  package init(
    stream: StreamName, id: String, start: Timestamp, end: Timestamp, sampleType: String?,
    isDeletion: Bool, bytes: [UInt8]
  ) {
    (self.stream, self.id, self.start, self.end) = (stream, id, start, end)
    (self.sampleType, self.isDeletion, self.bytes) = (sampleType, isDeletion, bytes)
  }
}

/// What readers count an entry by (R45): two entries of one identity are one, sent twice or
/// corrected.
///
/// An id that is the sample's own is the same wherever it comes from. A chunk's id is one of its
/// device. An id that is made from an entry's members tells entries apart only within a device and
/// a feed, because two feeds may make the same id of different samples.
package struct EntryIdentity: Hashable, Sendable {
  private let stream: StreamName
  private let id: String
  private let device: String?
  private let feed: String?

  /// - Parameters:
  ///   - device: the device of its batch.
  ///   - feed: the feed of its object. The entry's own comes first.
  package init(_ entry: StreamEntry, device: String, feed: String) {
    (stream, id) = (entry.stream, entry.id)
    let isNative = entry.hasNativeID
    self.device = isNative && entry.stream == .healthKit ? nil : device
    self.feed = isNative ? nil : entry.ownFeed ?? feed
  }
}

/// What a collector needs of a queue: entries and the anchor that covers them, in one step (R47).
///
/// `Outbox` keeps them in SQLite. A phone may bring its own.
public protocol EntryQueue: Sendable {
  /// The anchor of a feed; nil before the first.
  func anchor(of feed: String) async throws -> [UInt8]?

  /// Queues entries and moves the feed's anchor, both or neither.
  ///
  /// Durable when it returns. Throws `AnchorMoved` if the anchor is no longer `old`, because
  /// another collector was faster: then nothing was queued.
  func enqueue(
    _ entries: [StreamEntry], feed: String, movingAnchorFrom old: [UInt8]?, to new: [UInt8]
  ) async throws
}

/// Another collector moved a feed's anchor first. Read the source again from the new anchor.
public struct AnchorMoved: Error, Hashable, Sendable {
  /// The feed.
  public let feed: String

  /// The error for this feed.
  public init(feed: String) { self.feed = feed }
}

/// What a phone collects of HealthKit.
public enum HealthKitSampling {
  /// Seconds between two collections, and between two uploads.
  public static let interval = 300

  /// The seven types that are collected.
  public static let types = [
    heartRate, stepCount, activeEnergy, heartRateVariability, distance, restingHeartRate,
    sleepAnalysis,
  ]

  static let heartRate = "HKQuantityTypeIdentifierHeartRate"
  static let stepCount = "HKQuantityTypeIdentifierStepCount"
  static let activeEnergy = "HKQuantityTypeIdentifierActiveEnergyBurned"
  static let heartRateVariability = "HKQuantityTypeIdentifierHeartRateVariabilitySDNN"
  static let distance = "HKQuantityTypeIdentifierDistanceWalkingRunning"
  static let restingHeartRate = "HKQuantityTypeIdentifierRestingHeartRate"
  static let sleepAnalysis = "HKCategoryTypeIdentifierSleepAnalysis"

  /// Whether the values of a type say what its samples are, and have no unit.
  static func isCategory(_ type: String) -> Bool { type.hasPrefix("HKCategoryType") }
}

/// Which part of a payload an entry has (R55).
package struct PayloadPart: Hashable, Sendable {
  /// The digest of the payload as it came.
  package let payload: String
  /// From 1.
  package let number: Int
  package let count: Int

  init(of payload: String, number: Int, count: Int) {
    (self.payload, self.number, self.count) = (payload, number, count)
  }

  /// The member `part` of an entry; nil if it is not one.
  package init?(_ value: JSONValue) {
    guard let payload = value["payload"]?.stringValue, payload.utf8.count == 64,
      let number = value["number"]?.numberValue.flatMap({ Int(exactly: $0) }),
      let count = value["count"]?.numberValue.flatMap({ Int(exactly: $0) }),
      (1...10_000).contains(count), (1...count).contains(number)
    else { return nil }
    self.init(of: payload, number: number, count: count)
  }

  var json: JSONValue {
    .object([
      "payload": .string(payload), "number": .number(Double(number)),
      "count": .number(Double(count)),
    ])
  }
}
