import HealthModel
import ObjectStore
import StoreTesting
import Testing

@testable import HealthLedger

/// The promise, with everything at once: sixteen collectors, one day, wrong clocks, a bad network.
@Suite(.unit) struct ConcurrentPublishTests {
  @Test(arguments: 1...12)
  func `R25 the pointer ends at the greatest of what was acknowledged, or past it`(
    seed: Int
  ) async throws {
    let faults: [Fault] = [
      .lost, .answerLost, .delayed(requests: 3), .resent, .duplicatedLate(requests: 5),
      .refused(.conflict), .refused(.preconditionFailed), .refused(.unavailable),
    ]
    let plan = FaultPlan(
      lottery: .init(seed: UInt64(seed), perMille: 120, faults: faults))
    let bench = LedgerBench(plan: plan)
    let date = try Sample.date()
    let drafts = try (0..<16).map { try Sample.draft(steps: Double($0)) }

    let acknowledged = await withTaskGroup(of: RevisionID?.self) { group in
      for (index, draft) in drafts.enumerated() {
        let skew = [0, 1, -1, 3600, -86_400, 31_536_000][index % 6]
        let ledger = bench.ledger(
          now: Sample.noon.adding(seconds: skew), entropy: UInt32(index % 3))
        group.addTask {
          for _ in 0..<100 {
            guard let outcome = try? await ledger.publish(draft) else { continue }
            // At once: a reader sees what was acknowledged, whatever else is going on.
            let seen = try? await bench.memoryLedger.resolve(date).latest?.id
            if let seen { #expect(seen >= outcome.revisionID) }
            return outcome.revisionID
          }
          return nil
        }
      }
      return await group.reduce(into: [RevisionID]()) { if let id = $1 { $0.append(id) } }
    }
    await bench.store.settle()

    #expect(acknowledged.count == 16)
    let greatest = try #require(acknowledged.max())
    let pointer = try #require(bench.pointer(date))
    #expect(pointer >= greatest)
    let final = try await bench.memoryLedger.resolve(date)
    #expect(final.latest?.id == (try await bench.memoryLedger.history(date)).last)
    #expect(final.rejected.isEmpty)
    // Nothing newer than the pointer is left but what was not acknowledged.
    #expect(final.latest.map { $0.id == pointer || !acknowledged.contains($0.id) } == true)
  }
}

extension LedgerBench {
  /// A reader whose network is sound.
  var memoryLedger: HealthLedger {
    HealthLedger(store: memory, environment: .test(now: Sample.noon))
  }
}
