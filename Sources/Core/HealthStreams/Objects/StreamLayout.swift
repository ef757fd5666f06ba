import ContentDigests
public import HealthModel
public import ObjectStore

/// The keys of streams in a store (R43): every key is a function of prefix, stream, device, UTC date
/// and batch id.
public struct StreamLayout: Hashable, Sendable {
  /// The part before `streams/v0/`: empty, or segments that end in `/`.
  public let prefix: String

  /// The layout at the root of a store.
  public static let root = StreamLayout(normalised: "")

  private init(normalised: String) { prefix = normalised }

  /// The layout below `prefix`, with or without a final `/`; nil if some store could not hold the
  /// keys (R17).
  public init?(prefix: String) {
    var trimmed = prefix[...]
    while trimmed.hasSuffix("/") { trimmed.removeLast() }
    let normalised = trimmed.isEmpty ? "" : trimmed + "/"
    guard ObjectKey(normalised + Self.longestTail) != nil else { return nil }
    self.prefix = normalised
  }

  /// The prefix of all keys of streams.
  public var rootPrefix: String { prefix + "streams/v0/" }

  /// The prefix of all batches of a stream.
  public func prefix(of stream: StreamName) -> String { rootPrefix + stream.rawValue + "/" }

  /// The prefix of all batches of a stream and device.
  public func prefix(of stream: StreamName, device: String) -> String {
    prefix(of: stream) + device + "/"
  }

  /// The prefix of all batches of a stream, device and UTC date.
  public func prefix(of stream: StreamName, device: String, on date: CalendarDate) -> String {
    prefix(of: stream, device: device) + date.parts(joinedBy: "/") + "/"
  }

  /// The prefix of all markers.
  public var pendingPrefix: String { rootPrefix + ".pending/" }

  /// Whether a name directly below `rootPrefix` is one that R43, R49, R55 or R56 gives.
  static func holds(_ name: String, isFolder: Bool) -> Bool {
    guard isFolder else { return [".deriver", ".zones"].contains(name) }
    return StreamName(rawValue: name) != nil
      || [".pending", ".payloads", ".derived", "health_records"].contains(name)
  }

  /// The key of a batch.
  ///
  /// - Parameters:
  ///   - device: a UUID in lower case.
  ///   - id: 64 lower-case hex digits.
  func key(of stream: StreamName, device: String, on date: CalendarDate, id: String) -> ObjectKey {
    key(prefix(of: stream, device: device, on: date) + id + Self.suffix)
  }

  func markerKey(batchID: String, random: UInt64) -> ObjectKey {
    let digits = String(random, radix: 16)
    let padded = String(repeating: "0", count: 16 - digits.utf8.count) + digits
    return key(pendingPrefix + batchID + "-" + padded)
  }

  /// Where a key of a batch says that it belongs.
  public struct BatchPlace: Hashable, Sendable {
    /// The stream.
    public let stream: StreamName
    /// The device: a UUID in lower case.
    public let deviceID: String
    /// The UTC date of all its entries.
    public let date: CalendarDate
    /// The batch's id: 64 lower-case hex digits.
    public let id: String
  }

  /// Parses a key of a batch; nil for any other key.
  public func place(_ key: String) -> BatchPlace? {
    guard key.utf8.starts(with: rootPrefix.utf8) else { return nil }
    let parts = key.utf8.dropFirst(rootPrefix.utf8.count).split(
      separator: UInt8(ascii: "/"), omittingEmptySubsequences: false
    ).map { String(Substring($0)) }
    guard parts.count == 6, let stream = StreamName(rawValue: parts[0]),
      UUIDText.lowercased(parts[1])?.utf8.elementsEqual(parts[1].utf8) == true,
      let date = CalendarDate("\(parts[2])-\(parts[3])-\(parts[4])"),
      parts[5].utf8.suffix(Self.suffix.utf8.count).elementsEqual(Self.suffix.utf8)
    else { return nil }
    let id = String(parts[5].dropLast(Self.suffix.count))
    guard Self.isBatchID(id) else { return nil }
    return BatchPlace(stream: stream, deviceID: parts[1], date: date, id: id)
  }

  /// The batch id in a marker's key; nil for any other key.
  func markedBatch(_ key: String) -> String? {
    guard key.utf8.starts(with: pendingPrefix.utf8) else { return nil }
    let name = key.utf8.dropFirst(pendingPrefix.utf8.count)
    let id = String(decoding: name.prefix(64), as: UTF8.self)
    let random = name.dropFirst(64)
    guard Self.isBatchID(id), random.count == 17, random.first == UInt8(ascii: "-"),
      random.dropFirst().allSatisfy(Self.isLowerHexDigit)
    else { return nil }
    return id
  }

