import Gzip
import HealthModel
import ObjectStore
import StoreTesting
import Testing

@testable import HealthStreams

@Suite(.unit) struct ReadingTests {
  private func date(_ text: String) throws -> CalendarDate { try #require(CalendarDate(text)) }

  /// Puts text under the key of a stored batch.
  private func plant(
    _ bytes: [UInt8], at key: ObjectKey, in store: any ObjectStore, packed: Bool = true
  ) async throws {
    try await store.delete(key)
    let body = packed ? try ZlibCompression().gzip([bytes[...]]) : bytes
    _ = try await store.put(key, body, if: .absent)
  }

  @Test func `R43: devices are found by one request, however many batches they have`() async throws
  {
    let store = FaultInjectingStore(MemoryStore())
    let streams = try Samples.streams(store)
    for (index, device) in [Samples.device, Samples.otherDevice].enumerated() {
      for minute in 10..<30 {
        _ = try await streams.append(
          Samples.batch(
            [try Samples.location("2025-01-\(30 + index)T10:\(minute):00Z")], device: device),
          feed: "f", receivedAt: Samples.received)
      }
    }
    let before = store.log.lists
    #expect(try await streams.devices(of: .location) == [Samples.otherDevice, Samples.device])
    #expect(store.log.lists - before == 1)
    #expect(try await streams.devices(of: .audio).isEmpty)
    let day = try date("2025-01-30")
    let listing = try await streams.batches(of: .location, on: day...day)
    #expect(listing.batches.count == 20 && listing.foreign.isEmpty)
    #expect(listing.batches.allSatisfy { $0.place.deviceID == Samples.device })
    let none = try date("2025-02-01")
    #expect(try await streams.batches(of: .location, on: none...none).batches.isEmpty)
    #expect(try await streams.batches(of: .location, on: day...none).batches.count == 40)
  }

  @Test func `R46: a store that lists folder by folder hides no batch of a date`() async throws {
    let streams = try Samples.streams(FolderOrderedStore(MemoryStore()))
    for date in ["2025-01-29", "2025-01-30", "2025-02-01"] {
      let batch = Samples.batch([try Samples.heartRate("\(date)T10:00:00Z")])
      _ = try await streams.append(batch, feed: "f", receivedAt: Samples.received)
    }
    for (from, to, count) in [
      ("2025-01-29", "2025-01-29", 1), ("2025-01-30", "2025-02-01", 2),
      ("2025-02-01", "2025-02-02", 1), ("2025-01-31", "2025-01-31", 0),
    ] {
      let dates = try date(from)...date(to)
      let listing = try await streams.batches(of: .healthKit, on: dates)
      #expect(listing.batches.count == count && listing.foreign.isEmpty, "\(dates)")
    }
  }

  @Test func `R46: a batch that is gone since it was listed is nobody's fault, and asked for once`()
    async throws
  {
    let store = FaultInjectingStore(MemoryStore())
    let streams = try Samples.streams(store)
    _ = try await streams.append(
      Samples.batch([try Samples.heartRate("2025-01-30T10:00:00Z")]), feed: "f",
      receivedAt: Samples.received)
    let listed = try await streams.batches(of: .healthKit).batches
    try await store.delete(try #require(listed.first).key)
    let (gets, lists) = (store.log.gets, store.log.lists)
    for try await reading in streams.readings(of: listed) { #expect(reading.result == nil) }
    for (_, read) in await streams.samples(of: listed) { #expect(try read.get() == nil) }
    #expect(store.log.gets - gets == 2 && store.log.lists == lists)
  }

  @Test func `R43: more than 64 devices are refused`() async throws {
    let store = MemoryStore()
    let streams = try Samples.streams(store)
    for number in 0..<65 {
      let digits = String(number, radix: 16)
      let device =
        "00000000-0000-0000-0000-" + String(repeating: "0", count: 12 - digits.count)
        + digits
      let key = try #require(
        ObjectKey("streams/v0/apple_ios_healthkit/\(device)/2025/01/30/x.json.gz"))
      if number == 64 { #expect(try await streams.devices(of: .healthKit).count == 64) }
      _ = try await store.put(key, [], if: .absent)
    }
    let error = await #expect(throws: StreamError.self) {
      try await streams.devices(of: .healthKit)
    }
    #expect(error?.code == .tooManyDevices)
  }

  @Test func `R46: every fault of an object is found, and none of its entries is read`()
    async throws
  {
    let store = MemoryStore()
    let streams = try Samples.streams(store)
    let batch = Samples.batch([try Samples.heartRate("2025-01-30T10:00:00Z")])
    let key = try await streams.append(batch, feed: "f", receivedAt: Samples.received).parts[0].key
    let good = Samples.object(of: batch)
    #expect(try JSONValue(parsing: good).canonicalBytes == good)
    let text = String(decoding: good, as: UTF8.self)
    // A body of two entries that says one, sealed with its own digest.
    let miscounted = String(decoding: batch.body, as: UTF8.self)
      .replacing(#""total_records":1"#, with: #""total_records":2"#)
    let invalid = String(decoding: batch.body, as: UTF8.self).replacing(":72", with: ":\"72\"")
    func sealed(_ body: String) -> String {
      let id = SealedBatch.digest(of: Array(body.utf8))
      return body.dropLast()
        + #","batch_id":"\#(id)","canonicaliser":1,"feed":"f","format":"streams.v0","received_at":"2025-01-30T10:05:00Z"}"#
    }
    let faults: [(String, BatchFault.Code)] = [
      ("[]", .notJSON), ("{", .notJSON), ("{}", .notABatch),
      (text.replacing("streams.v0", with: "streams.v1"), .notABatch),
      (text.replacing(#""feed":"f""#, with: #""feed":"a/b""#), .notABatch),
      (text.replacing(#""canonicaliser":1"#, with: #""canonicaliser":2"#), .notABatch),
      (text.replacing(":72", with: ":73"), .wrongDigest),
      (text.replacing(#""data":"#, with: #""a":1,"data":"#), .wrongDigest),
      (sealed(miscounted), .wrongTotal), (sealed(invalid), .invalidEntry),
    ]
    for (content, code) in faults {
      try await plant(Array(content.utf8), at: key, in: store)
      let reading = try await readings(of: streams)
      guard case .failure(let fault) = reading else {
        Issue.record("\(content) was read")
        continue
      }
      #expect(fault.code == code, "\(content): \(fault)")
    }
    let other = Samples.batch([try Samples.heartRate("2025-01-30T11:00:00Z")])
    try await plant(
      Samples.object(of: other), at: key, in: store)
    guard case .failure(let fault) = try await readings(of: streams) else {
      Issue.record("a misplaced batch was read")
      return
    }
    #expect(fault.code == .misplaced)
    try await plant(good, at: key, in: store, packed: false)
    guard case .failure(let plain) = try await readings(of: streams) else {
      Issue.record("what is not gzip was read")
      return
    }
    #expect(plain.code == .notGzip)
    // A bomb of gzip: 16 MiB of blanks in a few kilobytes.
    try await plant(Array(repeating: 0x20, count: 16 << 20), at: key, in: store)
    guard case .failure(let bomb) = try await readings(of: streams) else {
      Issue.record("a bomb was read")
      return
    }
    #expect(bomb.code == .tooLarge)
  }

  private func readings(
    of streams: StreamStore
  ) async throws -> Result<StoredBatch, BatchFault>? {
    let listing = try await streams.batches(of: .healthKit)
    for try await reading in streams.readings(of: listing.batches) { return reading.result }
    return nil
  }

  @Test func `R45: entries count once whatever the order, and deletions win`() async throws {
    let uuid = Samples.otherDevice
    func native(_ value: Int, deleted: Bool = false) throws -> StreamEntry {
      try Samples.entry(
        #"{"timestamp":"2025-01-30T10:00:00Z","end_timestamp":"2025-01-30T10:00:00Z","sample_type":"T","uuid":"\#(uuid)",\#(deleted ? #""deleted":true"# : #""value":\#(value),"unit":"""#)}"#
      )
    }
    func stored(_ entries: [StreamEntry], feed: String, at seconds: Int) throws -> StoredBatch {
      let batch = Samples.batch(entries, session: "\(seconds)")
      return try StoredBatch(
        parsing: Samples.object(
          of: batch, feed: feed, receivedAt: Samples.received.adding(seconds: seconds)))
    }
    let made = try Samples.heartRate("2025-01-30T11:00:00Z", 60)
    let batches = [
      try stored([try native(1), made], feed: "a", at: 0),
      try stored([try native(1)], feed: "b", at: 1),
      try stored([try Samples.heartRate("2025-01-30T11:00:00Z", 61)], feed: "a", at: 2),
      try stored([try Samples.heartRate("2025-01-30T11:00:00Z", 62)], feed: "b", at: 3),
      // The first value once more, received before its correction: still one of the two.
      try stored([made], feed: "a", at: 1),
    ]
    let deletion = try stored([try native(0, deleted: true)], feed: "a", at: -5)
    var random = SplitMix64(seed: 45)
    for _ in 0..<50 {
      var tally = EntryTally()
      for batch in batches.shuffled(using: &random) { tally.add(batch) }
      // The sample once; the made id once in each feed, as it was received last.
      #expect(tally.entries.count == 3 && tally.duplicates == 2)
      let texts = tally.entries.map { String(decoding: $0.bytes, as: UTF8.self) }
      #expect(texts.count { $0.contains(":61}") || $0.contains(":62}") } == 2)
      var again = EntryTally()
      for batch in (batches + [deletion]).shuffled(using: &random) { again.add(batch) }
      #expect(again.entries.count == 2 && again.entries.allSatisfy { $0.id != uuid })
    }
  }

  @Test func `R45: a sample with an id of its own counts once, whichever devices have sent it`()
    throws
  {
    let native = try Samples.entry(
      #"{"sample_type":"T","timestamp":"2025-01-30T10:00:00Z","unit":"","uuid":"\#(Samples.otherDevice)","value":1}"#
    )
    let made = try Samples.heartRate("2025-01-30T11:00:00Z")
    var tally = EntryTally()
    for device in [Samples.device, Samples.otherDevice] {
      let batch = Samples.batch([native, made], device: device)
      tally.add(try StoredBatch(parsing: Samples.object(of: batch)))
    }
    #expect(tally.entries.count { $0.id == native.id } == 1)
    #expect(tally.entries.count { $0.id == made.id } == 2)
  }

  @Test func `R45: of two values of a sample in one batch the later one counts`() throws {
    for values in [[900.0, 1000], [1000, 900]] {
      var tally = EntryTally()
      let batch = Samples.batch(
        try values.map { try Samples.heartRate("2025-01-30T11:00:00Z", $0) })
      tally.add(try StoredBatch(parsing: Samples.object(of: batch)))
      let entry = try #require(tally.entries.first)
      #expect(tally.entries.count == 1)
      #expect(try JSONValue(parsing: entry.bytes)["value"] == .number(values[1]))
    }
  }

  @Test func `R43: an inspection names gaps, duplicates, foreign objects and old markers`()
    async throws
  {
    let store = MemoryStore(now: { Samples.received.secondsSince1970 })
    let streams = try Samples.streams(store)
    let points = try ["10:00:00", "10:05:00", "10:10:01", "23:59:00"].map {
      try Samples.location("2025-01-30T\($0)Z")
    }
    for session in ["1", "2"] {
      _ = try await streams.append(
        Samples.batch(points, session: session), feed: "f", receivedAt: Samples.received)
    }
    _ = try await streams.append(
      Samples.batch([try Samples.location("2025-01-31T00:00:00Z")]), feed: "f",
      receivedAt: Samples.received)
    _ = try await streams.append(
      try Samples.overMidnight(), feed: "f", receivedAt: Samples.received)
    for key in [
      "streams/v0/apple_ios_core_location/notes.txt",
      "streams/v0/apple_ios_core_location/\(Samples.device)/2025/01/30/latest 2.json.gz",
      "streams/v0/.pending/notes.txt",
    ] { _ = try await store.put(try #require(ObjectKey(key)), [1], if: .absent) }
    var findings: [StreamFinding] = []
    let inspection = try await streams.inspect(.location) { findings.append($0) }
    #expect(inspection.batches == 3 && inspection.entries == 9)
    let later = Samples.received.adding(seconds: 86_401)
    try await streams.inspectMarkers(now: later) { findings.append($0) }
    #expect(
      findings.map(\.code) == [
        .foreign, .foreign, .duplicates, .gap, .gap, .foreignMarker, .oldMarker,
      ])
    #expect(findings[3].gap?.lowerBound == Timestamp("2025-01-30T10:05:00Z"))
    #expect(findings[2].message.contains("4 entries"))
    findings = []
    try await streams.inspectMarkers(now: later.adding(seconds: -2)) { findings.append($0) }
    #expect(findings.map(\.code) == [.foreignMarker])
  }

  @Test func `R49: a marker is held against its content, not only against its name`() async throws {
    let store = MemoryStore()
    let streams = try Samples.streams(store)
    let id = String(repeating: "a", count: 64)
    let other = String(repeating: "b", count: 64)
    func marker(_ id: String) -> String {
      #"{"batch_id":"\#(id)","received_at":"2026-03-02T00:00:00Z","#
        + #""spans":[["2026-03-02T00:00:00Z","2026-03-02T09:00:00Z"]]}"#
    }
    let bodies = [marker(id), marker(other), "{}"]
    for (number, body) in bodies.enumerated() {
      let key = streams.layout.markerKey(batchID: id, random: UInt64(number))
      _ = try await store.put(key, Array(body.utf8), if: .absent)
    }
    var findings: [StreamFinding] = []
    try await streams.inspectMarkers(now: Samples.received) { findings.append($0) }
    #expect(findings.map(\.code) == [.foreignMarker, .foreignMarker], "\(findings)")
  }

  @Test func `R49: spans cover every entry and are at most 500`() throws {
    var random = SplitMix64(seed: 3)
    for count in [1, 20, 3000] {
      let entries = try (0..<count).map { _ in
        let start = Int.random(in: 946_684_800...1_900_000_000, using: &random)
        return try Samples.heartRate("\(Timestamp(secondsSince1970: start))")
      }
      let spans = EntrySpans.covering(entries.map { $0.start...max($0.start, $0.end) })
      #expect((1...500).contains(spans.count))
      #expect(count < 3000 || spans.count > 400)
      #expect(entries.allSatisfy { entry in spans.contains { $0.contains(entry.start) } })
      #expect(zip(spans, spans.dropFirst()).allSatisfy { $0.upperBound < $1.lowerBound })
      let marker = PendingMarker(
        batchID: String(repeating: "a", count: 64), receivedAt: Samples.received, spans: spans)
      #expect(PendingMarker(parsing: marker.bytes) == marker)
      #expect(marker.bytes.count <= PendingMarker.maximumBytes)
    }
  }
}
