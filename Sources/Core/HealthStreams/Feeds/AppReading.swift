package import HealthModel

/// What a request of an app holds (R55): points, and whatever else it sent, each as it came.
public struct AppReading: Hashable, Sendable {
  /// An app whose format is read.
  public enum App: String, Hashable, Sendable, CaseIterable {
    /// Overland, and apps that speak its format.
    case overland
    /// OwnTracks over HTTP.
    case ownTracks = "owntracks"
    /// Health Auto Export.
    case healthAutoExport = "health-auto-export"

    /// The feed of its entries (R45).
    public var feed: String { rawValue }
  }

  /// Something that is kept as a message, and not as a point.
  public struct Aside: Hashable, Sendable {
    /// Its place in the body, as a JSON pointer.
    public let pointer: String
    /// What it is, in the app's own word: `waypoint`, `encrypted`, or `location` for a bad point.
    public let kind: String
    /// Why it is not a point, if it should be one; nil for messages of other kinds. It quotes nothing
    /// of the message.
    public let fault: String?
  }

  /// The points, in their order.
  public internal(set) var points: [StreamEntry] = []
  /// What is kept beside them, as entries of `appMessages`.
  public internal(set) var messages: [StreamEntry] = []
  /// What the messages are, one for each.
  public internal(set) var asides: [Aside] = []
  /// Members that are not kept, because they only repeat or describe the points.
  public internal(set) var ignored: [String] = []

  init() {}

  /// The points that were refused.
  public var refused: [Aside] { asides.filter { $0.fault != nil } }

  /// Keeps a part of a body that is not a point.
  mutating func setAside(
    _ message: JSONValue, of app: App, kind: String, at moment: Timestamp, pointer: String,
    fault: String? = nil
  ) {
    let kind = kind.prefix(bytes: 100)
    if let entry = StreamEntry.aside(
      message, of: app.rawValue, kind: kind.isEmpty ? "unknown" : kind, at: moment, fault: fault)
    {
      messages.append(entry)
    }
    asides.append(Aside(pointer: pointer, kind: kind, fault: fault))
  }

  /// What is to be stored, as sealed batches: points first, then messages.
  ///
  /// The id of each is a function of its content alone, so a request that an app repeats is stored
  /// once.
  package func batches(of app: App, deviceID: String) -> [SealedBatch] {
    Self.pieces(points).map { Self.sealed($0, .location, app, deviceID) }
      + Self.pieces(messages).map { Self.sealed($0, .appMessages, app, deviceID) }
  }

  private static func sealed(
    _ entries: ArraySlice<StreamEntry>, _ stream: StreamName, _ app: App, _ deviceID: String
  ) -> SealedBatch {
    SealedBatch(
      checked: entries, of: stream, deviceID: deviceID, session: app.feed, appVersion: app.feed)
  }

  /// The entries in pieces that a batch can hold.
  package static func pieces(_ entries: [StreamEntry]) -> [ArraySlice<StreamEntry>] {
    var (pieces, start, bytes): ([ArraySlice<StreamEntry>], Int, Int) = ([], 0, 0)
    for (index, entry) in entries.enumerated() {
      let isFull =
        index - start == SealedBatch.maximumRecords
        || bytes + entry.bytes.count + 1 > SealedBatch.maximumBytes - 4096
      if isFull, index > start {
        pieces.append(entries[start..<index])
        (start, bytes) = (index, 0)
      }
      bytes += entry.bytes.count + 1
    }
    if start < entries.count { pieces.append(entries[start...]) }
    return pieces
  }
}

extension StreamEntry {
  /// What is kept as a message because it is not an entry of another stream (R55).
  ///
  /// - Parameter fault: why it is not, if it should be one.
  package static func aside(
    _ message: JSONValue, of app: String, kind: String, at moment: Timestamp, fault: String?
  ) -> StreamEntry? {
    var members: [String: JSONValue] = [
      "timestamp": .string("\(moment)"), "app": .string(app), "kind": .string(kind),
      "message": message,
    ]
    members["fault"] = fault.map { .string($0.prefix(bytes: 500)) }
    do throws(RequestFault) {
      return try StreamEntry(.object(members), of: .appMessages)
    } catch {
      // Only its size can be at fault: its beginning says what it was.
      members["message"] = .string(
        String(decoding: message.canonicalBytes.prefix(4096), as: UTF8.self))
      members["fault"] = .string("cut to 4096 bytes: " + error.message)
      return try? StreamEntry(.object(members), of: .appMessages)
    }
  }

