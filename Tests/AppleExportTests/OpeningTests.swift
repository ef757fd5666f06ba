import AppleExport
import Foundation
import HealthModel
import Testing

/// Files, folders and pipes; progress and cancellation.
@Suite(.process) struct OpeningTests {
  private let folder: ScratchFolder
  private let export: [UInt8]

  init() throws {
    folder = try ScratchFolder()
    export = try Fixture.bytes("tdda-applehealthdata-export6s3sample")
  }

  private func read(_ path: String) throws -> (ExportReading, Findings) {
    var findings = Findings()
    return (try ExportReader(path: path).read(into: &findings), findings)
  }

  private func code(_ path: String) -> ExportError.Code? {
    do {
      _ = try read(path)
      return nil
    } catch {
      return (error as? ExportError)?.code
    }
  }

  @Test func `a folder's export is found by its content, at its top or one folder down`() throws {
    let inner = folder.file("apple_health_export")
    try FileManager.default.createDirectory(atPath: inner, withIntermediateDirectories: false)
    _ = try folder.write(
      Array("<ClinicalDocument/>".utf8), to: "apple_health_export/export_cda.xml")
    _ = try folder.write(export, to: "apple_health_export/._export.xml")
    _ = try folder.write(export, to: "apple_health_export/导出.xml")
    #expect(try read(folder.path).0.entry == "apple_health_export/导出.xml")
    #expect(try read(inner).0.entry == "导出.xml")
    _ = try folder.write(export, to: "export.xml")
    #expect(code(folder.path) == .ambiguous)
  }

  @Test func `a folder without an export is an error`() throws {
    _ = try folder.write(Array("<x/>".utf8), to: "export.xml")
    #expect(code(folder.path) == .notAnExport)
  }

  @Test func `a pipe of XML is read`() async throws {
    let run = try await ScanProgram.scan(pipe: folder.write(export, to: "e.xml"))
    #expect(run.output.hasPrefix("15 records, 15 samples, 0 skipped\n"))
  }

  @Test func `what is not an export is an error`() throws {
    #expect(code(try folder.write([], to: "a")) == .notAnExport)
    #expect(code(try folder.write(Array("{\"data\":{}}".utf8), to: "b")) == .notAnExport)
    #expect(code(try folder.write(Array("<ClinicalDocument/>".utf8), to: "c")) == .notAnExport)
    #expect(
      code(try folder.write([UInt8](repeating: 0x20, count: 2 << 20) + export, to: "d"))
        == .notAnExport)
    #expect(code(folder.file("absent")) == .notFound)
    #expect(code(folder.file("a/b")) == .notFound)
  }

  @Test func `an export.xml cut anywhere is an error`() throws {
    let begin = try #require(export.firstRange(of: Array("<HealthData ".utf8))).upperBound
    for length in stride(from: begin, to: export.count - 3, by: 61) {
      #expect(code(try folder.write(Array(export[..<length]), to: "cut.xml")) != nil)
    }
  }

  @Test func `an error never contains terminal control characters`() throws {
    let error = ExportError(
      .corrupt, "it is damaged", path: "a.zip", entry: "x\u{1B}[31m\n\u{202E}.xml", remedy: "stop")
    #expect(error.description == "a.zip (x\u{FFFD}[31m\u{FFFD}\u{FFFD}.xml): it is damaged; stop")
  }

  @Test func `progress goes up to the whole file`() async throws {
    let zip = try await ZipShape.write("stored", to: folder)
    for (path, isZip) in [(zip, true), (try folder.write(export, to: "e.xml"), false)] {
      var steps: [ExportProgress] = []
      var findings = Findings()
      let reading = try ExportReader(path: path).read(into: &findings) { steps.append($0) }
      let last = try #require(steps.last)
      #expect(last.bytesRead == last.bytesTotal)
      #expect(last.xmlBytes == reading.xmlBytes)
      #expect(steps.map(\.bytesRead) == steps.map(\.bytesRead).sorted())
      #expect(steps.count > (isZip ? 2 : 0))
    }
  }

  @Test func `what the caller throws between chunks ends the reading`() async throws {
    let path = try await ZipShape.write("stored", to: folder)
    var count = 0
    var findings = Findings()
    #expect(throws: CancellationError.self) {
      _ = try ExportReader(path: path).read(into: &findings) { _ in
        count += 1
        throw CancellationError()
      }
    }
    #expect(count == 1)
    #expect(findings.samples.count < 4000)
  }

  @Test func `what the sink throws ends the reading`() throws {
    struct Full: ExportSink {
      struct Failure: Error {}
      mutating func take(_ finding: ExportFinding) throws {
        if case .sample = finding { throw Failure() }
      }
    }
    let path = try folder.write(export, to: "e.xml")
    #expect(throws: Full.Failure.self) {
      var sink = Full()
      _ = try ExportReader(path: path).read(into: &sink)
    }
  }
}
