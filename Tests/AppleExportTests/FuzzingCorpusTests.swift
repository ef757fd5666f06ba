import AppleExport
import Foundation
import TestSupport
import Testing

/// The inputs that `scripts/fuzz-export` begins with: those that take the reading through most of its code.
@Suite(.unit) struct FuzzingCorpusTests {
  private func inputs(_ target: String) -> [String] {
    ProjectTree.files(below: "Tests/Fuzzing/Corpus/\(target)", ending: "")
  }

  @Test func `the scanner finds the same in each input, whole and cut into pieces`() throws {
    let inputs = inputs("scanner")
    #expect(inputs.count > 50)
    for input in inputs {
      let file = Array(try Data(contentsOf: ProjectTree.root.appending(path: input)))
      // As the fuzzer takes it: the first byte says how the others are cut.
      guard let seed = file.first.map(Int.init) else { continue }
      let bytes = Array(file.dropFirst())
      let whole = ExportScanner.scan(bytes, bound: 512) { _ in bytes.count }
      for size in [seed % 37, 0] {
        let pieces = ExportScanner.scan(bytes, bound: 512) { index in
          1 + (index &* 7 &+ seed) % (1 + size)
        }
        #expect(pieces.findings == whole.findings, "\(input)")
        #expect(pieces.recordCount == whole.recordCount, "\(input)")
        #expect(pieces.isComplete == whole.isComplete, "\(input)")
      }
    }
  }

  @Test func `each archive is read to its end, or an error says why not`() throws {
    let codes: [String: ExportError.Code] = ["encrypted": .encrypted, "nested": .notAnExport]
    let inputs = inputs("archive")
    #expect(inputs.count == 9)
    for input in inputs {
      let reader = ExportReader(path: ProjectTree.root.appending(path: input).path)
      var findings = Findings()
      do {
        #expect(try reader.read(into: &findings).records == 3, "\(input)")
        #expect(codes[String(input.split(separator: "/").last ?? "")] == nil, "\(input)")
      } catch let error as ExportError {
        #expect(codes[String(input.split(separator: "/").last ?? "")] == error.code, "\(input)")
      }
    }
  }
}
