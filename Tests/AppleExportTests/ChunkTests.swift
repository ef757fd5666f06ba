import AppleExport
import Testing

/// A scan finds the same however the file is cut into chunks.
@Suite struct ChunkTests {
  @Test(arguments: Fixture.all, [1, 2, 3, 7, 64])
  func `the size of chunks changes nothing`(fixture: String, size: Int) throws {
    let bytes = try Fixture.bytes(fixture)
    let whole = ExportScanner.scan(bytes)
    #expect(whole.isComplete)
    let cut = ExportScanner.scan(bytes) { _ in size }
    #expect(cut.findings == whole.findings)
    #expect(cut.recordCount == whole.recordCount)
    #expect(cut.isComplete)
  }

  @Test(arguments: Fixture.all)
  func `chunks of random sizes change nothing`(fixture: String) throws {
    let bytes = try Fixture.bytes(fixture)
    let whole = ExportScanner.scan(bytes)
    var generator = SystemRandomNumberGenerator()
    for _ in 0..<20 {
      let seed = UInt64.random(in: 0...(.max), using: &generator)
      let cut = ExportScanner.scan(bytes) { index in
        1 + Int(((seed &+ UInt64(index)) &* 0x9E37_79B9_7F4A_7C15) >> 55)
      }
      #expect(cut.findings == whole.findings, "seed \(seed)")
    }
  }
}
