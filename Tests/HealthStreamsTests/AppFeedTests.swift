import Foundation
import HealthModel
import Testing

@testable import HealthStreams

/// What Overland and OwnTracks post, as entries (R55).
@Suite(.unit) struct AppFeedTests {
  private static let received = Timestamp(secondsSince1970: 1_772_500_000)

  private static func fixture(_ name: String) throws -> [UInt8] {
    let root = try #require(Bundle.module.resourceURL)
    return Array(try Data(contentsOf: root.appending(path: "Fixtures/\(name).json")))
  }

  private static func overland(_ name: String) throws -> AppReading {
    try OverlandBody.read(fixture("overland/\(name)"), receivedAt: received)
  }

  private static func ownTracks(_ name: String) throws -> AppReading {
    try OwnTracksBody.read(fixture("owntracks/\(name)"), receivedAt: received)
  }

  private static func members(_ entry: StreamEntry) throws -> JSONValue {
    try JSONValue(parsing: entry.bytes)
  }

  // MARK: - Overland

  @Test func `R55: a point of Overland keeps every member, and its time in UTC`() throws {
    let reading = try Self.overland("overland_ios_readme_batch")
    let entry = try #require(reading.points.first)
    #expect(reading.points.count == 1 && reading.messages.isEmpty && reading.ignored.isEmpty)
    let members = try Self.members(entry)
    #expect(members["timestamp"] == .string("2015-10-01T15:00:00.000Z"))
    #expect(members["latitude"] == .number(37.3318))
    #expect(members["longitude"] == .number(-122.030581))
    #expect(members["horizontal_accuracy"] == .number(30))
    #expect(members["absent"] == nil && members["kind"] == nil)
    let sent = try JSONValue(parsing: Self.fixture("overland/overland_ios_readme_batch"))
    #expect(members["overland"] == sent["locations"]?.arrayValue?[0]["properties"])
  }

  @Test func `R55: what Overland did not send is named as absent, and not taken for 0`() throws {
    let reading = try Self.overland("geojson_collector_near_duplicates_across_midnight")
    #expect(reading.points.count == 3)
    #expect(Set(reading.points.map(\.start.utcDate.description)) == ["2026-08-23", "2026-08-24"])
    for entry in reading.points {
      let members = try Self.members(entry)
      #expect(members["speed"] == .number(-1) && members["horizontal_accuracy"] == .number(-1))
      #expect(members["absent"]?.arrayValue?.count == 4)
    }
    let third = try Self.overland("geojson_collector_point_with_altitude_coordinate")
    #expect(try Self.members(#require(third.points.first))["altitude"] == .number(410))
  }

  @Test(arguments: [(51.4779, 0.0), (0, -78.4558)])
  func `R55: a place on the first meridian or the equator is a place`(
    latitude: Double, longitude: Double
  ) throws {
    let body =
      #"{"locations":[{"type":"Feature","geometry":{"type":"Point","coordinates":[\#(longitude),\#(latitude)]},"properties":{"timestamp":"2026-02-08T10:00:00Z"}}]}"#
    let reading = try OverlandBody.read(Array(body.utf8), receivedAt: Self.received)
    #expect(reading.points.count == 1 && reading.refused.isEmpty)
  }

