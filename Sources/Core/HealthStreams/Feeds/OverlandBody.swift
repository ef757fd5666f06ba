public import HealthModel

/// Reads what Overland posts (R55): `{"locations": [Feature, ...]}`, each a point of GeoJSON.
///
/// The app sends a batch again until it is confirmed, so one bad point must not refuse the others:
/// each that can't be read is kept aside, with the reason.
public enum OverlandBody {
  /// What the app needs as its answer, whatever the points were.
  public static let answer = JSONValue.object(["result": .string("ok")])

  /// - Parameters:
  ///   - bytes: the body of the request.
  ///   - receivedAt: when the request came. It dates what has no time of its own.
  /// - Throws: `RequestFault` for a body that Overland does not send.
  public static func read(_ bytes: [UInt8], receivedAt: Timestamp) throws(RequestFault)
    -> AppReading
  {
    let value: JSONValue
    do {
      value = try JSONValue(parsing: bytes, maximumDepth: 12)
    } catch {
      throw RequestFault(.notJSON, "the body is not JSON: \(error)")
    }
    guard case .object(let body) = value, let locations = body["locations"]?.arrayValue else {
      throw RequestFault(
        .notRecognised, "/locations", "the body is not an object with an array \"locations\"")
    }
    var reading = AppReading()
    for (index, feature) in locations.enumerated() {
      add(feature, at: "/locations/\(index)", receivedAt, body["device_id"], to: &reading)
    }
    reading.ignored = body.keys.filter { $0 != "locations" && $0 != "device_id" }.sorted()
    return reading
  }

  private static func add(
    _ feature: JSONValue, at pointer: String, _ receivedAt: Timestamp, _ device: JSONValue?,
    to reading: inout AppReading
  ) {
    let properties = feature["properties"]?.objectValue ?? [:]
    let kind = kind(of: properties)
    let hasPosition = feature["geometry"].map { $0 != .null } ?? false
    let moment = time(properties["timestamp"])
    // Events of the app are not points, and have no place.
    if !hasPosition, let kind {
      reading.setAside(
        feature, of: .overland, kind: kind, at: Self.moment(moment) ?? receivedAt.hour,
        pointer: pointer)
      return
    }
    do throws(RequestFault) {
      let entry = try point(feature, properties, moment, kind, device)
        .entry(of: .overland, receivedAt: receivedAt)
      reading.points.append(entry)
    } catch {
      reading.setAside(
        feature, of: .overland, kind: "location", at: Self.moment(moment) ?? receivedAt.hour,
        pointer: pointer, fault: error.message)
    }
  }

  private static func point(
    _ feature: JSONValue, _ properties: [String: JSONValue], _ moment: String?, _ kind: String?,
    _ device: JSONValue?
  ) throws(RequestFault) -> AppPoint {
    if let type = feature["geometry"]?["type"], type != .string("Point") {
      throw RequestFault(.invalidMember, "/geometry/type", "the geometry is not a point")
    }
    guard let coordinates = feature["geometry"]?["coordinates"]?.arrayValue,
      (2...3).contains(coordinates.count)
    else {
      throw RequestFault(
        .invalidMember, "/geometry/coordinates", "\"coordinates\" is not an array of 2 or 3 numbers"
      )
    }
    var numbers: [Double] = []
    for coordinate in coordinates {
      guard let number = coordinate.numberValue else {
        throw RequestFault(
          .invalidMember, "/geometry/coordinates", "a coordinate is not a number")
      }
      numbers.append(number)
    }
    guard let moment else {
      throw RequestFault(
        .invalidMember, "/properties/timestamp",
        "\"timestamp\" is missing, or is not a time such as 2025-01-30T10:00:00Z")
    }
    let read = AppNumbers(members: properties)
    var members = properties
    if members["device_id"] == nil { members["device_id"] = device }
    let others = (feature.objectValue ?? [:]).filter {
      !["type", "geometry", "properties"].contains($0.key)
    }
    if !others.isEmpty { members["feature"] = .object(others) }
    return AppPoint(
      timestamp: moment, latitude: numbers[1], longitude: numbers[0],
      altitude: try read.number("altitude") ?? (numbers.count > 2 ? numbers[2] : nil),
      speed: try read.number("speed"),
      horizontalAccuracy: try read.number("horizontal_accuracy"),
      verticalAccuracy: try read.number("vertical_accuracy"), kind: kind, members: members)
  }

  /// What a Feature is, if it is not simply where the phone was.
  private static func kind(of properties: [String: JSONValue]) -> String? {
    if properties["type"] == .string("trip") { return "trip" }
    if properties["arrival_date"] != nil || properties["departure_date"] != nil { return "visit" }
    return properties["action"]?.stringValue.flatMap { $0.isEmpty ? nil : $0.prefix(bytes: 40) }
  }

  /// A time as Overland and the apps beside it write it: ISO 8601, also with an offset as `-0700`,
  /// or seconds since 1970.
  private static func time(_ value: JSONValue?) -> String? {
    switch value {
    case .number(let seconds): return Timestamp.text(unix: seconds)
    case .string(let text):
      if let moment = EntryMoment(text) { return moment.text }
      var bytes = Array(text.utf8)
      let sign = bytes.count - 5
      guard sign > 0, bytes[sign] == UInt8(ascii: "-") || bytes[sign] == UInt8(ascii: "+") else {
        return nil
      }
      bytes.insert(UInt8(ascii: ":"), at: sign + 3)
      return EntryMoment(String(decoding: bytes, as: UTF8.self))?.text
    default: return nil
    }
  }

  private static func moment(_ text: String?) -> Timestamp? {
    text.flatMap { EntryMoment($0)?.timestamp }
  }
}

extension Timestamp {
  /// The hour in which the moment lies: what has no time of its own is dated by it, so that a
  /// request that is repeated soon gives the same entry.
  package var hour: Timestamp {
    Timestamp(
      secondsSince1970: secondsSince1970 - ((secondsSince1970 % 3600) + 3600) % 3600)
  }
}
