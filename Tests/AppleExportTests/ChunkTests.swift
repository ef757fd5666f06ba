import AppleExport
import Testing

/// A scan finds the same however the file is cut into chunks.
@Suite(.unit) struct ChunkTests {
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

extension ChunkTests {
  /// Every tag that is taken somewhere, longer than the bound of this scanner.
  @Test(arguments: [
    "<HealthData locale=\"LONG\">", "<HealthData><ExportDate value=\"LONG\"/>",
    "<HealthData><a b=\"LONG\"/>", "<HealthData><a></a LONG><Record type=\"x\"/>",
    "<HealthData><Record type=\"LONG\"/>",
    "<HealthData><Record type=\"HKQuantityTypeIdentifierStepCount\" a=\"LONG\"/>",
    "<HealthData><Workout a=\"LONG\"/>", "<HealthData><ActivitySummary a=\"LONG\"/>",
    "<HealthData><Record type=\"x\"><MetadataEntry key=\"LONG\"/></Record>",
    "<HealthData><Workout><WorkoutStatistics a=\"LONG\"/></Workout>",
    "<HealthData><a b=\"LONG<Record type=\"x\"/>", "<HealthData><!x LONG><Record type=\"x\"/>",
  ])
  func `a tag over the bound is skipped however it is cut`(document: String) {
    let text = document.replacing("LONG", with: String(repeating: "l", count: 300))
    func scan(_ size: Int) -> ExportScanner {
      ExportScanner.scan(Array(text.utf8), bound: 256) { _ in size }
    }
    let whole = scan(1 << 18)
    #expect(whole.recordCount == (document.contains("type=\"x\"") ? 1 : 0))
    let skipped = whole.findings.filter { $0 == .skipped(.tooLarge, nil) }
    #expect(skipped.count == (document.hasPrefix("<HealthData locale") ? 0 : 1))
    for size in [1, 2, 3, 100, 257, 290] {
      #expect(scan(size).findings == whole.findings)
      #expect(scan(size).recordCount == whole.recordCount)
    }
  }
}
