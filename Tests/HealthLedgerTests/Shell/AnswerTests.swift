import HealthModel
import ObjectStore
import Testing

@testable import HealthLedger

/// R31: what a resolve answers beside the data.
@Suite(.unit) struct AnswerTests {
  let bench = LedgerBench()
  let date: CalendarDate

  init() throws { date = try Sample.date() }

  private func placeText(_ text: String, _ id: RevisionID) async throws {
    try await bench.place(
      bench.ledger.layout.revisionKey(date, id).rawValue, Array(text.utf8))
  }

  @Test func `R31 the answer has the stored bytes, the id and what the revision breaks`()
    async throws
  {
    // Blanks, another order and another unit text: readable, and neither canonical nor conforming.
    let sound = Sample.text(Sample.body(try Sample.draft(steps: 7), Sample.id(0)))
    let text =
      " "
      + String(decoding: sound, as: UTF8.self).replacing(
        #""steps":"count""#, with: #""steps":"steps""#) + "\n"
    try await placeText(text, Sample.id(0))
    let answer = try await bench.ledger.resolve(date)
    let latest = try #require(answer.latest)
    #expect(latest.body == Array(text.utf8))
    #expect(latest.id == Sample.id(0))
    #expect(latest.violations.map(\.code) == [ViolationCode.unitMismatch.rawValue])
    #expect(latest.violations.map(\.pointer) == ["/metric_units/steps"])
    #expect(answer.date == date && answer.rejected.isEmpty)
  }

  @Test func `R31 the answer has the pointer as it was read`() async throws {
    try await bench.placeRevision(try Sample.draft(steps: 7), Sample.id(0))
    #expect(try await bench.ledger.resolve(date).pointer == .absent)
    try await bench.placePointer(date, to: Sample.id(0))
    let sound = try await bench.ledger.resolve(date)
    #expect(sound.pointer.revisionID == Sample.id(0) && !sound.pointerDisagrees)
    try await bench.placeRevision(try Sample.draft(steps: 8), Sample.id(1))
    let stale = try await bench.ledger.resolve(date)
    #expect(stale.latest?.id == Sample.id(1))
    #expect(stale.pointer.revisionID == Sample.id(0) && stale.pointerDisagrees)
    try await bench.place(bench.ledger.layout.pointerKey(date).rawValue, Array("[]".utf8))
    let corrupt = try await bench.ledger.resolve(date)
    guard case .corrupt(_, let violations) = corrupt.pointer else {
      Issue.record("\(corrupt.pointer)")
      return
    }
    #expect(!violations.isEmpty && corrupt.latest?.id == Sample.id(1))
  }

  @Test func `R31 newer revisions that were passed over come newest first, each with its reasons`()
    async throws
  {
    try await bench.placeRevision(try Sample.draft(steps: 7), Sample.id(0))
    try await placeText("{", Sample.id(1))
    try await placeText("{}", Sample.id(2))
    try await bench.placePointer(date, to: Sample.id(3))
    let answer = try await bench.ledger.resolve(date)
    #expect(answer.latest?.id == Sample.id(0))
    #expect(answer.rejected.map(\.id) == [3, 2, 1].map { Sample.id($0) })
    let reasons = answer.rejected.map(\.reason)
    #expect(reasons.first == .missing)
    let codes = reasons.dropFirst().map { reason -> String? in
      guard case .invalid(let violations) = reason else { return nil }
      return violations.first?.code
    }
    #expect(codes == [ViolationCode.missingMember.rawValue, ViolationCode.notJSON.rawValue])
    // A day without any readable revision is answered by its rejected ones alone.
    let other = try Sample.date("2026-03-11")
    try await bench.place(
      bench.ledger.layout.revisionKey(other, Sample.id(0)).rawValue, Array("{}".utf8))
    let none = try await bench.ledger.resolve(other)
    #expect(none.latest == nil && none.rejected.map(\.id) == [Sample.id(0)])
  }
}
