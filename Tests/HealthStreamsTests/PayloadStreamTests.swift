import HealthModel
import ObjectStore
import StoreTesting
import Testing

@testable import HealthStreams

/// Payloads of Health Auto Export as a stream of their own (R55).
@Suite(.unit) struct PayloadStreamTests {
  private static let text = #"{"data":{"metrics":[]}}"#
  private static let received = Timestamp(secondsSince1970: 1_772_500_000)

  private static func span(_ from: String, _ to: String) throws -> ClosedRange<Timestamp> {
    try #require(Timestamp(from))...#require(Timestamp(to))
  }

  private static func keys(_ store: MemoryStore) async throws -> [String] {
    try await store.listAll(ListRequest(prefix: ""), maximum: 100).map(\.key)
  }

  private static func payload(
    _ text: String = text, session: String? = "s-1", at moment: Timestamp = received,
    spans: [ClosedRange<Timestamp>]
  ) throws -> HealthAutoExportBody.Payload {
    var headers = [
      "automation-name": "Daily", "automation-aggregation": "days", "authorization": "Bearer x",
    ]
    headers["session-id"] = session
    return try HealthAutoExportBody.read(
      Array(text.utf8), headers: headers, deviceID: Samples.device, receivedAt: moment,
      spans: { _ in spans })
  }

  @Test func `R55: a payload is one object, with the app's headers, and none of ours`() async throws
  {
    let store = MemoryStore()
    let streams = try Samples.streams(store)
    let span = try Self.span("2026-02-27T23:00:00Z", "2026-03-02T10:00:00Z")
    let payload = try Self.payload(spans: [span])
    let receipt = try await streams.append(
      payload.batch, feed: "health-auto-export", receivedAt: Self.received)
    #expect(receipt.parts.count == 1 && payload.hasDates)
    let stored = try #require(try await streams.all(.healthAutoExport).first)
    let members = try JSONValue(parsing: stored.entries[0].bytes)
    #expect(try members["payload"] == JSONValue(parsing: Array(Self.text.utf8)))
    #expect(
      members["headers"]?.objectValue?.keys.sorted() == [
        "automation-aggregation", "automation-name",
      ])
    #expect(stored.request.session == "s-1" && stored.entries[0].payloadSpans == [span])
    // Its marker and its references come before it.
    let keys = try await Self.keys(store)
    #expect(keys.count { $0.contains("/.payloads/2026/02/") } == 1)
    #expect(keys.count { $0.contains("/.payloads/2026/03/") } == 1)
    #expect(keys.count { $0.contains("/.pending/") } == 1 && keys.count == 4)
    for (date, isTouched) in [
      ("2026-02-25", false), ("2026-02-26", true), ("2026-03-01", true), ("2026-03-03", true),
      ("2026-03-04", false), ("2026-04-01", false),
    ] {
      let found = try await streams.payloads(touching: #require(CalendarDate(date)))
      #expect(!found.batches.isEmpty == isTouched && found.foreign.isEmpty, "\(date)")
    }
  }

