import HealthModel
import Testing

@Suite struct LatestPointerTests {
  @Test func `R16: the pointer's bytes are the canonical text of its date and id`() throws {
    let date = try #require(CalendarDate("2026-02-08"))
    let id = try #require(RevisionID("20260208T100000Z-7F3A2C"))
    let pointer = LatestPointer(date: date, revisionID: id)
    let text = """
      {"date":"2026-02-08","latest_generated_at":"2026-02-08T10:00:00Z",\
      "revision_id":"20260208T100000Z-7F3A2C",\
      "revision_relpath":"revisions/20260208T100000Z-7F3A2C.json"}
      """
    #expect(String(decoding: pointer.encoded, as: UTF8.self) == text)
    let decoded = LatestPointer.decode(pointer.encoded, date: date)
    #expect(decoded.pointer == pointer)
    #expect(decoded.violations == [])
  }
}
