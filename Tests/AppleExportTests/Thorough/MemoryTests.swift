import Foundation
import Testing

/// Whatever the file, a scan takes less than 80 MB and ends.
@Suite(.process, .nightly) struct MemoryTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  private func expect(_ run: ScanProgram.Run, exitCode: Int, output: String) {
    #expect(run.exitCode == exitCode)
    #expect(run.output.hasPrefix(output))
    #expect(run.peakMegabytes < 80)
  }

  @Test func `a zip bomb is refused`() async throws {
    let run = try await ScanProgram.scan(ZipShape.write("bomb", to: folder))
    expect(run, exitCode: 1, output: "absurd: ")
  }

  @Test func `an entry of 4.5 GB is read by the fields of zip64`() async throws {
    let path = try await ZipShape.write("over_4gb", to: folder)
    let run = try await ScanProgram.scan(path)
    expect(run, exitCode: 0, output: "2 records, 2 samples, 0 skipped\n4613.734872 MB of XML")
  }

  @Test func `an attribute of 200 MB is skipped`() async throws {
    let path = folder.file("long.xml")
    try write(path, head: "<HealthData><Record type=\"", body: "x", count: 200 << 20, tail: "\"/>")
    expect(
      try await ScanProgram.scan(path), exitCode: 0, output: "0 records, 0 samples, 1 skipped\n")
  }

  @Test func `a comment of 200 MB that never ends is an export cut short`() async throws {
    let path = folder.file("comment.xml")
    try write(path, head: "<HealthData><!--", body: "-", count: 200 << 20, tail: "")
    expect(try await ScanProgram.scan(path), exitCode: 1, output: "truncated: ")
  }

  @Test func `10,000 sources with long names take bounded memory`() async throws {
    let name = String(repeating: "n", count: 1000)
    let records = (0..<10_000).map { index in
      """
      <Record type="HKQuantityTypeIdentifierStepCount" sourceName="\(index)\(name)" unit="count" \
      startDate="2024-06-15 20:30:00 +0200" endDate="2024-06-15 20:31:00 +0200" value="1"/>
      """
    }
    let path = try folder.write(
      Array(("<HealthData>" + records.joined() + "</HealthData>").utf8), to: "sources.xml")
    expect(
      try await ScanProgram.scan(path), exitCode: 0,
      output: "10000 records, 4096 samples, 5904 skipped\n")
  }

  private func write(
    _ path: String, head: String, body: String, count: Int, tail: String
  ) throws {
    _ = FileManager.default.createFile(atPath: path, contents: Data(head.utf8))
    let file = try #require(FileHandle(forWritingAtPath: path))
    try file.seekToEnd()
    let block = Data(String(repeating: body, count: 1 << 20).utf8)
    for _ in 0..<(count >> 20) { try file.write(contentsOf: block) }
    try file.write(contentsOf: Data((tail + (tail.isEmpty ? "" : "</HealthData>")).utf8))
    try file.close()
  }
}
