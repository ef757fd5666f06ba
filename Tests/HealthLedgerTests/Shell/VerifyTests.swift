import HealthModel
import ObjectStore
import StoreTesting
import Testing

@testable import HealthLedger

/// R35: each fault by its code, where it lies, and how grave it is.
@Suite(.unit) struct VerifyTests {
  let bench = LedgerBench()
  let date: CalendarDate
  let draft: DayDraft

  init() throws {
    date = try Sample.date()
    draft = try Sample.draft(steps: 1)
  }

  private func verdict(_ bench: LedgerBench? = nil) async throws -> DayVerdict {
    var verdicts: [DayVerdict] = []
    let range = try DateRange(from: date, to: date)
    try await (bench ?? self.bench).ledger.verify(range) { verdicts.append($0) }
    return try #require(verdicts.first)
  }

  private func key(_ id: RevisionID) -> String {
    bench.ledger.layout.revisionKey(date, id).rawValue
  }

  @Test func `R35 a sound day has no findings`() async throws {
    let outcome = try await bench.ledger.publish(draft)
    let verdict = try await verdict()
    #expect(verdict.status == .ok && verdict.findings.isEmpty)
    #expect(verdict.revisionID == outcome.revisionID)
  }

  @Test func `R35 missing_date`() async throws {
    let verdict = try await verdict()
    #expect(verdict.status == .missing)
    #expect(verdict.findings.map(\.code) == ["missing_date"])
    #expect(verdict.findings.map(\.severity) == [.error])
  }

  @Test func `R35 pointer_missing is a note`() async throws {
    try await bench.placeRevision(draft, Sample.id(0))
    let verdict = try await verdict()
    #expect(verdict.status == .ok)
    #expect(verdict.findings.map(\.code) == ["pointer_missing"])
    #expect(verdict.findings.map(\.severity) == [.note])
  }

  @Test func `R35 pointer_stale`() async throws {
    try await bench.placeRevision(draft, Sample.id(0))
    try await bench.placeRevision(draft, Sample.id(1))
    try await bench.placePointer(date, to: Sample.id(0))
    let verdict = try await verdict()
    #expect(verdict.status == .faulty)
    #expect(verdict.findings.map(\.code) == ["pointer_stale"])
    #expect(verdict.revisionID == Sample.id(1))
  }

  @Test func `R35 pointer_dangling`() async throws {
    try await bench.placeRevision(draft, Sample.id(0))
    try await bench.placePointer(date, to: Sample.id(9))
    let verdict = try await verdict()
    #expect(verdict.findings.map(\.code) == ["pointer_dangling"])
    #expect(verdict.findings.first?.key == bench.ledger.layout.pointerKey(date).rawValue)
  }

  @Test func `R35 pointer_to_invalid, with the revision's own violations`() async throws {
    try await bench.placeRevision(draft, Sample.id(0))
    try await bench.place(key(Sample.id(9)), Array("[]".utf8))
    try await bench.placePointer(date, to: Sample.id(9))
    let verdict = try await verdict()
    #expect(verdict.findings.map(\.code) == ["wrong_type", "pointer_to_invalid"])
    #expect(verdict.findings.first?.key == key(Sample.id(9)))
  }

  @Test func `R35 pointer_corrupt`() async throws {
    try await bench.placeRevision(draft, Sample.id(0))
    try await bench.place(bench.ledger.layout.pointerKey(date).rawValue, Array("null".utf8))
    let verdict = try await verdict()
    #expect(verdict.status == .faulty)
    #expect(verdict.findings.map(\.code) == ["pointer_corrupt"])
  }

  @Test func `R35 a day of broken revisions is invalid, not missing`() async throws {
    try await bench.place(key(Sample.id(0)), Array("[]".utf8))
    let verdict = try await verdict()
    #expect(verdict.status == .invalid)
    #expect(verdict.findings.map(\.code) == ["no_valid_revision", "wrong_type"])
  }

  @Test func `R35 a day whose only revision is gone is invalid, not missing`() async throws {
    try await bench.placePointer(date, to: Sample.id(0))
    let verdict = try await verdict()
    #expect(verdict.status == .invalid)
    #expect(verdict.findings.map(\.code) == ["no_valid_revision", "pointer_dangling"])
    #expect(verdict.revisionCount == 0)
  }

  @Test func `R35 broken revisions older than the answer are not findings`() async throws {
    try await bench.place(key(Sample.id(0)), Array("[]".utf8))
    try await bench.placeRevision(draft, Sample.id(1))
    try await bench.placePointer(date, to: Sample.id(1))
    #expect(try await verdict().findings.isEmpty)
  }

  @Test func `R35 foreign objects and unknown members are notes`() async throws {
    var extended = draft
    extended.unknownMembers["mood"] = .string("good")
    _ = try await bench.ledger.publish(extended)
    try await bench.place(bench.ledger.layout.dayPrefix(date) + "readme.txt", [1])
    let verdict = try await verdict()
    #expect(verdict.status == .ok)
    #expect(Set(verdict.findings.map(\.code)) == ["foreign_object", "unknown_member"])
    #expect(verdict.findings.first { $0.code == "unknown_member" }?.pointer == "/mood")
  }

  @Test func `R4 boundaries that the database does not know are found, and hide nothing`()
    async throws
  {
    let text = Sample.text(Sample.body(draft, Sample.id(0))) {
      $0.replacing("+01:00", with: "+02:00")
    }
    try await bench.place(key(Sample.id(0)), text)
    try await bench.placePointer(date, to: Sample.id(0))
    let verdict = try await verdict()
    #expect(verdict.status == .faulty)
    #expect(verdict.revisionID == Sample.id(0))
    #expect(verdict.findings.allSatisfy { $0.rule == "R4" } && !verdict.findings.isEmpty)
  }

  @Test func `R35 a publish in flight during the first look is not a finding`() async throws {
    let first = try await bench.ledger.publish(draft)
    let second = try Sample.draft(steps: 2)
    // The revision is there and the pointer's write is on its way when the range is listed.
    let id = Sample.id(5)
    try await bench.placeRevision(second, id)
    let value = LatestPointer(date: date, revisionID: id)
    let old = LatestPointer(date: date, revisionID: first.revisionID)
    let writer = FaultInjectingStore(
      bench.memory, plan: FaultPlan(rules: [.init(.delayed(requests: 3), on: .put)]))
    let etag = try #require(bench.memory.predictedETag(of: old.encoded))
    _ = try await writer.put(
      bench.ledger.layout.pointerKey(date), value.encoded, if: .matches(etag))
    let ledger = HealthLedger(store: writer, environment: .test(now: Sample.noon))
    var verdicts: [DayVerdict] = []
    try await ledger.verify(try DateRange(from: date, to: date)) { verdicts.append($0) }
    #expect(verdicts.map(\.status) == [.ok])
    #expect(verdicts.first?.revisionID == id)
  }
}
