import ContentDigests
public import HealthModel
import ObjectStore

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

  /// The key of a marker.
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
