package import HealthModel

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
