import HealthModel
import HealthStreams
import Testing

@testable import Outbox

/// The decisions alone, without a database.
@Suite(.unit) struct OutboxRuleTests {
  private let now = Timestamp(secondsSince1970: 1_700_000_000)

  @Test func `R48: a batch waits 30, 60, 120 and 240 s, and the fifth failure makes it failed`() {
    #expect((1...6).map { RetryRule.delay(afterFailures: $0) } == [30, 60, 120, 240, nil, nil])
    #expect(RetryRule.delay(afterFailures: 1, retryAfter: 100) == 100)
    #expect(RetryRule.delay(afterFailures: 4, retryAfter: 5) == 240)
    #expect(RetryRule.delay(afterFailures: 1, retryAfter: 86_400) == 300)
  }

  @Test func `R48: a retry more than 300 s ahead is due, because the clock was set back`() {
    #expect(RetryRule.isDue(nil, now: now))
    #expect(RetryRule.isDue(now, now: now))
    #expect(!RetryRule.isDue(now.adding(seconds: 1), now: now))
    #expect(!RetryRule.isDue(now.adding(seconds: 300), now: now))
    #expect(RetryRule.isDue(now.adding(seconds: 301), now: now))
    #expect(RetryRule.isDue(now.adding(seconds: 365 * 86_400), now: now))
  }

