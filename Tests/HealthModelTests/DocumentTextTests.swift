import HealthModel
import Testing

/// R13: what makes a text no document at all, before any member is looked at.
@Suite(.unit) struct DocumentTextTests {
  struct Refused: Sendable, CustomTestStringConvertible {
    let code: ViolationCode
    let bytes: [UInt8]

    init(_ code: ViolationCode, _ bytes: [UInt8]) { (self.code, self.bytes) = (code, bytes) }

    var testDescription: String { "\(code.rawValue): \(bytes.count) bytes" }
  }

  static let refused: [Refused] = [
    Refused(.notJSON, text("")),
    Refused(.notJSON, text(" \n")),
    Refused(.notJSON, text("{")),
    Refused(.notJSON, text("{} {}")),
    Refused(.notJSON, text("{\"metrics\": {\"steps\": NaN}}")),
    Refused(.notJSON, text("{\"metrics\": {\"steps\": -Infinity}}")),
    Refused(.numberOutOfRange, text("{\"metrics\": {\"steps\": 1e999}}")),
    Refused(.duplicateKey, text("{\"date\": 1, \"date\": 1}")),
    Refused(.loneSurrogate, text("{\"a\": \"\\ud800\"}")),
    Refused(.notJSON, [0xEF, 0xBB, 0xBF] + text("{}")),
    Refused(.notUTF8, text("{\"a\": \"") + [0xC0, 0xAF] + text("\"}")),
    Refused(.notUTF8, text("{\"a\": \"") + [0xED, 0xA0, 0x80] + text("\"}")),
    Refused(.notUTF8, text("{\"a\": \"") + [0xE2, 0x82]),
    Refused(.tooDeep, Array(repeating: UInt8(ascii: "["), count: 60_000)),
    Refused(.tooLarge, Array(repeating: UInt8(ascii: " "), count: 65_537)),
    Refused(.wrongType, text("[]")),
    Refused(.wrongType, text("null")),
  ]

  @Test(arguments: refused)
  func `R13: a text that is not a JSON object is refused whole`(
    _ refused: Refused
  ) {
    let violations = DailyRevision.decode(refused.bytes).violations
    #expect(violations.map(\.code) == [refused.code.rawValue])
    #expect(violations.map(\.rule) == ["R13"])
    #expect(violations.map(\.pointer) == [""])
  }

  private static func text(_ text: String) -> [UInt8] { Array(text.utf8) }

  @Test func `R13: 65,536 bytes are read, one more is refused`() throws {
    var revision = try Sample.revision()
    revision.unknownMembers = ["pad": .string("")]
    let room = DailyRevision.maximumBytes - revision.encoded.count
    revision.unknownMembers = ["pad": .string(String(repeating: "x", count: room))]
    #expect(revision.encoded.count == DailyRevision.maximumBytes)
    #expect(revision.violations == [])
    revision.unknownMembers = ["pad": .string(String(repeating: "x", count: room + 1))]
    #expect(revision.violations.map(\.code) == ["too_large"])
  }

  @Test func `R16: a pointer of more than 4,096 bytes is refused`() {
    let bytes = Array(repeating: UInt8(ascii: " "), count: LatestPointer.maximumBytes + 1)
    #expect(LatestPointer.decode(bytes).violations.map(\.code) == ["too_large"])
  }

  @Test func `R13: an error names the byte at which a text stops being JSON`() {
    #expect(throws: JSONError.self) { _ = try JSONValue(parsing: Array("[1,]".utf8)) }
    do throws(JSONError) {
      _ = try JSONValue(parsing: Array("{\"a\": 1, \"a\": 2}".utf8))
    } catch {
      #expect(error.offset == 9)
      #expect(error.kind == .duplicateKey)
      #expect(error.description == "a duplicate key \"a\" at byte 9")
    }
  }

  @Test func `R13: nesting is counted from the outermost value`() throws {
    let flat = Array("[[1]]".utf8)
    #expect(throws: JSONError.self) { _ = try JSONValue(parsing: flat, maximumDepth: 1) }
    #expect(try JSONValue(parsing: flat, maximumDepth: 2) == .array([.array([.number(1)])]))
  }
}
