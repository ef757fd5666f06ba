import AppleExport
import Foundation
import Testing

/// Zips of every shape.
@Suite(.process) struct ArchiveTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  @Test(arguments: ["usual", "localised", "stored", "streamed", "wide", "outside"])
  func `the export is found by its content, under any name`(shape: String) async throws {
    let path = try await ZipShape.write(shape, to: folder)
    let before = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
    var findings = Findings()
    let reading = try ExportReader(path: path).read(into: &findings)
    #expect(reading.records == 4000)
    #expect(findings.samples.map(\.value) == (1...4000).map(Double.init))
    #expect(findings.locales == ["en_FR"])
    // Nothing is ever unpacked to disk, wherever an entry's name points.
    #expect(try FileManager.default.subpathsOfDirectory(atPath: folder.path) == before)
    let outside = URL(filePath: folder.path).deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "outside.xml").path
    #expect(!FileManager.default.fileExists(atPath: outside))
  }

  @Test func `a zip from a pipe is an error that says what to do`() async throws {
    let run = try await ScanProgram.scan(pipe: ZipShape.write("usual", to: folder))
    #expect(run.exitCode == 1)
    #expect(run.output.hasPrefix("unsupported: -") && run.output.contains("save it in a file"))
  }

  @Test(arguments: [
    ("without_end", ExportError.Code.truncated), ("half", .truncated), ("encrypted", .encrypted),
    ("damaged", .corrupt), ("not_deflate", .corrupt), ("wrong_checksum", .corrupt),
    ("wrong_size", .corrupt), ("wrong_place", .corrupt), ("wrong_packed_size", .corrupt),
    ("wrong_directory", .corrupt), ("empty", .notAnExport), ("nested", .notAnExport),
    ("two", .ambiguous), ("no_export", .notAnExport), ("other_method", .unsupported),
    ("cut_xml", .truncated), ("many", .ambiguous),
  ])
  func `a zip that can't be read is an error that says so`(
    shape: String, code: ExportError.Code
  ) async throws {
    let path = try await ZipShape.write(shape, to: folder)
    let error = try #require(throws: ExportError.self) {
      var findings = Findings()
      _ = try ExportReader(path: path).read(into: &findings)
    }
    #expect(error.code == code)
    #expect(error.path == path)
    #expect(error.description.contains("; "))
  }

  @Test func `a zip cut anywhere is an error, and never a part of the export`() async throws {
    let whole = try Data(contentsOf: URL(filePath: await ZipShape.write("small", to: folder)))
    for length in stride(from: 1, to: whole.count, by: 11) {
      let path = try folder.write(Array(whole[..<length]), to: "cut.zip")
      #expect(throws: ExportError.self, "cut at \(length)") {
        var findings = Findings()
        _ = try ExportReader(path: path).read(into: &findings)
      }
    }
  }

  @Test func `a zip with one byte changed is read whole or is an error`() async throws {
    let whole = Array(
      try Data(contentsOf: URL(filePath: await ZipShape.write("small", to: folder))))
    var generator = SystemRandomNumberGenerator()
    for _ in 0..<150 {
      var bytes = whole
      let place = Int.random(in: 0..<bytes.count, using: &generator)
      bytes[place] ^= UInt8.random(in: 1...255, using: &generator)
      let path = try folder.write(bytes, to: "changed.zip")
      var findings = Findings()
      do {
        let reading = try ExportReader(path: path).read(into: &findings)
        #expect(reading.records == 40, "byte \(place) is \(bytes[place])")
      } catch is ExportError {}
    }
  }
}