  /// The moment of what should have been an entry; nil if it has none that can be read.
  package static func moment(of value: JSONValue) -> Timestamp? {
    (value["timestamp"] ?? value["timestamp_start"])?.stringValue.flatMap(EntryMoment.init)?
      .timestamp
  }
}

extension String {
  /// As many whole characters as fit into some bytes.
  func prefix(bytes: Int) -> String {
    var cut = self
    while cut.utf8.count > bytes { cut.removeLast() }
    return cut
  }
}

/// A point of an app on its way to an entry of `location` (R55).
///
/// An entry has all numbers of R44. Those that the app did not send are listed in `absent`, and have
/// the value by which phones mark what they do not know: -1, or 0 for an altitude.
struct AppPoint {
  var timestamp: String
  var latitude: Double
  var longitude: Double
  var altitude: Double?
  var speed: Double?
  var horizontalAccuracy: Double?
  var verticalAccuracy: Double?
  /// What the point is, if it is not simply where the phone was: `visit`, `trip`, `transition`.
  var kind: String?
  /// The members that the app sent, as they came.
  var members: [String: JSONValue]

  /// How many seconds a receiver of GPS is late that has not noticed that the count of weeks began again.
  private static let rollover = 1024 * 604_800

  /// - Parameter receivedAt: when the request came.
  func entry(
    of app: AppReading.App, receivedAt: Timestamp
  ) throws(RequestFault) -> StreamEntry {
    // No app posts what it has seen 1,024 weeks ago.
    if let seen = EntryMoment(timestamp)?.timestamp.adding(seconds: Self.rollover),
      receivedAt.adding(seconds: -31_622_400) < seen, seen < receivedAt.adding(seconds: 86_400)
    {
      throw RequestFault(
        .invalidMember, "", "the time is 1024 weeks early: the receiver has lost count of GPS weeks"
      )
    }
    // It is what a phone reports that has no position.
    if latitude == 0, longitude == 0 {
      throw RequestFault(.invalidMember, "", "latitude and longitude are both 0")
    }
    let numbers: [(name: String, value: Double?, unknown: Double)] = [
      ("altitude", altitude, 0), ("speed", speed, -1),
      ("horizontal_accuracy", horizontalAccuracy, -1), ("vertical_accuracy", verticalAccuracy, -1),
    ]
    var all: [String: JSONValue] = [
      "timestamp": .string(timestamp), "latitude": .number(latitude),
      "longitude": .number(longitude), app.rawValue: .object(members),
    ]
    for (name, value, unknown) in numbers { all[name] = .number(value ?? unknown) }
    let absent = numbers.filter { $0.value == nil }.map { JSONValue.string($0.name) }
    if !absent.isEmpty { all["absent"] = .array(absent) }
    all["kind"] = kind.map { .string($0) }
    return try StreamEntry(.object(all), of: .location)
  }
}

/// The numbers of an app's members: what is missing or null is nil, anything else is at fault.
struct AppNumbers {
  let members: [String: JSONValue]

  func number(_ name: String) throws(RequestFault) -> Double? {
    switch members[name] {
    case nil, .null: return nil
    case .number(let number): return number
    default: throw RequestFault(.invalidMember, "/\(name)", "\"\(name)\" is not a number")
    }
  }

  func required(_ name: String) throws(RequestFault) -> Double {
    guard let number = try number(name) else {
      throw RequestFault(.missingMember, "/\(name)", "\"\(name)\" is missing")
    }
    return number
  }
}

extension Timestamp {
  /// A moment that a number of seconds since 1970 names, to the millisecond, as R44 writes it; nil
  /// outside of the years 1 to 9999.
  static func text(unix seconds: Double) -> String? {
    guard seconds.isFinite, abs(seconds) < 300_000_000_000 else { return nil }
    let milliseconds = Int((seconds * 1000).rounded())
    let whole = milliseconds >= 0 ? milliseconds / 1000 : (milliseconds - 999) / 1000
    guard whole >= -62_135_596_800, whole <= 253_402_300_799 else { return nil }
    let digits = String(milliseconds - whole * 1000)
    let fraction = String(repeating: "0", count: 3 - digits.utf8.count) + digits
    return "\(Timestamp(secondsSince1970: whole))".dropLast() + "." + fraction + "Z"
  }
}
