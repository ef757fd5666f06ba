import HealthModel
import StoreTesting
import Testing

@testable import HealthStreams

/// The scan is a second reader of batches, beside `IngestRequest`: where both accept, they must find
/// the same, and neither may accept what the other refuses.
@Suite(.unit) struct SealedBatchScanTests {
  /// What reading the whole body says of a batch: its entries, or nil if it is not what it says.
  private func whole(_ batch: SealedBatch) -> [StreamEntry]? {
    guard let request = try? IngestRequest(sealed: batch.body), let session = request.session,
      (try? request.sealed(session: session)) == batch
    else { return nil }
    return request.entries
  }

  private func check(_ made: SealedBatch, _ place: SourceLocation = #_sourceLocation) -> Bool {
    // As a receiver has it, which did not make it.
    let batch = SealedBatch(
      id: made.id, stream: made.stream, deviceID: made.deviceID, recordCount: made.recordCount,
      body: made.body)
    let entries = whole(batch)
    let scan = SealedBatchScan(batch)
    if let places = made.places {
      #expect(scan?.entries == places, sourceLocation: place)
      #expect(SealedBatchScan(made)?.entries == places, sourceLocation: place)
    }
    #expect((entries == nil) == (scan == nil), sourceLocation: place)
    #expect(
      scan.map { $0.entries.map { Array(batch.body[$0.place]) } } == entries?.map(\.bytes),
      sourceLocation: place)
    #expect(
      scan.map { $0.entries.map(\.span) } == entries?.map { $0.start...$0.end },
      sourceLocation: place)
    return entries != nil
  }

  @Test func `R46: a batch is read entry by entry as it is read whole`() throws {
    #expect(check(try Samples.overMidnight()))
    #expect(check(Samples.batch([try Samples.location("2025-01-30T10:00:00Z")])))
    let odd = try Samples.entry(
      #"""
      {"timestamp":"2025-01-30T10:00:00Z","latitude":1,"longitude":2,"altitude":0,"speed":0,
       "horizontal_accuracy":1,"vertical_accuracy":1,"note":"a \"quoted\" ]}, \\ {[ é 💚 \u0001",
       "nested":{"a":[1,{"b":[[]]}],"c":{}}}
      """#, .location)
    #expect(check(Samples.batch([odd, odd], session: "\"]}{\\")))
  }

  @Test func `R46: no changed byte of a batch is accepted`() throws {
    let good = try Samples.overMidnight()
    var random = SplitMix64(seed: 9)
    let bytes = Array(#"{}[]",:\0159a \#u{7}é"#.utf8)
    var accepted = 0
    for round in 0..<3000 {
      var body = good.body
      let place = Int.random(in: 0..<body.count, using: &random)
      switch round % 3 {
      case 0: body[place] = bytes[Int.random(in: 0..<bytes.count, using: &random)]
      case 1: body.remove(at: place)
      default: body.insert(bytes[Int.random(in: 0..<bytes.count, using: &random)], at: place)
      }
      // With the digest of the changed body, so that only its content can be refused.
      let batch = SealedBatch(
        id: SealedBatch.digest(of: body), stream: good.stream, deviceID: good.deviceID,
        recordCount: good.recordCount, body: body)
      if check(batch) { accepted += 1 }
    }
    // Some changes give another valid batch: another digit of a value.
    #expect((1...600).contains(accepted))
  }

  @Test func `R46: a batch with another id, count, device, stream or order of members is refused`()
    throws
  {
    let good = try Samples.overMidnight()
    func batch(
      id: String? = nil, stream: StreamName? = nil, device: String? = nil, count: Int? = nil
    ) -> SealedBatch {
      SealedBatch(
        id: id ?? good.id, stream: stream ?? good.stream, deviceID: device ?? good.deviceID,
        recordCount: count ?? good.recordCount, body: good.body)
    }
    #expect(check(batch()))
    #expect(!check(batch(id: String(repeating: "0", count: 64))))
    #expect(!check(batch(stream: .location)))
    #expect(!check(batch(device: Samples.otherDevice)))
    #expect(!check(batch(count: good.recordCount + 1)))
    let members = try JSONValue(parsing: good.body)
    let turned = Array(
      (#"{"data":"# + String(decoding: members["data"]?.canonicalBytes ?? [], as: UTF8.self)
        + #","batch_metadata":"#
        + String(decoding: members["batch_metadata"]?.canonicalBytes ?? [], as: UTF8.self)
        + #","device_id":"\#(good.deviceID)","stream_name":"\#(good.stream.rawValue)"}"#).utf8)
    #expect(
      !check(
        SealedBatch(
          id: SealedBatch.digest(of: turned), stream: good.stream, deviceID: good.deviceID,
          recordCount: good.recordCount, body: turned)))
    #expect(
      throws: StreamError(
        .invalidBatch, "the batch's id or members are not those of its content")
    ) { try AppendPlan(batch(id: String(repeating: "0", count: 64))) }
  }
}