  @Test func `R55: one bad point is kept aside with its reason, and the good ones are points`()
    throws
  {
    let reading = try Self.overland("overland_function_coordinates_as_object")
    #expect(reading.points.count == 1 && reading.messages.count == 1)
    let aside = try #require(reading.refused.first)
    #expect(aside.pointer == "/locations/0" && aside.kind == "location")
    #expect(aside.fault?.contains("coordinates") == true)
    let kept = try Self.members(#require(reading.messages.first))
    let sent = try JSONValue(
      parsing: Self.fixture("overland/overland_function_coordinates_as_object"))
    #expect(kept["message"] == sent["locations"]?.arrayValue?[0])
    #expect(kept["app"] == .string("overland") && kept["fault"]?.stringValue == aside.fault)
  }

  @Test func `R55: a visit is a point of its own kind, beside the point of the same second`() throws
  {
    let reading = try Self.overland("wayfinder_location_and_open_visit")
    #expect(reading.points.count == 2 && reading.messages.isEmpty)
    #expect(try Self.members(reading.points[1])["kind"] == .string("visit"))
    let both = """
      {"locations":[{"type":"Feature","geometry":{"type":"Point","coordinates":[13.4,52.5]},
       "properties":{"timestamp":"2026-03-02T07:10:00Z"}},
       {"type":"Feature","geometry":{"type":"Point","coordinates":[13.4,52.5]},
       "properties":{"timestamp":"2026-03-02T07:10:00Z","action":"visit"}}]}
      """
    let points = try OverlandBody.read(Array(both.utf8), receivedAt: Self.received).points
    #expect(Set(points.map(\.id)).count == 2)
  }

  @Test func `R55: events without a place, bare features and the null island are kept aside`()
    throws
  {
    let bare = try Self.overland("overland_function_trip_and_bare_feature")
    #expect(bare.points.isEmpty && bare.refused.count == 1 && bare.ignored == ["trip"])
    let odd = """
      {"locations":[{"type":"Feature","properties":{"timestamp":"2026-03-02T07:10:00Z",
       "action":"tracking_started"}},
       {"type":"Feature","geometry":{"type":"Point","coordinates":[0,0]},
        "properties":{"timestamp":"2026-03-02T07:10:00Z"}},
       {"type":"Feature","geometry":{"type":"Point","coordinates":[13.4,152.5]},
        "properties":{"timestamp":"2026-03-02T07:10:00Z"}},
       {"type":"Feature","geometry":{"type":"Point","coordinates":[13.4,52.5]},
        "properties":{"timestamp":"yesterday"}},
       {"type":"Feature","geometry":{"type":"Point","coordinates":[13.4,52.5]},
        "properties":{"timestamp":1772431800,"speed":"fast"}}, 7],
       "current":{"a":1}}
      """
    let reading = try OverlandBody.read(Array(odd.utf8), receivedAt: Self.received)
    #expect(reading.points.isEmpty && reading.messages.count == 6)
    #expect(
      reading.asides.map(\.kind) == ["tracking_started"] + Array(repeating: "location", count: 5))
    #expect(reading.refused.count == 5 && reading.ignored == ["current"])
    // A reason quotes nothing of where somebody was.
    #expect(reading.refused.allSatisfy { $0.fault?.contains("13.4") == false })
  }

