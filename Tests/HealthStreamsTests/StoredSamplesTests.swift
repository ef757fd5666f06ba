import HealthModel
import ObjectStore
import StoreTesting
import Synchronization
import Testing

@testable import HealthStreams

/// Days are counted of samples that are read where they stand: a third reader of stored batches. What
/// it reads, reading the whole batch must give, too.
@Suite(.unit, .slow) struct StoredSamplesTests {
  private func place(of batch: SealedBatch) throws -> StreamLayout.BatchPlace {
    let layout = try #require(StreamLayout(prefix: ""))
    let date = try #require(AppendPlan(batch).parts.first?.date)
    let key = layout.key(of: batch.stream, device: batch.deviceID, on: date, id: batch.id)
    return try #require(layout.place(key.rawValue))
  }

  private func whole(_ object: [UInt8], _ place: StreamLayout.BatchPlace) -> StoredBatch? {
    guard let batch = try? StoredBatch(parsing: object), (try? batch.check(at: place)) != nil
    else { return nil }
    return batch
  }

  /// Compares samples with the batch that has them.
  private func check(
    _ samples: StoredSamples, _ batch: StoredBatch, _ place: SourceLocation = #_sourceLocation
  ) {
    #expect(
      samples.deviceID == batch.request.deviceID && samples.feed == batch.feed
        && samples.receivedAt == batch.receivedAt, sourceLocation: place)
    #expect(
      samples.samples.indices.map(samples.entry) == batch.entries.map(\.bytes),
      sourceLocation: place)
    for (sample, entry) in zip(samples.samples, batch.entries) {
      let members = try? JSONValue(parsing: entry.bytes)
      func text(_ name: String) -> String { members?[name]?.stringValue ?? "" }
      #expect(
        UUIDText.text(sample.id) == entry.id && sample.hasNativeID == entry.hasNativeID,
        sourceLocation: place)
      #expect(sample.start == entry.start && sample.end == entry.end, sourceLocation: place)
      #expect(sample.isDeletion == entry.isDeletion, sourceLocation: place)
      #expect(sample.value == members?["value"]?.numberValue ?? 0, sourceLocation: place)
      let label = samples.label(sample)
      #expect(samples.word(label.type) == entry.sampleType, sourceLocation: place)
      #expect(samples.word(label.unit) == text("unit"), sourceLocation: place)
      #expect(samples.word(label.source) == text("source"), sourceLocation: place)
      #expect(samples.word(label.hardware) == text("hardware"), sourceLocation: place)
      #expect(samples.word(label.feed) == entry.ownFeed ?? batch.feed, sourceLocation: place)
      #expect(
        sample.isUserEntered == (members?["user_entered"] == .bool(true)), sourceLocation: place)
    }
  }

  private static let samples = [
    #"{"sample_type":"HKQuantityTypeIdentifierHeartRate","timestamp":"2025-01-30T10:00:00.5Z","unit":"bpm","value":72}"#,
    #"{"sample_type":"HKQuantityTypeIdentifierStepCount","timestamp":"2025-01-30T10:00:00Z","end_timestamp":"2025-01-30T10:05:00.25Z","unit":"count","value":12,"uuid":"6F2C1C0E-9F3A-4F0B-8A51-0D9B6A3C7E11","source":"Jan’s Watch","hardware":"Watch6,2"}"#,
    #"{"sample_type":"HKQuantityTypeIdentifierStepCount","timestamp":"2025-01-30T10:00:00Z","unit":"count","value":3,"uuid":"6f2c1c0e-9f3a-4f0b-8a51-0d9b6a3c7e12","deleted":true,"source":""}"#,
    #"{"sample_type":"HKQuantityTypeIdentifierStepCount","timestamp":"2025-01-30T10:00:00Z","uuid":"6f2c1c0e-9f3a-4f0b-8a51-0d9b6a3c7e13","deleted":true}"#,
    #"{"sample_type":"HKQuantityTypeIdentifierBodyMass","timestamp":"2025-01-30T23:59:59.999Z","unit":"kg","value":71.123456789012345,"user_entered":true,"feed":"scale"}"#,
    #"{"sample_type":"HKQuantityTypeIdentifierBodyMass","timestamp":"2025-01-30T00:00:00Z","unit":"kg","value":1e-7,"user_entered":false,"note":"a\"b","nested":{"uuid":[1]}}"#,
    #"{"sample_type":"HKQuantityTypeIdentifierBodyMass","timestamp":"2025-01-30T07:00:00Z","unit":"kg","value":70,"feed":"phone","exported_at":"2025-01-30T08:00:00Z"}"#,
    #"{"sample_type":"HKQuantityTypeIdentifierBodyMass","timestamp":"2025-01-30T07:00:00Z","uuid":"6f2c1c0e-9f3a-4f0b-8a51-0d9b6a3c7e14","deleted":true,"feed":"phone"}"#,
    #"{"sample_type":"HKQuantityTypeIdentifierBodyMass","timestamp":"2025-01-30T07:30:00Z","unit":"kg","value":70,"feed":""}"#,
    #"{"sample_type":"HKQuantityTypeIdentifierBodyMass","timestamp":"2025-01-30T07:45:00Z","unit":"kg","value":70,"feed":7}"#,
    #"{"sample_type":"HKCategoryTypeIdentifierSleepAnalysis","timestamp":"2025-01-30T01:00:00Z","end_timestamp":"2025-01-30T02:00:00Z","unit":"","value":4,"hardware":"Watch\t6"}"#,
  ]

  private func batch() throws -> SealedBatch {
    Samples.batch(try Self.samples.map { try Samples.entry($0) })
  }

  @Test func `R49: samples read where they stand are those of the batch read whole`() throws {
    let batch = try batch()
    let (object, place) = (Samples.object(of: batch), try place(of: batch))
    let stored = try #require(whole(object, place))
    check(try #require(StoredSamples(scanning: object, at: place)), stored)
    check(StoredSamples(stored), stored)
    check(
      try #require(batch.samples(feed: "f", order: PreciseMoment(Samples.received))), stored)
  }

  @Test func `R46: the run of a batch stands outside its digest, and may be absent`() throws {
    let batch = try batch()
    let place = try place(of: batch)
    for run in [nil, RunID(rawValue: "1hk2p7wx4qe")] {
      let object = Samples.object(of: batch, run: run)
      let stored = try #require(whole(object, place))
      #expect(stored.run == run && stored.object == object)
      let samples = try #require(StoredSamples(scanning: object, at: place))
      check(samples, stored)
      #expect(samples.run == run && StoredSamples(stored).run == run)
    }
    let object = Samples.object(of: batch, run: RunID(rawValue: "1hk2p7wx4qe"))
    for wrong in [#""1HK""#, #""""#, "7", "null"] {
      let text = String(decoding: object, as: UTF8.self).replacing(#""1hk2p7wx4qe""#, with: wrong)
      #expect(StoredSamples(scanning: Array(text.utf8), at: place) == nil, "\(wrong)")
      let fault = #expect(throws: BatchFault.self) { try StoredBatch(parsing: Array(text.utf8)) }
      #expect(fault?.code == .notABatch, "\(wrong)")
    }
  }

  @Test func `R46: what one device sends together is of one run`() {
    let runs = ReceiptRuns()
    func run(_ device: String, after seconds: Int) -> RunID {
      runs.run(of: device, at: Samples.received.adding(seconds: seconds))
    }
    let first = run("a", after: 0)
    let others = run("b", after: 25)
    #expect(others != first)
    #expect(run("a", after: ReceiptRuns.pause) == first)
    #expect(run("a", after: ReceiptRuns.pause - 1) == first, "it was received in between")
    #expect(run("b", after: 25 + ReceiptRuns.pause) == others)
    #expect(run("a", after: 2 * ReceiptRuns.pause) == first)
    let next = run("a", after: 3 * ReceiptRuns.pause + 1)
    #expect(next != first && next != others)
    #expect(next.moment == Samples.received.adding(seconds: 3 * ReceiptRuns.pause + 1))
  }

  @Test func `R46: a run ends, however often its device sends`() {
    let runs = ReceiptRuns()
    let found = stride(from: 0, through: 2 * ReceiptRuns.longest + 22, by: 22).map {
      runs.run(of: "a", at: Samples.received.adding(seconds: $0))
    }
    #expect(Set(found).count == 3 && found == found.sorted())
  }

  @Test func `R49: the first and the last moment and a label for each entry are kept in 40 bytes`()
    throws
  {
    #expect(MemoryLayout<StoredSamples.Sample>.stride == 40)
    let ends = ["0001-01-01T00:00:00.001Z", "1969-12-31T23:59:59.999Z", "9999-12-31T23:59:59.999Z"]
    var entries = try zip(ends, ends.dropFirst() + ["9999-12-31T23:59:59.999Z"]).map {
      try Samples.entry(
        #"{"sample_type":"HKQuantityTypeIdentifierStepCount","timestamp":"\#($0)","end_timestamp":"\#($1)","unit":"count","value":1,"user_entered":true}"#
      )
    }
    while entries.count < SealedBatch.maximumRecords {
      entries.append(
        try Samples.entry(
          #"{"sample_type":"HKQuantityTypeIdentifierStepCount","timestamp":"2025-01-30T10:00:00Z","unit":"count","value":1,"source":"\#(entries.count)"}"#
        ))
    }
    let samples = try #require(
      Samples.batch(entries).samples(feed: "f", order: PreciseMoment(Samples.received)))
    #expect(samples.samples.count == SealedBatch.maximumRecords)
    #expect(samples.samples.indices.allSatisfy { samples.entry($0) == entries[$0].bytes })
    #expect(zip(samples.samples, entries).allSatisfy { $0.start == $1.start && $0.end == $1.end })
    #expect(Set(samples.samples.map(\.label)).count == SealedBatch.maximumRecords - 2)
  }

  @Test func `R49: no changed byte of an object is read otherwise than by the whole`() throws {
    let batch = try batch()
    let (good, place) = (Samples.object(of: batch), try place(of: batch))
    var random = SplitMix64(seed: 49)
    let bytes = Array(#"{}[]",:\0159a zT."#.utf8) + [0xC3, 0x00]
    var accepted = 0
    for round in 0..<2500 {
      var object = good
      // Mostly outside the entries: a change in these is found by the digest.
      let offset = random.below(object.count)
      switch round % 3 {
      case 0: object[offset] = random.pick(bytes)
      case 1: object.remove(at: offset)
      default: object.insert(random.pick(bytes), at: offset)
      }
      let stored = whole(object, place)
      if let samples = StoredSamples(scanning: object, at: place) {
        accepted += 1
        check(samples, try #require(stored))
      }
    }
    // Another feed or another time of receipt is valid.
    #expect((1...200).contains(accepted), "\(accepted)")
  }

  @Test
  func `R46: an object with more entries than a batch may have is refused, whatever they hold`()
    throws
  {
    let batch = try batch()
    let object = String(decoding: Samples.object(of: batch), as: UTF8.self)
    // Each has words of its own: more than a table has room for.
    let more = try (0..<9000).map { number in
      let entry = try Samples.entry(
        #"{"sample_type":"HKQuantityTypeIdentifierStepCount","timestamp":"2025-01-30T00:00:00Z","unit":"count","value":1,"source":"\#(number)"}"#
      )
      return String(decoding: entry.bytes, as: UTF8.self) + ","
    }
    let start = try #require(object.range(of: #""data":["#))
    let flooded = Array(
      object.replacingCharacters(
        in: start, with: #""data":["# + more.joined()
      ).utf8)
    let place = try place(of: batch)
    #expect(StoredSamples(scanning: flooded, at: place) == nil && whole(flooded, place) == nil)
  }

  @Test func `R46: a key that says otherwise than the content is not where its samples are`() throws
  {
    let batch = try batch()
    let object = Samples.object(of: batch)
    let layout = try #require(StreamLayout(prefix: ""))
    for (device, date) in [(Samples.otherDevice, "2025-01-30"), (Samples.device, "2025-01-31")] {
      let key = layout.key(
        of: .healthKit, device: device, on: try #require(CalendarDate(date)), id: batch.id)
      let place = try #require(layout.place(key.rawValue))
      #expect(StoredSamples(scanning: object, at: place) == nil && whole(object, place) == nil)
    }
  }

  @Test
  func `R49: what an append keeps is what reading the object gives, and only of what it stored`()
    async throws
  {
    let streams = try Samples.streams(MemoryStore())
    let kept = Mutex<[ObjectKey: StoredSamples]>([:])
    let batch = try Samples.overMidnight()
    let receipt = try await streams.append(
      batch, feed: "f", receivedAt: PreciseMoment(Samples.received),
      keeping: { key, samples in kept.withLock { $0[key] = samples } })
    #expect(receipt.parts.count == 3)
    for part in receipt.parts {
      let place = try #require(streams.layout.place(part.key.rawValue))
      let stored = try #require(try await streams.read(part.key, at: place)).get()
      check(try #require(kept.withLock { $0[part.key] }), stored)
      let object = try #require(try await streams.unpacked(part.key)).get()
      check(try StoredSamples(checking: object, at: place), stored)
    }
    _ = try await streams.append(
      batch, feed: "other", receivedAt: PreciseMoment(Samples.received.adding(seconds: 60)),
      keeping: { key, _ in Issue.record("\(key) was stored before") })
  }
}
