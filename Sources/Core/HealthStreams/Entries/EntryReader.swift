import ContentDigests
package import HealthModel

/// Reads the members of one entry, and says which is at fault (R44).
struct EntryReader {
  /// An entry as read: its members, normalised, and what they say.
  struct Entry {
    var members: [String: JSONValue]
    /// Nil where the digest of the entry's bytes is its id.
    var id: String?
    var start: Timestamp
    var end: Timestamp
    var sampleType: String?
    var isDeletion = false
  }

  let members: [String: JSONValue]
  /// The most members of an entry. Those that the stream does not know are kept as they are.
  static let maximumMembers = 64
  /// The most bytes of a member's name.
  static let maximumNameBytes = 100

  /// - Parameter optional: names of optional members. One whose value is null counts as absent.
  init(_ value: JSONValue, optional: [String]) throws(RequestFault) {
    guard case .object(var members) = value else {
      throw RequestFault(.notAnObject, "", "the entry is not a JSON object")
    }
    guard members.count <= Self.maximumMembers else {
      throw RequestFault(
        .invalidMember, "",
        "the entry has \(members.count) members, more than "
          + "\(Self.maximumMembers)")
    }
    guard members.keys.allSatisfy({ $0.utf8.count <= Self.maximumNameBytes }) else {
      throw RequestFault(.invalidMember, "", "the name of a member has more than 100 bytes")
    }
    for name in optional where members[name] == .null { members[name] = nil }
    self.members = members
  }

  func location() throws(RequestFault) -> Entry {
    var members = members
    let moment = try moment("timestamp")
    members["timestamp"] = .string(moment.text)
    _ = try number("latitude", in: -90...90)
    _ = try number("longitude", in: -180...180)
    for name in ["altitude", "speed", "horizontal_accuracy", "vertical_accuracy"]
    where members[name] != .null {
      _ = try number(name, in: -1e9...1e9)
    }
    let kind = try members["kind"].map { _ throws(RequestFault) in try text("kind", in: 1...40) }
    let id = SampleIdentity(
      type: StreamName.location.rawValue, source: moment.text, hardware: kind ?? "",
      start: Int64(moment.timestamp.secondsSince1970),
      end: Int64(moment.timestamp.secondsSince1970))
    return Entry(
      members: members, id: id.uuid, start: moment.timestamp, end: moment.timestamp)
  }

  func audio() throws(RequestFault) -> Entry {
    var members = members
    let id = try text("id", in: 1...100)
    let (start, end) = (try moment("timestamp_start"), try moment("timestamp_end"))
    guard start.milliseconds <= end.milliseconds else {
      throw RequestFault(.invalidMember, "/timestamp_end", "the chunk ends before it begins")
    }
    members["timestamp_start"] = .string(start.text)
    members["timestamp_end"] = .string(end.text)
    let duration = try number("duration", in: 0...3600)
    _ = try number("overlap_duration", in: 0...duration)
    let data = try text("audio_data", in: 0...StreamEntry.maximumBytes)
    guard Base64.isValid(data) else {
      throw RequestFault(.invalidMember, "/audio_data", "\"audio_data\" is not base64")
    }
    return Entry(members: members, id: id, start: start.timestamp, end: end.timestamp)
  }