  @Test func `R55: an empty batch is a test of the connection; another body is refused`() throws {
    let empty = try Self.overland("overland_function_empty_locations")
    #expect(empty.batches(of: .overland, deviceID: Samples.device).isEmpty)
    for text in ["", "nonsense", "[]", #"{"locations":{}}"#, #"{"a":1}"#] {
      #expect(throws: RequestFault.self) {
        try OverlandBody.read(Array(text.utf8), receivedAt: Self.received)
      }
    }
    #expect(OverlandBody.answer.canonicalBytes == Array(#"{"result":"ok"}"#.utf8))
  }

  @Test func `R55: a request that is sent again gives the same batches, whatever the hour`() throws
  {
    let name = "overland_function_coordinates_as_object"
    let body = try Self.fixture("overland/\(name)")
    let first = try OverlandBody.read(body, receivedAt: Self.received)
    let later = try OverlandBody.read(body, receivedAt: Self.received.adding(seconds: 86_400))
    let batches = first.batches(of: .overland, deviceID: Samples.device)
    #expect(batches.map(\.stream) == [.location, .appMessages])
    #expect(batches == later.batches(of: .overland, deviceID: Samples.device))
    #expect(batches != first.batches(of: .overland, deviceID: Samples.otherDevice))
  }

  @Test func `R55: a member of a point can't name its feed or its place`() throws {
    let text = """
      {"locations":[{"type":"Feature","geometry":{"type":"Point","coordinates":[13.4,52.5]},
       "properties":{"timestamp":"2026-03-02T07:10:00Z","feed":"apple_health_export",
       "latitude":1,"kind":"x","uuid":"y"}}]}
      """
    let entry = try #require(
      try OverlandBody.read(Array(text.utf8), receivedAt: Self.received).points.first)
    let members = try Self.members(entry)
    #expect(members["feed"] == nil && members["latitude"] == .number(52.5))
    #expect(members["kind"] == nil && members["overland"]?["kind"] == .string("x"))
  }

  // MARK: - OwnTracks

  @Test(arguments: [
    ("l", 52.195913, -1.0, 35.0), ("location-5s", 53.430722, 1 / 3.6, 9), ("l2", 53.026676, 0, -1),
    ("location-sk", 71.215592, -1, 35), ("location-short", 44.221389, -1, -1),
  ])
  func `R55: a location of OwnTracks is a point, its speed in m/s`(
    name: String, latitude: Double, speed: Double, accuracy: Double
  ) throws {
    let reading = try Self.ownTracks(name)
    let members = try Self.members(#require(reading.points.first))
    #expect(reading.messages.isEmpty)
    #expect(members["latitude"] == .number(latitude) && members["speed"] == .number(speed))
    #expect(members["horizontal_accuracy"] == .number(accuracy))
    #expect(try members["owntracks"] == JSONValue(parsing: Self.fixture("owntracks/\(name)")))
  }

  @Test func `R55: a transition is a point of its own kind`() throws {
    let reading = try Self.ownTracks("transition")
    #expect(try Self.members(#require(reading.points.first))["kind"] == .string("transition"))
  }

  /// Everything that the schema's authors test with, the invalid included.
  @Test func `R55: every other message is kept as it came, the bad ones with a reason`() throws {
    let root = try #require(Bundle.module.resourceURL).appending(path: "Fixtures/owntracks")
    let names = try FileManager.default.contentsOfDirectory(atPath: root.path).sorted()
    #expect(names.count == 37)
    let bad: Set = [
      "location-lat-missing", "transition-illegal-lat", "object-empty", "cmd-setWaypoints-illegal",
    ]
    let points: Set = [
      "l", "l2", "location-5s", "location-short", "location-sk", "transition", "array", "array-one",
    ]
    for name in names.map({ String($0.dropLast(5)) }) {
      let bytes = try Self.fixture("owntracks/\(name)")
      let reading = try OwnTracksBody.read(bytes, receivedAt: Self.received)
      #expect(!reading.points.isEmpty == points.contains(name), "\(name)")
      #expect(!reading.refused.isEmpty == bad.contains(name), "\(name)")
      if points.contains(name) || name == "array-empty" { continue }
      let kept = try Self.members(#require(reading.messages.first))
      if name == "cmd-setWaypoints-illegal" {
        #expect(kept["message"]?.stringValue.map { Array($0.utf8) } == bytes)
      } else {
        #expect(try kept["message"] == JSONValue(parsing: bytes), "\(name)")
      }
    }
  }

  @Test func `R55: whatever the bytes, OwnTracks is answered, and nothing of them is lost`() throws
  {
    for body in [[], [0x20, 0x0A], [0xFF, 0x00, 0x41], Array("null".utf8), Array("[1,[2]]".utf8)] {
      let reading = try OwnTracksBody.read(body, receivedAt: Self.received)
      #expect(reading.points.isEmpty)
      #expect(
        reading.messages.count
          == (body.isEmpty || body == [0x20, 0x0A] ? 0 : body.count == 7 ? 2 : 1))
    }
    let odd = try OwnTracksBody.read([0xFF, 0x00, 0x41], receivedAt: Self.received)
    let text = try Self.members(#require(odd.messages.first))["message"]?.stringValue
    #expect(text?.unicodeScalars.map(\.value) == [0xFF, 0x00, 0x41])
    #expect(OwnTracksBody.answer.canonicalBytes == Array("[]".utf8))
    let large = Array(repeating: UInt8(ascii: " "), count: OwnTracksBody.maximumBytes + 1)
    #expect(throws: RequestFault.self) {
      try OwnTracksBody.read(large, receivedAt: Self.received)
    }
  }

  @Test
  func
    `R55: a place that was seen years before its message was made is set aside, with the reason`()
    throws
  {
    let now = try #require(Timestamp("2026-05-14T12:00:00Z"))
    let made = Double(now.secondsSince1970)
    for (seen, isPoint) in [
      (made, true), (made - 30 * 86_400, true), (made - 1024 * 7 * 86_400, false),
      (made - 2048 * 7 * 86_400, false),
    ] {
      let body =
        #"{"_type":"location","lat":52.5,"lon":13.4,"tst":\#(seen),"created_at":\#(made)}"#
      let reading = try OwnTracksBody.read(Array(body.utf8), receivedAt: now)
      #expect(reading.points.count == (isPoint ? 1 : 0))
      #expect(reading.messages.count == (isPoint ? 0 : 1))
    }
  }

  @Test func `R55: a place 1,024 weeks before its receipt is set aside, of whatever app`() throws {
    let now = try #require(Timestamp("2026-05-14T12:00:00Z"))
    for (days, isPoint) in [
      (0, true), (1024 * 7, false), (1024 * 7 + 30, false), (1024 * 7 - 2, true), (6000, true),
    ] {
      let seen = now.adding(seconds: -days * 86_400)
      let feature =
        #"{"geometry":{"type":"Point","coordinates":[13.4,52.5]},"properties":{"timestamp":"\#(seen)"}}"#
      let body = #"{"locations":[\#(feature)]}"#
      let overland = try OverlandBody.read(Array(body.utf8), receivedAt: now)
      let message = #"{"_type":"location","lat":52.5,"lon":13.4,"tst":\#(seen.secondsSince1970)}"#
      let ownTracks = try OwnTracksBody.read(Array(message.utf8), receivedAt: now)
      for reading in [overland, ownTracks] {
        #expect(reading.points.count == (isPoint ? 1 : 0), "\(days) days")
        #expect(reading.refused.count == (isPoint ? 0 : 1))
      }
    }
  }

  @Test func `R55: Overland's clock of 2001 is understood, another old time is not changed`() throws
  {
    func start(_ seconds: Int) throws -> String? {
      let body = #"{"_type":"location","lat":52.5,"lon":13.4,"tst":\#(seconds)}"#
      return try OwnTracksBody.read(Array(body.utf8), receivedAt: Self.received).points.first?
        .start.description
    }
    #expect(try start(1_772_500_000 - 978_307_200) == "2026-03-03T01:06:40Z")
    #expect(try start(1000) == "1970-01-01T00:16:40Z")
    #expect(try start(1_772_431_800) == "2026-03-02T06:10:00Z")
  }

  // MARK: - Both

  @Test func `R55: many points become batches that a store takes`() throws {
    let point =
      #"{"type":"Feature","geometry":{"type":"Point","coordinates":[13.4,52.5]},"properties":{"timestamp":"#
    let body =
      #"{"locations":["#
      + (0..<6001).map { point + "\(1_772_000_000 + $0)}}" }.joined(separator: ",") + "]}"
    let reading = try OverlandBody.read(Array(body.utf8), receivedAt: Self.received)
    let batches = reading.batches(of: .overland, deviceID: Samples.device)
    #expect(batches.map(\.recordCount) == [5000, 1001])
    for batch in batches { #expect(try AppendPlan(batch).spans.isEmpty) }
  }
}
