import HealthModel
import ObjectStore
import Testing

@testable import HealthLedger

/// R20: data that was captured earlier never replaces data captured later in silence.
@Suite(.unit) struct PublishOlderTests {
  private let latest = Sample.id(-60)

  /// What comes of offering data captured at one moment to a day that has other data.
  private func action(
    offered: Int, keepsNewer: Bool = true, stored: RevisionReading
  ) throws -> PublishMachine.Action {
    var draft = try Sample.draft(steps: 200, capturedAt: Sample.noon.adding(seconds: offered))
    draft.keepsNewer = keepsNewer
    var bench = PublishBench(draft)
    bench.givePointer(to: latest)
    bench.give(.revisions([]))
    return bench.give(.revision(stored))
  }

  /// Other data under `latest`, captured so many seconds after noon.
  private func stored(captured: Int) throws -> RevisionReading {
    Sample.found(
      try Sample.draft(steps: 100, capturedAt: Sample.noon.adding(seconds: captured)), latest)
  }

  @Test func `R20 data captured earlier than what is stored is skipped, and that is said`() throws {
    let moment = Sample.noon.adding(seconds: -3600)
    #expect(
      try action(offered: -3601, stored: stored(captured: -3600))
        == .finish(.keptNewer(latest, capturedAt: moment)))
    // Equal, and later.
    #expect(try action(offered: -3600, stored: stored(captured: -3600)) == .mint)
    #expect(try action(offered: -3599, stored: stored(captured: -3600)) == .mint)
    // Data that is read now, or that the caller insists on.
    #expect(try action(offered: -3601, keepsNewer: false, stored: stored(captured: -3600)) == .mint)
  }

  @Test func `R8, R20 without captured_at the data was captured when it was generated`() throws {
    // Captured in the second of the id: no captured_at is written.
    let live = try stored(captured: -60)
    #expect(!String(decoding: try #require(live.body), as: UTF8.self).contains("captured_at"))
    #expect(
      try action(offered: -61, stored: live)
        == .finish(.keptNewer(latest, capturedAt: latest.timestamp)))
    #expect(try action(offered: -60, stored: live) == .mint)
  }

  @Test func `R20 a captured_at ahead of the id proves no more than the id`() throws {
    let ahead = try stored(captured: 86_400 * 3650)
    #expect(try action(offered: -59, stored: ahead) == .mint)
    #expect(
      try action(offered: -61, stored: ahead)
        == .finish(.keptNewer(latest, capturedAt: latest.timestamp)))
  }

  @Test func `R20 the same data is unchanged, however old the source is`() throws {
    var draft = try Sample.draft(steps: 100, capturedAt: Sample.noon.adding(seconds: -90_000))
    draft.keepsNewer = true
    var bench = PublishBench(draft)
    bench.givePointer(to: latest)
    bench.give(.revisions([]))
    let same = Sample.found(try Sample.draft(steps: 100), latest)
    #expect(bench.give(.revision(same)) == .finish(.unchanged(latest)))
  }

  @Test func `R20, R25 a pointer behind the newest revision is moved, also for older data`() throws
  {
    // A writer died before it moved the pointer, and its data is published again. The revision also
    // keeps newer data, so it differs from the draft.
    var draft = try Sample.draft(steps: 200, capturedAt: Sample.noon.adding(seconds: -3601))
    draft.keepsNewer = true
    var bench = PublishBench(draft)
    let behind = Sample.id(-120)
    bench.givePointer(to: behind)
    bench.give(.revisions([latest]))
    let kept = PublishOutcome.keptNewer(latest, capturedAt: Sample.noon.adding(seconds: -3600))
    let moved = bench.give(.revision(try stored(captured: -3600)))
    guard case .writePointer(let pointer, let precondition) = moved else {
      Issue.record("the pointer stays behind: \(moved)")
      return
    }
    #expect(pointer.revisionID == latest && precondition != .absent)
    // Another writer was faster: nothing of ours was stored, so nothing of ours can be missing.
    var faster = bench
    faster.give(.put(.refused))
    faster.give(.rested)
    #expect(faster.givePointer(to: Sample.id(-10)) == .finish(kept))
    #expect(bench.give(.put(.stored)) == .finish(kept))
  }

  @Test func `R20, R27 many days tell new from changed from older`() async throws {
    let bench = LedgerBench()
    let dates = try ["2026-03-08", "2026-03-09", "2026-03-10"].map { try Sample.date($0) }
    func drafts(steps: [Double], captured: Int) throws -> [DayDraft] {
      try zip(dates, steps).map { date, steps in
        var draft = try Sample.draft(
          steps: steps, on: date, capturedAt: Sample.noon.adding(seconds: captured))
        draft.keepsNewer = true
        return draft
      }
    }
    func publish(_ drafts: [DayDraft]) async throws -> [String] {
      var words: [String] = []
      try await bench.ledger.publish(drafts) { _, result in
        guard case .done(let outcome, let replaced, _) = result else { return }
        words.append("\(outcome.word)\(replaced == nil ? "" : " changed")")
      }
      return words
    }
    let today = try drafts(steps: [1, 2, 3], captured: -60)
    #expect(try await publish([today[0], today[1]]) == ["published", "published"])
    let before = bench.memory.contents
    let yesterday = try drafts(steps: [1, 9, 9], captured: -86_400)
    #expect(try await publish([yesterday[0], yesterday[1]]) == ["unchanged", "kept_newer"])
    #expect(bench.memory.contents == before)
    let tomorrow = try drafts(steps: [1, 5, 3], captured: 60)
    #expect(try await publish(tomorrow) == ["unchanged", "published changed", "published"])
  }
}
