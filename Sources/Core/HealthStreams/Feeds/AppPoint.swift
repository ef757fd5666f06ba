import HealthModel

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

  func entry(of app: AppReading.App) throws(RequestFault) -> StreamEntry {
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