  func sample() throws(RequestFault) -> Entry {
    var members = members
    let type = try text("sample_type", in: 1...100)
    guard type.utf8.allSatisfy({ $0.isASCIILetterOrDigit }) else {
      throw RequestFault(
        .invalidMember, "/sample_type", "\"sample_type\" is not a HealthKit type identifier")
    }
    let start = try moment("timestamp")
    let end = members["end_timestamp"] == nil ? start : try moment("end_timestamp")
    guard start.milliseconds <= end.milliseconds else {
      throw RequestFault(.invalidMember, "/end_timestamp", "the sample ends before it begins")
    }
    members["timestamp"] = .string(start.text)
    if members["end_timestamp"] != nil { members["end_timestamp"] = .string(end.text) }
    let uuid = try members["uuid"].map { _ throws(RequestFault) in try self.uuid("uuid") }
    if let uuid { members["uuid"] = .string(uuid) }
    let source = try members["source"].map { _ throws(RequestFault) in
      try text("source", in: 0...200)
    }
    if let deleted = members["deleted"] {
      guard deleted == .bool(true), let uuid else {
        throw RequestFault(
          .invalidMember, "/deleted", "a deletion has \"deleted\": true and the sample's \"uuid\"")
      }
      return Entry(
        members: members, id: uuid, start: start.timestamp, end: end.timestamp, sampleType: type,
        isDeletion: true)
    }
    let value = try number("value", in: -1e15...1e15)
    // A category has no unit: a client may leave it out.
    let hasNone = (members["unit"] ?? .null) == .null && HealthKitSampling.isCategory(type)
    if hasNone { members["unit"] = .string("") }
    let unit = hasNone ? "" : try text("unit", in: 0...40)
    if type == HealthKitSampling.sleepAnalysis, !Self.isSleep(value) {
      throw RequestFault(
        .invalidMember, "/value",
        "\"value\" is not a value of sleep analysis, a whole number from 0 to 99: \(value)")
    }
    members["value"] = .number(ValueNormalisation.normalised(value, unit: unit, type: type))
    let id =
      uuid
      ?? StreamEntry.madeID(
        type: type, source: source ?? "", start: start, end: end, value: value, unit: unit)
    return Entry(
      members: members, id: id, start: start.timestamp, end: end.timestamp, sampleType: type)
  }

  // MARK: - Members

  func member(_ name: String) throws(RequestFault) -> JSONValue {
    guard let value = members[name] else {
      throw RequestFault(.missingMember, "/\(name)", "\"\(name)\" is missing")
    }
    return value
  }

  /// Whether a number is a value of sleep analysis: one of HealthKit's, or one that a later system has.
  static func isSleep(_ value: Double) -> Bool {
    (0...99).contains(value) && value == value.rounded()
  }

  private func number(
    _ name: String, in range: ClosedRange<Double>
  ) throws(RequestFault) -> Double {
    guard let number = try member(name).numberValue else {
      throw RequestFault(.invalidMember, "/\(name)", "\"\(name)\" is not a number")
    }
    guard range.contains(number) else {
      throw RequestFault(.invalidMember, "/\(name)", "\"\(name)\" is out of range: \(number)")
    }
    return number
  }

  func text(_ name: String, in lengths: ClosedRange<Int>) throws(RequestFault) -> String {
    guard let text = try member(name).stringValue else {
      throw RequestFault(.invalidMember, "/\(name)", "\"\(name)\" is not a string")
    }
    guard lengths.contains(text.utf8.count) else {
      throw RequestFault(
        .invalidMember, "/\(name)",
        "\"\(name)\" has \(text.utf8.count) bytes instead of \(lengths.lowerBound) to "
          + "\(lengths.upperBound)")
    }
    return text
  }

  private func uuid(_ name: String) throws(RequestFault) -> String {
    guard let uuid = UUIDText.lowercased(try text(name, in: 36...36)) else {
      throw RequestFault(.invalidMember, "/\(name)", "\"\(name)\" is not a UUID")
    }
    return uuid
  }

  func moment(_ name: String) throws(RequestFault) -> EntryMoment {
    let text = try text(name, in: 1...64)
    guard let moment = EntryMoment(text) else {
      throw RequestFault(
        .invalidMember, "/\(name)",
        "\"\(name)\" is not a time such as 2025-01-30T10:00:00.000Z: \"\(text.prefix(40))\"")
    }
    return moment
  }
}

extension StreamName {
  /// The optional members of an entry (R44).
  var optionalMembers: [String] {
    switch self {
    case .location: ["kind"]
    case .healthKit: ["deleted", "end_timestamp", "source", "uuid"]
    case .audio, .healthAutoExport, .appMessages: []
    }
  }
}

