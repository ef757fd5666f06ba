import Foundation
import HealthModel
import ObjectStore
import StoreTesting
import Synchronization
import Testing

@testable import HealthLedger

/// A ledger on a store whose clock goes on, read by one that keeps copies and by one that does not.
final class CachedBench: Sendable {
  let memory: MemoryStore
  let folder: URL

  init() {
    let seconds = Mutex(Sample.noon.secondsSince1970)
    memory = MemoryStore(
      now: {
        seconds.withLock { seconds in
          seconds += 1
          return seconds
        }
      })
    folder = FileManager.default.temporaryDirectory.appending(path: "s3health-cache-\(UUID())")
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  /// The copies, as a process of its own sees them.
  var cache: FolderCache {
    FolderCache(
      path: folder.path, store: "memory", limit: 64 << 20, report: { Issue.record("\($0)") })
  }

  /// A reader of the objects through a fresh counter.
  func reader(
    cached: Bool = true, plan: FaultPlan = .none
  ) -> (ledger: HealthLedger, store: FaultInjectingStore) {
    let store = FaultInjectingStore(memory, plan: plan)
    return (ledger(on: store, cached: cached), store)
  }

  func ledger(on store: any ObjectStore, cached: Bool = true) -> HealthLedger {
    var ledger = HealthLedger(store: store, environment: .test(now: Sample.noon))
    if cached { ledger.cache = cache }
    return ledger
  }

  /// Puts an object there as a stranger does: whatever was there, without a condition.
  func place(_ key: ObjectKey, _ body: [UInt8]) async throws {
    try await memory.delete(key)
    _ = try await memory.put(key, body, if: .absent)
  }

  /// Publishes a year of days, from 2025-03-01.
  func year() async throws -> DateRange {
    let first = try Sample.date("2025-03-01")
    let range = try DateRange(from: first, to: try #require(first.adding(days: 365)))
    let drafts = try range.dates.map { try Sample.draft(steps: 1, on: $0) }
    try await ledger(on: memory, cached: false).publish(drafts) { _, _ in }
    return range
  }
}

extension HealthLedger {
  /// Every answer of a range, once all copies that it makes are made.
  func answers(_ range: DateRange) async throws -> [Resolution] {
    var answers: [Resolution] = []
    try await resolve(range) { answers.append($0) }
    await cache?.finish()
    return answers
  }

  /// Every verdict of a range, and what was found beside the days.
  func verdicts(
    _ range: DateRange, deep: Bool = false
  ) async throws -> (days: [DayVerdict], rest: [Finding]) {
    var days: [DayVerdict] = []
    let rest = try await verify(range, VerifyOptions(isDeep: deep)) { days.append($0) }
    await cache?.finish()
    return (days, rest)
  }
}
