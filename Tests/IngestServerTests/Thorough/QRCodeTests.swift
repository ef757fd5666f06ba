import HealthModel
import TestSupport
import Testing

@testable import IngestServer

/// QR codes against other people's programs that make and read them.
@Suite(.process) struct QRCodeTests {
  private func document(_ text: String, _ code: QRCode, isChosen: Bool = false) -> JSONValue {
    .object([
      "text": .string(text), "lines": .array(code.lines.map(JSONValue.string)),
      "version": .number(Double(code.version)), "level": .string(code.level == .low ? "L" : "M"),
      "mask": .number(Double(code.mask)), "is_chosen": .bool(isChosen),
    ])
  }

  private func problems(_ documents: [JSONValue]) async throws -> JSONValue {
    try JSONValue(
      parsing: try await PeerPython.run(
        "qr_codes.py", input: JSONValue.array(documents).canonicalBytes))
  }

  /// A text of so many bytes.
  private func text(_ count: Int) -> String {
    String(decoding: (0..<count).map { UInt8(33 + ($0 * 7 + count) % 90) }, as: UTF8.self)
  }

  @Test func `R55: codes of each version, level and mask are as qrcode makes them`() async throws {
    var documents: [JSONValue] = []
    for version in QRVersion.all {
      for level in QRCode.Level.allCases {
        let text = text(version.capacity(level))
        for mask in version.number == 7 ? Array(0..<8) : [(version.number + level.rawValue) % 8] {
          let code = try #require(
            QRCode(Array(text.utf8), version: version.number, level: level, mask: mask))
          documents.append(document(text, code))
        }
      }
    }
    #expect(documents.count == 54)
    let problems = try await problems(documents)
    #expect(problems == .array([]))
  }

  @Test
  func
    `R55: a text is in the smallest code, under the most readable mask`()
    async throws
  {
    var documents: [JSONValue] = []
    for count in [1, 2, 14, 17, 18, 105, 106, 107, 230, 231, 384, 858] {
      let text = text(count)
      let code = try #require(QRCode(Array(text.utf8)))
      let smaller = QRVersion.all.first { $0.number == code.version - 1 }
      #expect((smaller?.capacity(.low) ?? 0) < count)
      #expect((code.level == .medium) == (QRVersion(code.version).capacity(.medium) >= count))
      documents.append(document(text, code, isChosen: true))
    }
    let problems = try await problems(documents)
    #expect(problems == .array([]))
    #expect(QRCode(Array(text(859).utf8)) == nil)
    #expect(QRCode(Array(text(18).utf8), version: 1, level: .low) == nil)
  }
}