  @Test(arguments: DeliveryFailure.Kind.allCases)
  func `R48: only an answer of the receiver, or none in time, costs an attempt`(
    kind: DeliveryFailure.Kind
  ) {
    let batch = BatchState(id: "a", stream: .audio, entries: 4, attempts: 2)
    let failure = DeliveryFailure(kind, "no")
    let change = DeliveryRule.change(after: .failed(failure), of: batch, now: now)
    switch kind {
    case .timeout, .server, .storageFull:
      #expect(
        change
          == .retry(
            batch: "a", attempts: 3, nextAttempt: now.adding(seconds: 120), failure: failure,
            now: now))
    case .offline, .unauthorized, .permissionDenied:
      #expect(change == .keep(batch: "a", failure: failure, now: now))
    case .refused, .tooLarge:
      #expect(change == .split(batch: "a", failure: failure, now: now))
      let one = BatchState(id: "a", stream: .audio, entries: 1)
      #expect(
        DeliveryRule.change(after: .failed(failure), of: one, now: now)
          == .quarantine(batch: "a", failure: failure, now: now))
    }
  }

  @Test func `R46: a batch ends before 5,000 records or 8 MiB are exceeded, and has one at least`()
  {
    func count(_ sizes: [Int]) -> Int { SealingRule.count(of: sizes, overhead: 200) }
    #expect(count([]) == 0)
    #expect(count([9_000_000, 1]) == 1)
    #expect(count(Array(repeating: 10, count: 6000)) == 5000)
    // 200 bytes, two entries and the comma between them are just 8 MiB.
    #expect(count([4_000_000, 8_388_608 - 4_000_201]) == 2)
    #expect(count([4_000_000, 8_388_608 - 4_000_200]) == 1)
  }

  @Test func `R48: space is made of uploaded entries, then failed, then the oldest, to 100 MB`() {
    func next(
      _ disk: Int, pages: Int = 0, _ uploaded: Int = 0, _ failed: Int = 0, _ pending: Int = 0
    ) -> SpaceRule.Step? {
      SpaceRule.next(
        .init(disk: disk, pages: pages, uploaded: uploaded, failed: failed, pending: pending))
    }
    #expect(next(100_000_000, 5, 5, 5_000_000_000) == nil)
    #expect(next(99_999_000, 5, 5, 5) == .dropUploaded(bytes: 5))
    // A deletion needs room for its journal: the less there is, the smaller are the steps.
    #expect(next(80_000_000, 90_000_000, 0, 0) == .dropUploaded(bytes: 16_000_000))
    #expect(next(8_000_000, 90_000_000, 0, 0) == .dropUploaded(bytes: 2_000_000))
    #expect(next(0, 90_000_000, 0, 0) == .dropUploaded(bytes: 500_000))
    #expect(next(99_999_000, 5_000, 5, 5) == .dropUploaded(bytes: 1000))
    #expect(next(99_999_000, 0, 5, 5) == .dropFailed(bytes: 5))
    #expect(next(99_999_000, 0, 0, 30_000_000) == .dropPending(bytes: 1000))
    // Free pages are space. And the most recent 20 MB stay, however little space there is.
    #expect(next(60_000_000, pages: 40_000_000, 0, 0, 30_000_000) == nil)
    #expect(next(0, 0, 0, 20_000_000) == nil)
    #expect(next(0, 0, 0, 20_000_001) == .dropPending(bytes: 1))
  }

  @Test
  func `R48: a loop waits its interval, longer while the receiver is down, and 300 s at most`() {
    var machine = SyncLoopMachine(interval: 900)
    let down = [DeliveryFailure(.server, "503")]
    #expect(machine.next(after: []) == .wait(seconds: 900))
    #expect(
      (0..<6).map { _ in machine.next(after: down) }
        == [30, 60, 120, 240, 300, 300].map { .wait(seconds: $0) })
    #expect(machine.next(after: [DeliveryFailure(.refused, "400")]) == .wait(seconds: 900))
    #expect(machine.next(after: down) == .wait(seconds: 30))
    for kind in [DeliveryFailure.Kind.unauthorized, .permissionDenied] {
      let failure = DeliveryFailure(kind, "no")
      #expect(machine.next(after: down + [failure]) == .stop(failure))
    }
  }

  /// What a sync of one stream does with answers, by their numbers of entries.
  private func sync(_ batches: [BatchState], _ answers: [DeliveryResult]) -> StreamOutcome {
    var (machine, batches, answers) = (
      StreamSyncMachine(stream: .audio), batches[...], answers[...]
    )
    var action = machine.start()
    while true {
      switch action {
      case .take: action = machine.handle(.taken(batches.popFirst()))
      case .deliver:
        let answer = answers.popFirst() ?? .confirmed(at: nil)
        action = machine.handle(.delivered(answer, bytes: 100, now: now))
      case .apply: action = machine.handle(.applied)
      case .finish(let outcome): return outcome
      }
    }
  }

  @Test func `R48: a batch that failed before does not hold up those behind it`() {
    let down = DeliveryResult.failed(DeliveryFailure(.server, "500"))
    let old = BatchState(id: "old", stream: .audio, entries: 1, attempts: 3)
    let new = (0..<3).map { BatchState(id: "\($0)", stream: .audio, entries: 2) }
    let outcome = sync([old] + new, [down])
    #expect(outcome.requests == 4)
    #expect(outcome.entries == 6)
    #expect(!outcome.succeeded)
    // A receiver that is down gets two requests, not one for each batch.
    #expect(sync([old, old] + new, [down, down]).requests == 2)
    #expect(sync(new, [down]).requests == 1)
    #expect(sync([old] + new, [.failed(DeliveryFailure(.offline, "no"))]).requests == 1)
  }

  @Test func `R48: a receiver that refuses everything gets 100 requests in one sync`() {
    let no = DeliveryResult.failed(DeliveryFailure(.refused, "400"))
    let many = (0..<1000).map { BatchState(id: "\($0)", stream: .audio, entries: 2) }
    #expect(sync(many, Array(repeating: no, count: 1000)).requests == 100)
  }

  @Test func `R48: a failure's message that is too long ends with a sign that it was cut`() {
    let whole = String(repeating: "a", count: 300)
    #expect(DeliveryFailure(.server, whole).message == whole)
    #expect(DeliveryFailure(.server, whole + "b").message == whole.dropLast() + "…")
  }
}
