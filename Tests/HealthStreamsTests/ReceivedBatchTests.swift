import HealthModel
import StoreTesting
import Testing

@testable import HealthStreams

/// A server reads batches of samples where they stand: a second reader beside `IngestRequest`. What
/// it accepts, the other must accept, and both must give the same bytes.
@Suite(.unit, .slow) struct ReceivedBatchTests {
  /// What `IngestRequest` makes of a body; nil if it refuses it.
  private func general(_ body: [UInt8]) -> SealedBatch? {
    try? IngestRequest(parsing: body).sealed(session: "received")
  }

  /// Compares both readers.
  ///
  /// - Returns: whether the body was read where it stands.
  private func check(_ body: [UInt8], _ place: SourceLocation = #_sourceLocation) -> Bool {
    let expected = general(body)
    let isScanned = RequestScan(body) != nil
    do throws(IngestRefusal) {
      let received = try ReceivedBatch(parsing: body)
      let sealed = received.sealed(session: "received")
      #expect(sealed == expected, sourceLocation: place)
      #expect(sealed.places == expected?.places, sourceLocation: place)
      #expect(received.recordCount == sealed.recordCount, sourceLocation: place)
      #expect(
        Set(sealed.places?.map(\.span.lowerBound.utcDate) ?? []).count == received.dateCount,
        sourceLocation: place)
      #expect((sealed.sampleTable != nil) == isScanned, sourceLocation: place)
      checkSamples(of: sealed, place)
      if received.dateCount > 1, let plan = try? AppendPlan(sealed) {
        #expect(plan.parts.count == received.dateCount, sourceLocation: place)
        for part in plan.parts {
          #expect((part.batch.sampleTable != nil) == isScanned, sourceLocation: place)
          checkSamples(of: part.batch, place)
        }
      }
    } catch {
      #expect(expected == nil && !isScanned, sourceLocation: place)
      #expect(throws: error) { try IngestRequest(parsing: body) }
    }
    return isScanned
  }

  /// Compares the samples that were kept while a batch was read with those that its entries have.
  private func checkSamples(of batch: SealedBatch, _ place: SourceLocation) {
    let read = SealedBatch(
      id: batch.id, stream: batch.stream, deviceID: batch.deviceID,
      recordCount: batch.recordCount, body: batch.body, places: batch.places)
    guard let kept = batch.samples(feed: "f", order: PreciseMoment(Samples.received)),
      let found = read.samples(feed: "f", order: PreciseMoment(Samples.received))
    else {
      Issue.record("entries that were checked have no samples", sourceLocation: place)
      return
    }
    #expect(
      kept.deviceID == found.deviceID && kept.feed == "f" && kept.receivedAt == found.receivedAt,
      sourceLocation: place)
    #expect(kept.samples.count == batch.recordCount, sourceLocation: place)
    #expect(
      kept.samples.indices.map { description(kept, $0) }
        == found.samples.indices.map { description(found, $0) }, sourceLocation: place)
  }

  /// All that days may use of a sample.
  private func description(_ samples: StoredSamples, _ place: Int) -> [String] {
    let sample = samples.samples[place]
    let label = samples.label(sample)
    let words = [label.type, label.unit, label.source, label.hardware, label.feed]
    let marks = [sample.isDeletion, sample.isUserEntered, sample.hasNativeID]
    return words.map(samples.word) + marks.map { "\($0)" } + [
      UUIDText.text(sample.id), "\(sample.start)", "\(sample.end)", "\(sample.value)",
      String(decoding: samples.entry(place), as: UTF8.self),
    ]
  }

  private static func body(_ entries: [String], total: Int? = nil) -> [UInt8] {
    Array(
      #"""
      {"stream_name":"apple_ios_healthkit", "device_id":"6F2C1C0E-9F3A-4F0B-8A51-0D9B6A3C7E11",
       "data":[\#(entries.joined(separator: ", "))],
       "batch_metadata":{"total_records":\#(total ?? entries.count),"app_version":"1.0"}}
      """#.utf8)
  }

  private static let types = [
    "HKQuantityTypeIdentifierHeartRate", "HKQuantityTypeIdentifierStepCount",
    "HKQuantityTypeIdentifierActiveEnergyBurned", "HKCategoryTypeIdentifierSleepAnalysis",
    "HKQuantityTypeIdentifierDistanceWalkingRunning", "HKQuantityTypeIdentifierBodyMass",
  ]
  private static let units = ["count/min", "count", "kcal", "", "m", "kg", "ms", "Grüße"]
  private static let moments = [
    "2025-01-30T10:00:00Z", "2025-01-30T10:00:00.1Z", "2025-01-30T10:00:00.123456789Z",
    "2025-01-30T12:30:00+02:30", "2024-02-29T23:59:59.999Z", "1969-12-31T23:59:59.5Z",
    "0001-01-01T00:00:00Z", "2025-01-30T10:00:00.25-05:00",
  ]
  private static let numbers = [
    "0", "-0", "-0.0", "72", "72.5", "2.675", "0.0005", "0.00049", "0.001", "1.005", "-0.5", "-2.5",
    "123456789012345", "999999999999999", "1e15", "1e16", "12345678901234.5", "0.1234567890123456",
    "63.712345678901234", "1E2", "1.50e-7", "4", "5", "6", "0.10", "10.0", "99.95", "99.949999",
  ]
  private static let others = [
    #""hardware":"Watch6,2""#, #""source":"Jan’s Watch""#, #""source":"""#, #""feed":"phone""#,
    #""feed":"""#, #""feed":null"#,
    #""user_entered":true"#, #""user_entered":false"#, #""hardware":7"#, #""note":null"#,
    #""a":1.50"#, #""z":"\u0041""#, #""nested":{"a":[1]}"#, #""é":1"#, #""valuex":2"#,
    #""uuid":"AAAAAAAA-9F3A-4F0B-8A51-0D9B6A3C7E11""#,
    #""uuid":"aaaaaaaa-9f3a-4f0b-8a51-0d9b6a3c7e12""#,
  ]
  private static let ids = [
    "AAAAAAAA-9F3A-4F0B-8A51-0D9B6A3C7E11", "aaaaaaaa-9f3a-4f0b-8a51-0d9b6a3c7e12",
    "0123abcd-ABCD-4f0b-8a51-ffffffffffff", "00000000-0000-0000-0000-000000000000",
  ]

  /// Values of members that are kept as they are.
  private static let kept = [
    "1.50", "-0", "12345678901234567", "1E-2", "true", "false", "null", #""""#, #""text""#,
    #""é,}""#, #""\u0041""#, #""\"""#, #"{"a":[1]}"#, "[]", "1e999", "tru", "-", #"{"#,
  ]

  /// A sample with something odd about it, mostly valid.
  private static func sample(_ random: inout SplitMix64) -> String {
    var shape = SplitMix64(seed: random.next())
    return sample(&shape, &random)
  }

  /// Samples of a few shapes in turns: those of one shape differ in their id, times, value and what is
  /// kept as it is.
  private static func series(_ random: inout SplitMix64) -> [String] {
    let shapes = (0...random.below(6)).map { _ in random.next() }
    return (0..<2 + random.below(7)).map { _ in
      var shape = SplitMix64(seed: random.pick(shapes))
      return sample(&shape, &random)
    }
  }

  /// - Parameter contents: decides about the id, the times, the value and what is kept as it is.
  private static func sample(_ shape: inout SplitMix64, _ contents: inout SplitMix64) -> String {
    let start = contents.pick(moments)
    var members = [
      #""sample_type":"\#(shape.pick(types))""#, #""timestamp":"\#(start)""#,
      #""unit":"\#(shape.pick(units))""#, #""value":\#(contents.pick(numbers))"#,
    ]
    if shape.chance(2) {
      members.append(#""end_timestamp":"\#(contents.chance(8) ? contents.pick(moments) : start)""#)
    }
    var names: Set<Substring> = []
    for _ in 0..<shape.below(4) {
      let other = shape.pick(others)
      if names.insert(other.prefix(5)).inserted { members.append(other) }
    }
    if names.insert(#""uuid"#).inserted, shape.chance(2) {
      members.append(#""uuid":"\#(contents.pick(ids))""#)
    }
    if shape.chance(8) { members.append(#""deleted":true"#) }
    for name in ["battery", "zz"] where shape.chance(4) {
      let number = contents.chance(8) ? contents.below(kept.count) : contents.below(10)
      members.append(#""\#(name)":\#(kept[number])"#)
    }
    for index in members.indices.dropLast() {
      members.swapAt(index, index + shape.below(members.count - index))
    }
    let blank = shape.pick(["", "", " ", "\n\t"])
    return "{\(blank)" + members.joined(separator: ",\(blank)") + "\(blank)}"
  }

  @Test func `R46: what is read where it stands is what is read whole, whatever the samples say`() {
    var random = SplitMix64(seed: 15)
    var (scanned, valid) = (0, 0)
    for _ in 0..<6000 {
      let body = Self.body((0..<1 + random.below(3)).map { _ in Self.sample(&random) })
      if check(body) { scanned += 1 }
      if general(body) != nil { valid += 1 }
    }
    // Every valid one is read where it stands: what it does not know is read by itself.
    #expect(scanned == valid)
    #expect((1500...5500).contains(valid), "\(valid)")
  }

  @Test func `R46: samples that resemble earlier ones are read as if they were alone`() {
    var random = SplitMix64(seed: 17)
    var (scanned, valid) = (0, 0)
    for _ in 0..<4000 {
      let body = Self.body(Self.series(&random))
      if check(body) { scanned += 1 }
      if general(body) != nil { valid += 1 }
    }
    #expect(scanned == valid)
    #expect((300...3500).contains(valid), "\(valid)")
  }

  @Test func `R46: samples that differ in further members still resemble each other`() {
    let samples = (10..<90).map { number in
      #"""
      {"note":\#(number % 2 == 0 ? "null" : "\"\(number)\""), "unit":"count/min","level":\#(number), \#
      "timestamp":"2025-01-30T10:00:\#(10 + number % 50)\#(number < 60 ? "Z" : ".5Z")", \#
      "uuid":"6f2c1c0e-9f3a-4f0b-8a51-0d9b6a3c7e\#(number)", "value":\#(number), \#
      "sample_type":"HKQuantityTypeIdentifierHeartRate"}
      """#
    }
    #expect(check(Self.body(samples)))
    let text = Array(samples.joined().utf8)
    var (scan, written) = (SampleScan(text, in: 0..<text.count), [UInt8]())
    for _ in samples { #expect(scan.next(into: &written) != nil) }
    #expect(scan.shapes.count == 1)
  }

  @Test func `R46: no changed byte makes the readers differ`() {
    var random = SplitMix64(seed: 16)
    let bytes =
      Array(#"{}[]",:\0159aeE.+-TZ tfn#"#.utf8) + [0x00, 0x1F, 0x7F, 0xC3, 0xA9, 0xED, 0xF4]
    var (scanned, refused) = (0, 0)
    for round in 0..<12_000 {
      var body = Self.body(
        random.chance(2) ? Self.series(&random) : [Self.sample(&random), Self.sample(&random)])
      for _ in 0...random.below(2) {
        let place = random.below(body.count)
        switch round % 3 {
        case 0: body[place] = random.pick(bytes)
        case 1: body.remove(at: place)
        default: body.insert(random.pick(bytes), at: place)
        }
      }
      if check(body) { scanned += 1 } else { refused += 1 }
    }
    #expect(scanned > 300 && refused > 3000, "\(scanned) \(refused)")
  }

  @Test func `R46: a client's sealed body gives the same batch where it stands`() throws {
    let batch = try Samples.overMidnight()
    #expect(check(batch.body))
    #expect(try ReceivedBatch(parsing: batch.body).sealed(session: "other") == batch)
  }

  @Test func `R46: a body of another form than the usual is read by the general reader`() throws {
    let sample =
      #"{"sample_type":"HKQuantityTypeIdentifierHeartRate","timestamp":"2025-01-30T10:00:00Z","unit":"bpm","value":7}"#
    let good = String(decoding: Self.body([sample]), as: UTF8.self)
    #expect(check(Array(good.utf8)))
    for (old, new) in [
      ("apple_ios_healthkit", "apple_ios_core_location"), ("\"1.0\"", "\"\""),
      ("\"1.0\"", "\"1\\u002e0\""), ("\"total_records\":1", "\"total_records\":2"),
      ("\"data\"", "\"data\":[],\"data\""), ("}}", "}} {}"), ("}}", "},\"extra\":1}"),
      ("\"app_version\":\"1.0\"", "\"session\":\"s\""), ("[{", "[[{"), ("[{", "[1,{"),
      ("6F2C1C0E", "6F2C1C0"), (sample, ""), ("\"value\":7", "\"value\":true"),
    ] {
      #expect(good.contains(old))
      #expect(!check(Array(good.replacing(old, with: new, maxReplacements: 1).utf8)), "\(new)")
    }
    let many = Self.body(Array(repeating: sample, count: 5001))
    #expect(!check(many))
    #expect(check(Self.body(Array(repeating: sample, count: 5000))))
  }
}
