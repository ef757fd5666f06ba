public import HealthModel

/// Reads what OwnTracks posts over HTTP (R55): one object a request, known by its `_type`, or an
/// array of them.
///
/// The app deletes a message that is answered by 4xx. So whatever comes is kept: a `location` and a
/// `transition` as points, everything else as it came.
public enum OwnTracksBody {
  /// How long before its message was made a place can have been seen, in seconds: a year.
  private static let longestDelay = 31_622_400.0
  /// What the app needs as its answer, whatever it sent: an array without orders for it.
  public static let answer = JSONValue.array([])
  /// The most bytes of a body. What the app sends has a few hundred, a card with a picture more.
  public static let maximumBytes = 2_097_152

  /// - Parameters:
  ///   - bytes: the body of the request.
  ///   - receivedAt: when the request came. It dates what has no time of its own.
  /// - Throws: `RequestFault` tooLarge, and nothing else.
  public static func read(_ bytes: [UInt8], receivedAt: Timestamp) throws(RequestFault)
    -> AppReading
  {
    guard bytes.count <= maximumBytes else {
      throw RequestFault(
        .tooLarge, "the body has \(bytes.count) bytes, more than \(maximumBytes)")
    }
    var reading = AppReading()
    guard bytes.contains(where: { !Self.isBlank($0) }) else { return reading }
    let value: JSONValue
    do {
      value = try JSONValue(parsing: bytes, maximumDepth: 12)
    } catch {
      // In Latin-1 every byte has a character, so nothing of it is lost.
      let text =
        String(
          validating: bytes, as: UTF8.self)
        ?? String(String.UnicodeScalarView(bytes.map { .init($0) }))
      reading.setAside(
        .string(text), of: .ownTracks, kind: "unreadable", at: receivedAt.hour, pointer: "",
        fault: "the body is not JSON: \(error)")
      return reading
    }
    if case .array(let messages) = value {
      for (index, message) in messages.enumerated() {
        add(message, at: "/\(index)", receivedAt, to: &reading)
      }
    } else {
      add(value, at: "", receivedAt, to: &reading)
    }
    return reading
  }

  private static func add(
    _ message: JSONValue, at pointer: String, _ receivedAt: Timestamp, to reading: inout AppReading
  ) {
    let members = message.objectValue ?? [:]
    let type = members["_type"]?.stringValue ?? ""
    let seconds = members["tst"]?.numberValue.map { Self.unix($0, receivedAt) }
    let moment = seconds.flatMap(Timestamp.text(unix:))
    var fault: String?
    // A region's place, in waypoints, is not where the phone was.
    if type == "location" || (type == "transition" && members["lat"] != nil) {
      do throws(RequestFault) {
        let point = try point(members, type, moment, seconds)
        reading.points.append(try point.entry(of: .ownTracks, receivedAt: receivedAt))
        return
      } catch {
        fault = error.message
      }
    } else if type.isEmpty {
      fault = "the message has no \"_type\""
    }
    let known = moment.flatMap { EntryMoment($0)?.timestamp }
    reading.setAside(
      message, of: .ownTracks, kind: type, at: known ?? receivedAt.hour, pointer: pointer,
      fault: fault)
  }

  private static func point(
    _ members: [String: JSONValue], _ type: String, _ moment: String?, _ seconds: Double?
  ) throws(RequestFault) -> AppPoint {
    let read = AppNumbers(members: members)
    _ = try read.required("tst")
    guard let moment else {
      throw RequestFault(.invalidMember, "/tst", "\"tst\" is not a time in seconds since 1970")
    }
    if let made = members["created_at"]?.numberValue, let seconds, made - seconds > longestDelay {
      throw RequestFault(
        .invalidMember, "/tst",
        "\"tst\" is more than a year before \"created_at\": the clock of the receiver was wrong, as after "
          + "1024 weeks of GPS")
    }
    return AppPoint(
      timestamp: moment, latitude: try read.required("lat"), longitude: try read.required("lon"),
      altitude: try read.number("alt"),
      // It is in km/h, and less than 0 where it is unknown.
      speed: try read.number("vel").map { $0 < 0 ? -1 : $0 / 3.6 },
      horizontalAccuracy: try read.number("acc"), verticalAccuracy: try read.number("vac"),
      kind: type == "location" ? nil : type, members: members)
  }

  /// Overland counts `tst` from 2001 when it speaks OwnTracks' format. A moment before 2001 that
  /// would then lie in the year before its receipt is such a one.
  private static func unix(_ seconds: Double, _ receivedAt: Timestamp) -> Double {
    let shift = 978_307_200.0
    let age = Double(receivedAt.secondsSince1970) - (seconds + shift)
    return seconds < shift && (-86_400...31_622_400).contains(age) ? seconds + shift : seconds
  }

  private static func isBlank(_ byte: UInt8) -> Bool {
    [0x20, 0x09, 0x0A, 0x0D].contains(byte)
  }
}
