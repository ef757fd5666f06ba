import HealthModel
import ObjectStore
import Testing

@testable import HealthLedger

/// R60: a digit that is not the one that was written is shown, said, and replaced by the next
/// publish.
@Suite(.unit) struct DamageTests {
  let bench = LedgerBench()
  let date: CalendarDate
  let draft: DayDraft

  init() throws {
    date = try Sample.date()
    draft = try Sample.draft(steps: 8432)
  }

  /// Changes a digit of a stored revision, as damage or `sed` does.
  private func damage(_ id: RevisionID, _ old: String = "8432", _ new: String = "9432") async throws
  {
    let key = bench.ledger.layout.revisionKey(date, id)
    let body = try #require(bench.memory.contents[key]).body
    let text = String(decoding: body, as: UTF8.self).replacing(old, with: new)
    #expect(Array(text.utf8) != body)
    try await bench.place(key.rawValue, Array(text.utf8))
  }

  private func verify(deep: Bool) async throws -> DayVerdict {
    var verdicts: [DayVerdict] = []
    let range = try DateRange(from: date, to: date)
    _ = try await bench.ledger.verify(range, VerifyOptions(isDeep: deep)) { verdicts.append($0) }
    return try #require(verdicts.first)
  }

  @Test func `R60 a changed digit is an error of verify, and the day is answered with it (R41)`()
    async throws
  {
    let id = try await bench.ledger.publish(draft).revisionID
    #expect(try await verify(deep: true).findings == [])
    try await damage(id)
    let answer = try await bench.ledger.resolve(date)
    #expect(answer.latest?.revision.readings[.steps] == .value(9432))
    #expect(answer.latest?.violations.map(\.code) == ["digest_differs"])
    for deep in [false, true] {
      let verdict = try await verify(deep: deep)
      #expect(verdict.status == .faulty)
      #expect(verdict.findings.map(\.code) == ["digest_differs"])
      #expect(verdict.findings.first?.rule == "R60" && verdict.findings.first?.pointer == "/digest")
    }
  }

  @Test func `R29 a pointer of other bytes than were stored is not believed, and is replaced`()
    async throws
  {
    let first = try await bench.ledger.publish(try Sample.draft(steps: 1)).revisionID
    let later = bench.ledger(now: Sample.noon.adding(seconds: 9))
    let second = try await later.publish(draft).revisionID
    try await bench.placePointer(date, to: first)
    let wrong = LatestPointer(date: date, revisionID: first).encoded
    let ledger = HealthLedger(
      store: DamagedStore(base: bench.store) { $0.body == wrong },
      environment: .test(now: Sample.noon.adding(seconds: 20)))
    let answer = try await ledger.resolve(date)
    #expect(answer.latest?.id == second && answer.pointer.revisionID == nil)
    let outcome = try await ledger.publish(draft)
    #expect(outcome.revisionID >= second && bench.pointer(date) == outcome.revisionID)
  }

  @Test func `R41 a revision of other bytes than were stored is shown as damaged`() async throws {
    let id = try await bench.ledger.publish(draft).revisionID
    try await damage(id)
    let body = bench.memory.contents[bench.ledger.layout.revisionKey(date, id)]?.body
    let ledger = HealthLedger(store: DamagedStore(base: bench.store) { $0.body == body })
    let answer = try await ledger.resolve(date)
    #expect(answer.latest?.violations.map(\.code) == ["digest_differs"])
    let read = try await ledger.revision(date, id).decoded
    #expect(read.violations.map(\.code) == ["digest_differs"])
  }

  @Test func `R60 publishing the day again from its source replaces what was damaged (R20)`()
    async throws
  {
    let first = try await bench.ledger.publish(draft).revisionID
    try await damage(first)
    let second = try await bench.ledger.publish(draft)
    #expect(second.revisionID > first)
    #expect(try await bench.ledger.resolve(date).latest?.revision.readings[.steps] == .value(8432))
    #expect(try await verify(deep: false).findings == [])
    #expect(try await verify(deep: true).findings.map(\.code) == ["digest_differs"])
    let again = try await bench.ledger.publish(draft)
    #expect(again == .unchanged(second.revisionID))
  }

  @Test func `R20 R60 a revision without a digest conforms, and holds the same day`() async throws {
    let id = Sample.id(0)
    let key = bench.ledger.layout.revisionKey(date, id).rawValue
    try await bench.place(key, Sample.text(Sample.body(draft, id)))
    try await bench.placePointer(date, to: id)
    #expect(try await verify(deep: true).findings == [])
    #expect(try await bench.ledger.publish(draft) == .unchanged(id))
  }

  @Test func `R37 the digests of two revisions are not a difference between them`() throws {
    let old = try JSONValue(parsing: Sample.body(draft, Sample.id(0)))
    let new = try JSONValue(parsing: Sample.body(draft, Sample.id(9)))
    #expect(old["digest"] != nil && old["digest"] != new["digest"])
    let difference = RevisionDifference(from: old, to: new)
    #expect(difference.payloadChanges == [])
    #expect(!difference.changes.contains { $0.pointer == "/digest" })
  }
}