  /// Whether a text is 64 lower-case hex digits.
  static func isBatchID(_ text: String) -> Bool {
    text.utf8.count == 64 && text.utf8.allSatisfy(isLowerHexDigit)
  }

  private static func isLowerHexDigit(_ byte: UInt8) -> Bool {
    Hex.value(byte).map(Hex.digit) == byte
  }

  private static let suffix = ".json.gz"

  /// That of a reference to a payload (R55).
  private static let longestTail =
    "streams/v0/.payloads/2000/01/2000-01-01.2000-01-01/00000000-0000-0000-0000-000000000000/"
    + "2000-01-01/" + String(repeating: "f", count: 64)

  func key(_ text: String) -> ObjectKey {
    guard let key = ObjectKey(text) else {
      preconditionFailure("init has shown that every key of this layout is valid")
    }
    return key
  }
}

/// By what the days find the payloads that touch them (R55): a small object beside the payload, in
/// whose key stand the first and the last date that the payload can touch in any zone.
///
/// It is created before its payload, so a payload that is stored is always found. One without a
/// payload means nothing: the payload may still arrive.
package struct PayloadReference: Hashable, Sendable {
  /// The dates that the payload can touch.
  package let dates: ClosedRange<CalendarDate>
  /// The folder: `YYYY/MM`, or `long` for a payload of more than `longest` days.
  package let folder: String
  package let deviceID: String
  /// The date under which the payload is filed.
  package let filed: CalendarDate
  package let batchID: String

  /// The most days of a payload that is found by months.
  static let longest = 62
  /// What every reference contains.
  static let content = Array("{}".utf8)

  /// The references to a stored batch.
  ///
  /// - Parameter spans: the moments that its payloads touch.
  static func all(
    to batchID: String, of deviceID: String, filed: CalendarDate,
    touching spans: [ClosedRange<Timestamp>]
  ) -> [PayloadReference] {
    guard let first = spans.map(\.lowerBound).min(), let last = spans.map(\.upperBound).max()
    else { return [] }
    // A date begins and ends up to 14 hours from where it does in UTC, and a night follows it.
    let (from, to) = (first.utcDate.adding(days: -1), last.utcDate.adding(days: 1))
    let dates = (from ?? first.utcDate)...(to ?? last.utcDate)
    return places(of: dates).map { folder in
      PayloadReference(
        dates: dates, folder: folder, deviceID: deviceID, filed: filed, batchID: batchID)
    }
  }

  /// The folders in which a payload of these dates is named.
  private static func places(of dates: ClosedRange<CalendarDate>) -> [String] {
    dates.lowerBound.days(until: dates.upperBound) <= longest ? months(of: dates) : [long]
  }

  /// The folders that name the payloads of some dates.
  static func folders(of dates: ClosedRange<CalendarDate>) -> [String] {
    months(of: dates) + [long]
  }

  /// The folder of payloads of more than `longest` days, which comes after those of all months.
  static let long = "long"

  private static func months(of dates: ClosedRange<CalendarDate>) -> [String] {
    let all = (0...dates.lowerBound.days(until: dates.upperBound)).compactMap {
      dates.lowerBound.adding(days: $0)
    }
    return Set(all.map(month)).sorted()
  }

  /// `YYYY/MM`.
  static func month(_ date: CalendarDate) -> String {
    String(date.parts(joinedBy: "/").prefix(7))
  }
}

extension StreamLayout {
  var referencesPrefix: String { rootPrefix + ".payloads/" }

  func key(of reference: PayloadReference) -> ObjectKey {
    let dates = "\(reference.dates.lowerBound).\(reference.dates.upperBound)"
    return key(
      referencesPrefix
        + [
          reference.folder, dates, reference.deviceID, "\(reference.filed)", reference.batchID,
        ].joined(separator: "/"))
  }

