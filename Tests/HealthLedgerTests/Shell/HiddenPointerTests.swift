import HealthModel
import ObjectStore
import StoreTesting
import Testing

@testable import HealthLedger

/// MinIO on several drives may leave an object out of a listing while it is being replaced. Pointers
/// are replaced, revisions never.
@Suite(.unit) struct HiddenPointerTests {
  /// Never lists a pointer.
  private struct HidingStore: ForwardingStore {
    let base: any ObjectStore

    func list(_ request: ListRequest) async throws(StoreError) -> ListPage {
      let page = try await base.list(request)
      return ListPage(
        entries: page.entries.filter { !$0.key.hasSuffix("/latest.json") }, folders: page.folders,
        next: page.next)
    }
  }

  private let bench = LedgerBench()
  private let hiding: HealthLedger
  private let dates: [CalendarDate]

  init() async throws {
    hiding = HealthLedger(
      store: HidingStore(base: bench.store),
      environment: .test(now: Sample.noon.adding(seconds: 9)))
    dates = try ["2026-03-08", "2026-03-09", "2026-03-10"].map { try Sample.date($0) }
    for date in dates {
      for steps in [1.0, 2] {
        _ = try await bench.ledger.publish(try Sample.draft(steps: steps, on: date))
      }
    }
  }

  @Test func `R34: a pointer that a listing leaves out changes no answer`() async throws {
    let range = try DateRange(from: dates[0], to: dates[2])
    var (seen, hidden): ([StoredRevision?], [StoredRevision?]) = ([], [])
    try await bench.ledger.resolve(range) { seen.append($0.latest) }
    try await hiding.resolve(range) { hidden.append($0.latest) }
    #expect(seen == hidden && seen.compactMap { $0?.id }.count == 3)
  }

  @Test func `R35: verify reads a pointer before it calls it missing`() async throws {
    var verdicts: [DayVerdict] = []
    try await hiding.verify(try DateRange(from: dates[0], to: dates[2])) { verdicts.append($0) }
    #expect(verdicts.map(\.status) == [.ok, .ok, .ok])
    #expect(verdicts.flatMap(\.findings).isEmpty, "\(verdicts)")
  }

  @Test func `R25: a publish moves a pointer that a listing leaves out, and stores no day twice`()
    async throws
  {
    let again = try await hiding.publish(try Sample.draft(steps: 2, on: dates[0]))
    #expect(again == .unchanged(try #require(bench.pointer(dates[0]))))
    let next = try await hiding.publish(try Sample.draft(steps: 3, on: dates[1]))
    #expect(next.word == "published")
    #expect(bench.pointer(dates[1]) == next.revisionID)
  }
}