extension StreamEntry {
  /// The id of a sample that brings none (R45).
  ///
  /// The value is left out, so that a corrected sample takes the place of the first. But that of a category
  /// says what the sample is: a person is in bed and asleep at one time.
  static func madeID(
    type: String, source: String, start: EntryMoment, end: EntryMoment, value: Double, unit: String
  ) -> String {
    // Adding 0 turns -0 into 0.
    let what =
      HealthKitSampling.isCategory(type)
      ? String(decoding: JSONValue.number(value + 0).canonicalBytes, as: UTF8.self) : ""
    return SampleIdentity(
      type: type, source: source, hardware: start.text + "/" + end.text,
      start: Int64(start.timestamp.secondsSince1970), end: Int64(end.timestamp.secondsSince1970),
      value: what, unit: unit
    ).uuid
  }
}

extension UInt8 {
  var isASCIILetterOrDigit: Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self)
      || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self)
      || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self)
  }
}

/// The entries that a server makes of what apps post (R55).
extension EntryReader {
  /// A whole payload: `payload`, `headers` of strings, and `spans`, the moments that it touches,
  /// ascending; of none, where no row has a date. `timestamp` files it. `part` says which part it is
  /// of a payload that is longer than a batch.
  func payload() throws(RequestFault) -> Entry {
    var members = members
    let start = try moment("timestamp")
    members["timestamp"] = .string(start.text)
    guard case .object = try member("payload") else {
      throw RequestFault(.invalidMember, "/payload", "\"payload\" is not an object")
    }
    guard case .object(let headers) = try member("headers"),
      headers.values.allSatisfy({ $0.stringValue != nil })
    else {
      throw RequestFault(.invalidMember, "/headers", "\"headers\" is not an object of strings")
    }
    guard let spans = StreamEntry.spans(try member("spans")) else {
      throw RequestFault(
        .invalidMember, "/spans",
        "\"spans\" is not an array of pairs of times such as 2025-01-30T10:00:00Z, ascending")
    }
    if let part = members["part"], PayloadPart(part) == nil {
      throw RequestFault(
        .invalidMember, "/part", "\"part\" is not {\"payload\", \"number\", \"count\"}")
    }
    let end = spans.map(\.upperBound).max() ?? start.timestamp
    return Entry(
      members: members, id: nil, start: start.timestamp, end: max(start.timestamp, end))
  }

  /// Anything else that an app sent: `app`, `kind` (what it is), and `message`, as it came. `fault`
  /// says why it is not in another stream.
  func message() throws(RequestFault) -> Entry {
    var members = members
    let moment = try moment("timestamp")
    members["timestamp"] = .string(moment.text)
    _ = try text("app", in: 1...40)
    _ = try text("kind", in: 1...100)
    _ = try member("message")
    if members["fault"] != nil { _ = try text("fault", in: 1...500) }
    return Entry(members: members, id: nil, start: moment.timestamp, end: moment.timestamp)
  }
}

extension StreamEntry {
  /// The moments that a payload touches, as its entry says; none for entries of other streams.
  package var payloadSpans: [ClosedRange<Timestamp>] {
    stream == .healthAutoExport ? Self.payloadSpans(bytes) : []
  }

  /// The moments that the payload of an entry touches.
  static func payloadSpans(_ bytes: [UInt8]) -> [ClosedRange<Timestamp>] {
    (try? JSONValue(parsing: bytes))?["spans"].flatMap(spans) ?? []
  }

  /// The most spans of an entry or a marker.
  static let maximumSpans = 500

  /// The form of spans: `[["2026-03-02T00:00:00Z","2026-03-02T08:00:00Z"],...]`, at most 500.
  static func spans(_ value: JSONValue) -> [ClosedRange<Timestamp>]? {
    guard let pairs = value.arrayValue, pairs.count <= maximumSpans else { return nil }
    var spans: [ClosedRange<Timestamp>] = []
    for pair in pairs {
      guard let ends = pair.arrayValue, ends.count == 2,
        let start = ends[0].stringValue.flatMap({ Timestamp($0) }),
        let end = ends[1].stringValue.flatMap({ Timestamp($0) }), start <= end,
        spans.last.map({ $0.upperBound < start }) ?? true
      else { return nil }
      spans.append(start...end)
    }
    return spans
  }
}