  @Test func `R55: what names the payloads of a date is found, however many there are`()
    async throws
  {
    let store = FaultInjectingStore(MemoryStore())
    let streams = try Samples.streams(store)
    let start = try #require(CalendarDate("2025-11-01"))
    var all: Set<PayloadReference> = []
    for number in 0..<3000 {
      let first = try #require(start.adding(days: .random(in: 0..<150)))
      let last = try #require(first.adding(days: number % 50 == 0 ? 70 : .random(in: 0..<3)))
      let spans = [first.startInUTC...last.startInUTC]
      let digits = String(number, radix: 16)
      for reference in PayloadReference.all(
        to: String(repeating: "0", count: 64 - digits.count) + digits, of: Samples.device,
        filed: first, touching: spans)
      {
        all.insert(reference)
        _ = try await store.put(streams.layout.key(of: reference), [], if: .absent)
      }
    }
    for (place, days) in [(-40, 0), (0, 0), (45, 0), (45, 9), (80, 35), (148, 0), (400, 0)] {
      let from = try #require(start.adding(days: place))
      let dates = from...(try #require(from.adding(days: days)))
      let before = store.log.lists
      let found = try await streams.references(touching: dates)
      #expect(store.log.lists - before <= 3 + days / 15, "\(dates)")
      #expect(found.foreign.isEmpty)
      // One that stands in several months is found in those that were asked for.
      #expect(
        Set(found.references.map(\.batchID))
          == Set(all.filter { $0.dates.overlaps(dates) }.map(\.batchID)), "\(dates)")
    }
    let alien = try #require(ObjectKey("streams/v0/.payloads/2025/12/notes.txt"))
    _ = try await store.put(alien, [], if: .absent)
    let december = try #require(CalendarDate("2025-12-24"))
    let november = try #require(CalendarDate("2025-11-24"))
    #expect(
      try await streams.references(touching: december...december).foreign.map(\.key)
        == [alien.rawValue])
    #expect(try await streams.references(touching: november...november).foreign.isEmpty)
  }

  @Test func `R55: key order makes no other payload; a session does, and else the moment`() throws {
    let a = try Self.payload(#"{"data":{"metrics":[],"workouts":[]}}"#, spans: [])
    let b = try Self.payload(#"{ "data": {"workouts":[], "metrics":[]} }"#, spans: [])
    #expect(a == b && !a.hasDates)
    #expect(try Self.payload(session: "s-2", spans: []) != Self.payload(session: "s-1", spans: []))
    // Without one it can't be distinguished from a value that came back.
    let unnamed = try Self.payload(session: nil, spans: [])
    #expect(
      try unnamed != Self.payload(session: nil, at: Self.received.adding(seconds: 60), spans: []))
    let long = String(repeating: "s", count: 500)
    #expect(try Self.payload(session: long, spans: []).batch.body.count < 1000)
  }

  @Test func `R55: a payload of years is found by every day, in one reference`() async throws {
    let store = MemoryStore()
    let streams = try Samples.streams(store)
    let batch = try Self.payload(spans: [
      try Self.span("2019-01-01T00:00:00Z", "2026-03-02T10:00:00Z")
    ])
    .batch
    _ = try await streams.append(batch, feed: "health-auto-export", receivedAt: Self.received)
    #expect(try await Self.keys(store).count == 3)
    for date in ["2019-01-01", "2022-07-15", "2026-03-03"] {
      let found = try await streams.payloads(touching: #require(CalendarDate(date)))
      #expect(found.batches.map(\.place.id) == [batch.id])
    }
    #expect(
      try await streams.payloads(touching: #require(CalendarDate("2018-12-01"))).batches.isEmpty)
  }

  @Test func `R55: a store that lists folder by folder hides no payload of a date`() async throws {
    let streams = try Samples.streams(FolderOrderedStore(MemoryStore()))
    let batch = try Self.payload(spans: [
      try Self.span("2026-03-15T08:00:00Z", "2026-03-15T10:00:00Z")
    ])
    .batch
    _ = try await streams.append(batch, feed: "health-auto-export", receivedAt: Self.received)
    for (date, isFound) in [("2026-03-15", true), ("2026-03-01", false), ("2026-04-01", false)] {
      let found = try await streams.payloads(touching: #require(CalendarDate(date)))
      #expect(found.batches.isEmpty != isFound && found.foreign.isEmpty, "\(date)")
    }
  }

  @Test func `R55: what was not stored is not found, though its reference is there`() async throws {
    let store = MemoryStore()
    let streams = try Samples.streams(store)
    let batch = try Self.payload(spans: [
      try Self.span("2026-03-02T08:00:00Z", "2026-03-02T10:00:00Z")
    ])
    .batch
    let reference = try #require(try AppendPlan(batch).references.first)
    _ = try await store.put(
      streams.layout.key(of: reference), PayloadReference.content, if: .absent)
    let date = try #require(CalendarDate("2026-03-02"))
    #expect(try await streams.payloads(touching: date).batches.isEmpty)
    _ = try await streams.append(batch, feed: "health-auto-export", receivedAt: Self.received)
    #expect(try await streams.payloads(touching: date).batches.count == 1)
  }

  /// Marker, reference and payload are three requests that may each go wrong.
  @Test(arguments: 1...3, AppendTests.Faults.all)
  func `R55: a fault at any request loses and doubles no payload`(
    ordinal: Int, faults: AppendTests.Faults
  ) async throws {
    let store = FaultInjectingStore(
      MemoryStore(), plan: FaultPlan(positions: [ordinal: faults.fault]))
    let streams = try Samples.streams(store)
    let batch = try Self.payload(spans: [
      try Self.span("2026-03-12T08:00:00Z", "2026-03-12T10:00:00Z")
    ])
    .batch
    _ = try? await streams.append(batch, feed: "f", receivedAt: Self.received)
    _ = try await streams.append(batch, feed: "f", receivedAt: Self.received)
    await store.settle()
    #expect(try await streams.all(.healthAutoExport).count == 1)
    let date = try #require(CalendarDate("2026-03-12"))
    #expect(try await streams.payloads(touching: date).batches.map(\.place.id) == [batch.id])
    #expect(try await !streams.markers().markers.isEmpty)
  }

  @Test func `R55: a body that is not a JSON object, or nested too deep, is refused`() throws {
    let deep = String(repeating: #"{"a":"#, count: 20) + "1" + String(repeating: "}", count: 20)
    for text in ["", "a,b\n1,2", "[]", "7", deep, #"{"a":1,"a":2}"#] {
      #expect(throws: RequestFault.self) { try Self.payload(text, spans: []) }
    }
    #expect(throws: RequestFault.self) {
      try Self.payload(#"{"a":""# + String(repeating: "x", count: 8_388_000) + #""}"#, spans: [])
    }
  }

  @Test func `R55: a request takes the three streams of R46, and none that a server writes`() throws
  {
    let batch = try Self.payload(spans: []).batch
    #expect(throws: IngestRefusal.self) { try IngestRequest(parsing: batch.body) }
    #expect(throws: IngestRefusal.self) {
      try IngestRequest(
        parsing: OwnTracksBody.read(Array(#"{"_type":"lwt"}"#.utf8), receivedAt: Self.received)
          .batches(of: .ownTracks, deviceID: Samples.device)[0].body)
    }
    #expect(try AppendPlan(batch).parts.count == 1)
  }
}

extension CalendarDate {
  fileprivate var startInUTC: Timestamp {
    Timestamp(secondsSince1970: (CalendarDate("1970-01-01")?.days(until: self) ?? 0) * 86_400)
  }
}
