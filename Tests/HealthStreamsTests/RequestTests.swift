import Foundation
import HealthModel
import StoreTesting
import Testing

@testable import HealthStreams

@Suite(.unit) struct RequestTests {
  // Entries as a client sends them.
  private static let location = #"""
    {
      "timestamp": "2025-01-30T10:00:00.000Z",
      "latitude": 37.7749,
      "longitude": -122.4194,
      "altitude": 10.5,
      "speed": 1.2,
      "horizontal_accuracy": 5.0,
      "vertical_accuracy": 3.0
    }
    """#
  private static let audio = #"""
    {
      "id": "unique-chunk-id",
      "timestamp_start": "2025-01-30T10:00:00.000Z",
      "timestamp_end": "2025-01-30T10:00:30.000Z",
      "duration": 30.0,
      "audio_data": "base64-encoded-aac-audio",
      "overlap_duration": 2.0
    }
    """#
  private static let sample = #"""
    {
      "timestamp": "2025-01-30T10:00:00.000Z",
      "sample_type": "HKQuantityTypeIdentifierHeartRate",
      "value": 72.0,
      "unit": "bpm"
    }
    """#

  private func body(
    _ entries: [String], stream: String = "apple_ios_core_location", total: String? = nil,
    more: String = ""
  ) -> [UInt8] {
    Array(
      #"""
      {"stream_name":"\#(stream)","device_id":"6F2C1C0E-9F3A-4F0B-8A51-0D9B6A3C7E11",
       "data":[\#(entries.joined(separator: ","))],
       "batch_metadata":{"total_records":\#(total ?? "\(entries.count)"),"app_version":"1.0"}\#(more)}
      """#.utf8)
  }

  @Test func `R46: the entries of a client are taken as they stand`() throws {
    for (text, stream) in [
      (Self.location, StreamName.location), (Self.audio, .audio), (Self.sample, .healthKit),
    ] {
      let entry = try Samples.entry(text, stream)
      #expect(entry.start == Timestamp("2025-01-30T10:00:00Z"))
      let request = try IngestRequest(parsing: body([text], stream: stream.rawValue))
      #expect(request.entries == [entry] && request.session == nil && request.appVersion == "1.0")
      #expect(request.deviceID == Samples.device)
      // What is read again is the same, member for member.
      #expect(
        try JSONValue(parsing: entry.bytes) == JSONValue(parsing: Array(text.utf8)))
    }
    let thirty = try IngestRequest(
      parsing: body((0..<30).map { Self.location.replacing("10:00:00", with: "10:00:\($0 + 10)") }))
    #expect(thirty.entries.count == 30)
  }

  @Test func `R46: one Codable type encodes and decodes requests and their entries`() throws {
    let request = try IngestRequest(parsing: body([Self.location, Self.location]))
    let data = try JSONEncoder().encode(request)
    #expect(try JSONDecoder().decode(IngestRequest.self, from: data) == request)
    #expect(try IngestRequest(parsing: Array(data)) == request)
    let point = try JSONDecoder().decode(LocationPoint.self, from: Data(Self.location.utf8))
    #expect(try point.entry() == Samples.entry(Self.location, .location))
    let chunk = try JSONDecoder().decode(AudioRecord.self, from: Data(Self.audio.utf8))
    #expect(try chunk.entry() == Samples.entry(Self.audio, .audio))
    let record = try JSONDecoder().decode(HealthKitRecord.self, from: Data(Self.sample.utf8))
    #expect(try record.entry() == Samples.entry(Self.sample))
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(LocationPoint.self, from: Data("{}".utf8))
    }
  }

  @Test func `R46: a sealed body is read back as the same batch`() throws {
    let batch = try Samples.overMidnight()
    let request = try IngestRequest(parsing: batch.body)
    #expect(try request.sealed(session: "other") == batch)
    let foreign = try IngestRequest(parsing: body([Self.location]))
    #expect(try foreign.sealed(session: "a").id != foreign.sealed(session: "b").id)
    #expect(throws: RequestFault.self) { try foreign.sealed(session: "") }
  }

  @Test func `R46: a batch is sealed with the device's id in lower case, as a receiver takes it`()
    throws
  {
    let batch = try SealedBatch(
      sealing: [try Samples.location("2025-01-30T10:00:00Z")], of: .location,
      deviceID: Samples.device.uppercased(), session: "s", appVersion: "1")
    #expect(batch.deviceID == Samples.device)
    #expect(throws: Never.self) { try AppendPlan(batch) }
  }

  @Test func `R46: what no receiver accepts is not sealed`() throws {
    let point = try Samples.location("2025-01-30T10:00:00Z")
    func fault(
      _ entries: [StreamEntry], _ stream: StreamName = .location, device: String = Samples.device,
      session: String = "s", version: String = "1"
    ) -> String? {
      do throws(RequestFault) {
        _ = try SealedBatch(
          sealing: entries, of: stream, deviceID: device, session: session, appVersion: version)
        return nil
      } catch {
        return error.pointer
      }
    }
    let long = String(repeating: "x", count: 101)
    #expect(fault([point]) == nil)
    #expect(fault([]) == "/data")
    #expect(fault(Array(repeating: point, count: 5001)) == "/data")
    #expect(fault([point], .audio) == "/data/0")
    #expect(fault([point], device: "my phone") == "/device_id")
    for text in ["", long] {
      #expect(fault([point], session: text) == "/batch_metadata/session")
      #expect(fault([point], version: text) == "/batch_metadata/app_version")
    }
    let large = try Samples.entry(
      #"""
      {"timestamp":"2025-01-30T10:00:00Z","latitude":1,"longitude":2,"altitude":0,"speed":0,
       "horizontal_accuracy":1,"vertical_accuracy":1,"note":"\#(String(repeating: "n", count: 9000))"}
      """#, .location)
    #expect(fault(Array(repeating: large, count: 1000)) == "")
  }

  @Test func `R46: every fault is reported with its pointer`() throws {
    let faulty = #"{"timestamp":"yesterday","latitude":1,"longitude":2}"#
    let refusal = #expect(throws: IngestRefusal.self) {
      try IngestRequest(
        parsing: body(
          [Self.location, faulty, "7", Self.location.replacing("37.7749", with: "137")],
          total: "9", more: #","extra":1"#))
    }
    #expect(
      refusal?.faults.map { "\($0.code.rawValue) \($0.pointer)" } == [
        "unknown_member ", "invalid_member /data/1/timestamp", "not_an_object /data/2",
        "invalid_member /data/3/latitude", "wrong_total /batch_metadata/total_records",
      ])
  }

  @Test(arguments: [
    ("", "not_json "), ("[]", "not_an_object "), ("{}", "missing_member /stream_name"),
    (#"{"a":1,"a":2}"#, "not_json "), ("{\"a\":1e999}", "not_json "), ("{\"a\":NaN}", "not_json "),
    (String(repeating: "[", count: 10_000), "not_json "),
  ])
  func `R46: what is not a request is refused`(text: String, first: String) {
    let refusal = #expect(throws: IngestRefusal.self) {
      try IngestRequest(parsing: Array(text.utf8))
    }
    #expect(refusal?.faults.first.map { "\($0.code.rawValue) \($0.pointer)" } == first)
  }

  @Test func `R46: an unknown stream, a wrong total, an empty batch and too many are refused`() {
    func first(_ body: [UInt8]) -> RequestFault.Code? {
      do throws(IngestRefusal) {
        _ = try IngestRequest(parsing: body)
        return nil
      } catch {
        return error.faults.first?.code
      }
    }
    #expect(first(body([Self.location], stream: "apple_ios_camera")) == .unknownStream)
    #expect(first(body([Self.location], total: "2")) == .wrongTotal)
    #expect(first(body([Self.location], total: "\"1\"")) == .wrongTotal)
    #expect(first(body([])) == .invalidMember)
    #expect(first(body(Array(repeating: "{}", count: 5001))) == .tooLarge)
    #expect(first(Array(repeating: UInt8(ascii: " "), count: 8_388_609)) == .tooLarge)
  }

  @Test func `R46: a request that was changed at random never traps, and never reads otherwise`()
    throws
  {
    let good = body([Self.location, Self.location.replacing("10:00:00", with: "11:00:00")])
    var random = SplitMix64(seed: 46)
    for _ in 0..<3000 {
      var bytes = good
      for _ in 0...Int.random(in: 0...3, using: &random) {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0...2, using: &random) {
        case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
        case 1: bytes.remove(at: place)
        default: bytes.insert(UInt8.random(in: 0x20...0x7E, using: &random), at: place)
        }
      }
      do throws(IngestRefusal) {
        let request = try IngestRequest(parsing: bytes)
        guard let batch = try? request.sealed(session: "s") else {
          Issue.record("a request that was read is not sealed")
          continue
        }
        #expect(batch.recordCount == 2)
        guard let again = try? IngestRequest(parsing: batch.body) else {
          Issue.record("a sealed body is refused: \(String(decoding: batch.body, as: UTF8.self))")
          continue
        }
        #expect((try? again.sealed(session: "s")) == batch)
      } catch {
        #expect(!error.faults.isEmpty && error.faults.allSatisfy { $0.message.utf8.count < 400 })
      }
    }
  }

  @Test func `R45: the identity of a sample without a UUID leaves the value out`() throws {
    let first = try Samples.heartRate("2025-01-30T10:00:00Z", 71)
    #expect(try Samples.heartRate("2025-01-30T10:00:00Z", 72).id == first.id)
    #expect(try Samples.heartRate("2025-01-30T10:00:01Z", 71).id != first.id)
    #expect(try Samples.heartRate("2025-01-30T11:00:00+01:00", 71).id == first.id)
    #expect(!first.hasNativeID)
    let native = try Samples.entry(
      #"{"timestamp":"2025-01-30T10:00:00Z","sample_type":"T","value":1,"unit":"","uuid":"6F2C1C0E-9F3A-4F0B-8A51-0D9B6A3C7E11"}"#
    )
    #expect(native.id == Samples.device && native.hasNativeID)
  }

  @Test func `R45: the value of a category is part of its identity, and its other members are not`()
    throws
  {
    func slept(_ value: String, _ others: String = "") throws -> StreamEntry {
      try Samples.entry(
        #"{"timestamp":"2025-01-30T00:00:00Z","end_timestamp":"2025-01-30T07:00:00.5Z","sample_type":"HKCategoryTypeIdentifierSleepAnalysis","value":\#(value),"source":"Watch"\#(others)}"#
      )
    }
    let inBed = try slept("0")
    // Python: uuid.uuid5 of the namespace and the parts of R45.
    #expect(inBed.id == "46220543-ec94-5b54-a18d-cbb4c1a6a949")
    #expect(try slept("1").id == "3f528306-1207-563c-8b4e-5f955fa35904")
    #expect(try slept("0.0").id == inBed.id && slept("-0").id == inBed.id)
    #expect(try slept("0", #","unit":"","hardware":"Watch6,2""#).id == inBed.id)
  }

  @Test(arguments: [
    #"{"sample_type":"T","timestamp":"2025-01-30T10:00:00Z","end_timestamp":"2025-01-30T10:00:00Z","deleted":true}"#,
    #"{"sample_type":"T","timestamp":"2025-01-30T10:00:00Z","end_timestamp":"2025-01-30T10:00:00Z","uuid":"6f2c1c0e-9f3a-4f0b-8a51-0d9b6a3c7e11","deleted":false}"#,
    #"{"sample_type":"T","timestamp":"2025-01-30T10:00:00Z","end_timestamp":"2025-01-30T09:00:00Z","value":1,"unit":""}"#,
    #"{"sample_type":"T","timestamp":"0001-01-01T00:00:00+14:00","value":1,"unit":""}"#,
    #"{"sample_type":"T/../x","timestamp":"2025-01-30T10:00:00Z","value":1,"unit":""}"#,
    #"{"sample_type":"T","timestamp":"2025-01-30T10:00:00Z","value":"1","unit":""}"#,
    #"{"sample_type":"T","timestamp":"2025-02-30T10:00:00Z","value":1,"unit":""}"#,
  ])
  func `R44: a faulty sample is refused`(text: String) {
    #expect(throws: RequestFault.self) { try Samples.entry(text) }
  }

  @Test func `R54: of a request's faults the first are listed, and all are counted`() async throws {
    let data = String(repeating: "{},", count: 149) + "{}"
    let body = """
      {"stream_name":"apple_ios_core_location","device_id":"\(Samples.device)","batch_metadata":\
      {"app_version":"1","total_records":150},"data":[\(data)]}
      """
    let refusal = try await OpenRequest(parsing: Array(body.utf8)).faults()
    #expect(refusal.count == 150)
    #expect(refusal.faults.map(\.pointer) == (0..<100).map { "/data/\($0)/timestamp" })
  }

  @Test func `R54: entries of many dates are sealed in batches of few, in their order`()
    async throws
  {
    let entries = [1, 1, 2, 3, 1, 4].map { date in
      #"{"timestamp":"2025-01-0\#(date)T10:00:00Z","sample_type":"Steps","value":1,"unit":"count"}"#
    }
    let body = """
      {"stream_name":"apple_ios_healthkit","device_id":"\(Samples.device)","batch_metadata":\
      {"app_version":"1","total_records":6},"data":[\(entries.joined(separator: ","))]}
      """
    let request = try OpenRequest(parsing: Array(body.utf8))
    func counts(_ mostDates: Int) async -> [Int] {
      var counts: [Int] = []
      await request.pieces(
        session: "s", mostDates: mostDates, digest: { "\($0.count)" }
      ) { (piece) async throws(Never) in
        if case .batch(let batch) = piece { counts.append(batch.recordCount) }
      }
      return counts
    }
    #expect(await counts(2) == [3, 2, 1])
    #expect(await counts(1) == [2, 1, 1, 1, 1])
    #expect(await counts(366) == [6])
  }
}
