import HealthModel
import Testing

@Suite(.unit) struct LatestPointerTests {
  static let text = """
    {"date":"2026-02-08","latest_generated_at":"2026-02-08T10:00:00Z",\
    "revision_id":"20260208T100000Z-7F3A2C",\
    "revision_relpath":"revisions/20260208T100000Z-7F3A2C.json"}
    """

  @Test func `R16: the pointer's bytes are the canonical text of its date and id`() throws {
    let date = try #require(CalendarDate("2026-02-08"))
    let id = try #require(RevisionID("20260208T100000Z-7F3A2C"))
    let pointer = LatestPointer(date: date, revisionID: id)
    #expect(String(decoding: pointer.encoded, as: UTF8.self) == Self.text)
    let decoded = LatestPointer.decode(pointer.encoded, date: date)
    #expect(decoded.pointer == pointer)
    #expect(decoded.violations == [])
  }

  @Test func `R14: a pointer's unknown members are notes`() throws {
    let document = try JSONValue(parsing: Array(Self.text.utf8))
      .setting("/writer", to: .string("x"))
    let decoded = LatestPointer.decode(document.canonicalBytes)
    #expect(decoded.pointer != nil)
    #expect(decoded.notes == ["/writer"])
  }

  @Test(arguments: [
    ViolationTests.Breach("R1", .missingMember, "/date", nil),
    .init("R5", .dateDiffersFromKey, "/date", .string("2026-02-09")),
    .init("R15", .missingMember, "/latest_generated_at", nil),
    .init("R15", .badTimestamp, "/latest_generated_at", .string("now")),
    .init(
      "R15", .generatedAtDiffersFromID, "/latest_generated_at", .string("2026-02-08T10:00:01Z")),
    .init("R15", .missingMember, "/revision_id", nil),
    .init("R15", .wrongType, "/revision_id", .null),
    .init("R6", .badRevisionID, "/revision_id", .string("20260208T100000Z-7f3a2")),
    .init("R6", .noSuchDate, "/revision_id", .string("20260230T100000Z-7F3A2C")),
    .init("R15", .missingMember, "/revision_relpath", nil),
    .init("R15", .badRelativePath, "/revision_relpath", .string("../20260208T100000Z-7F3A2C.json")),
    .init(
      "R15", .pathDiffersFromID, "/revision_relpath",
      .string("revisions/20260208T100000Z-7F3A2D.json")),
  ])
  func `R15: a pointer that contradicts itself or its key is refused`(
    _ breach: ViolationTests.Breach
  ) throws {
    let document = try JSONValue(parsing: Array(Self.text.utf8))
      .setting(breach.pointer, to: breach.value)
    let decoded = LatestPointer.decode(
      document.canonicalBytes, date: CalendarDate("2026-02-08"))
    #expect(decoded.pointer == nil)
    #expect(decoded.violations.map(\.rule) == [breach.rule])
    #expect(decoded.violations.map(\.code) == [breach.code.rawValue])
    #expect(decoded.violations.map(\.pointer) == [breach.pointer])
  }
}