  /// Parses a key of a reference in a folder; nil for any other key.
  func reference(_ key: String, in folder: String) -> PayloadReference? {
    let prefix = referencesPrefix + folder + "/"
    guard key.utf8.starts(with: prefix.utf8) else { return nil }
    let parts = key.utf8.dropFirst(prefix.utf8.count).split(
      separator: UInt8(ascii: "/"), omittingEmptySubsequences: false
    ).map { String(Substring($0)) }
    guard parts.count == 4, parts[0].utf8.count == 21,
      let first = CalendarDate(parts[0].prefix(10)), let last = CalendarDate(parts[0].suffix(10)),
      first <= last, UUIDText.lowercased(parts[1])?.utf8.elementsEqual(parts[1].utf8) == true,
      let filed = CalendarDate(parts[2]), Self.isBatchID(parts[3])
    else { return nil }
    return PayloadReference(
      dates: first...last, folder: folder, deviceID: parts[1], filed: filed, batchID: parts[3])
  }
}

/// Says that a batch of `healthKit` is about to be stored, and which moments it touches (R49).
///
/// It is stored before the batch, so whoever finds no marker knows that every day was derived.
public struct PendingMarker: Hashable, Sendable {
  /// The id of the sealed batch.
  public let batchID: String
  /// When the batch was received, by the receiver's clock.
  public let receivedAt: Timestamp
  /// The moments that the entries touch, ascending, in UTC; 1 to 500 spans.
  public let spans: [ClosedRange<Timestamp>]

  /// The most bytes of a marker.
  static let maximumBytes = 65_536

  init(batchID: String, receivedAt: Timestamp, spans: [ClosedRange<Timestamp>]) {
    (self.batchID, self.receivedAt, self.spans) = (batchID, receivedAt, spans)
  }

  /// The marker as canonical JSON.
  var bytes: [UInt8] {
    JSONValue.object([
      "batch_id": .string(batchID), "received_at": .string("\(receivedAt)"),
      "spans": .array(
        spans.map { .array([.string("\($0.lowerBound)"), .string("\($0.upperBound)")]) }),
    ]).canonicalBytes
  }

  /// Reads a marker; nil if the bytes are not one.
  init?(parsing bytes: [UInt8]) {
    guard bytes.count <= Self.maximumBytes,
      let value = try? JSONValue(parsing: bytes, maximumDepth: 4),
      let id = value["batch_id"]?.stringValue, StreamLayout.isBatchID(id),
      let received = value["received_at"]?.stringValue.flatMap({ Timestamp($0) }),
      let listed = value["spans"]?.arrayValue, (1...EntrySpans.maximum).contains(listed.count)
    else { return nil }
    var spans: [ClosedRange<Timestamp>] = []
    for span in listed {
      guard let ends = span.arrayValue, ends.count == 2,
        let start = ends[0].stringValue.flatMap({ Timestamp($0) }),
        let end = ends[1].stringValue.flatMap({ Timestamp($0) }), start <= end
      else { return nil }
      spans.append(start...end)
    }
    self.init(batchID: id, receivedAt: received, spans: spans)
  }
}

/// A marker's key as listed.
public struct ListedMarker: Hashable, Sendable {
  /// Its key.
  public let key: ObjectKey
  /// The id of the sealed batch.
  public let batchID: String
  /// When it was stored, by the store's clock, in seconds since 1970.
  public let lastModified: Int?
}

/// The moments that entries touch, as a few spans (R49): those that lie close are joined.
enum EntrySpans {
  /// The most spans of a marker.
  static let maximum = StreamEntry.maximumSpans
  /// Spans with at most this many seconds between them are joined.
  static let closeness = 3600

  /// Spans that hold each of these, ascending, at most `maximum` of them.
  static func covering(_ entries: [ClosedRange<Timestamp>]) -> [ClosedRange<Timestamp>] {
    let sorted = entries.sorted { $0.lowerBound < $1.lowerBound }
    var spans = joined(sorted, over: closeness)
    while spans.count > maximum {
      // The widest gaps stay; ties may take a few more away.
      let gaps = zip(spans, spans.dropFirst()).map { seconds(between: $0, $1) }.sorted(by: >)
      spans = joined(spans, over: gaps[maximum - 1])
    }
    return spans
  }

  /// Joins ascending spans with at most `gap` seconds between them.
  private static func joined(
    _ spans: [ClosedRange<Timestamp>], over gap: Int
  ) -> [ClosedRange<Timestamp>] {
    var result: [ClosedRange<Timestamp>] = []
    for span in spans {
      guard let last = result.last, seconds(between: last, span) <= gap else {
        result.append(span)
        continue
      }
      result[result.count - 1] = last.lowerBound...max(last.upperBound, span.upperBound)
    }
    return result
  }

  private static func seconds(
    between a: ClosedRange<Timestamp>, _ b: ClosedRange<Timestamp>
  ) -> Int {
    b.lowerBound.secondsSince1970 - a.upperBound.secondsSince1970
  }
}
