import ObjectStore
import Testing

@testable import S3Store

/// The probe against servers that break the conditions in one way each.
@Suite struct ProbeOnHostileServersTests {
  @Test(arguments: [
    ("honest", ProbeVerdict.compareAndSwap(.quoted)),
    ("bare", .compareAndSwap(.bare)),
    ("says304", .compareAndSwap(.quoted)),
    ("says409", .compareAndSwap(.quoted)),
    ("lax", .createOnly),
    ("ignoresmatch", .createOnly),
    ("creates", .createOnly),
    ("match501", .createOnly),
    ("weak", .createOnly),
    ("ignorescreate", .ignores),
    ("ignoresboth", .ignores),
    ("lies", .ignores),
    ("says501", .refuses),
    ("create404", .refuses),
    ("error200", .unknown(StoreError(.unavailable, ""))),
    ("html", .unknown(StoreError(.unavailable, ""))),
    ("slowforever", .unknown(StoreError(.unavailable, ""))),
  ])
  func `each gets the verdict that it deserves`(mode: String, verdict: ProbeVerdict) async throws {
    let server = try HostileServer(mode)
    let report = try await server.store().probe(racing: false)
    #expect(report.verdict.description == verdict.description, "\(report.steps)")
    #expect(report.verdict.guarantee == verdict.guarantee)
    if case .compareAndSwap = verdict {
      #expect(report.steps.allSatisfy { $0.outcome != .failed })
      #expect(report.verdict.remedy == nil)
    } else {
      #expect(report.steps.contains { $0.outcome != .passed })
      #expect(report.verdict.remedy != nil)
    }
  }

  /// The broken stores of the race's kill matrix, and the step that each fails at (docs/evidence/RACE.md).
  @Test(arguments: [
    ("ignoresmatch", "replace it by an etag that it never had (If-Match)"),
    ("ignorescreate", "create it again (If-None-Match: *)"),
    ("ignoresboth", "create it again (If-None-Match: *)"),
    ("racy", "create one object 16 times at once, round 1"),
    ("creates", "replace an object that is not there (If-Match)"),
    ("stalereads", "read it"),
    ("stalelist", "list it"),
    ("errorput200", "ask the store"),
  ])
  func `a broken store of the kill matrix fails at its step and gets no pointer`(
    mode: String, step: String
  ) async throws {
    let store = try HostileServer(mode).store { $0.maximumAttempts = 1 }
    let report = try await store.probe(racing: true)
    let failed = report.steps.first { $0.outcome == .failed || $0.name == "ask the store" }
    #expect(failed?.name == step, "\(report.steps)")
    #expect(report.verdict.guarantee != .compareAndSwap)
  }

  /// Beyond a probe, and harmless: the client takes 304 for a refusal. Beyond it, and not harmless
  /// to readers alone: who moves the pointer on a stale reading has a stale etag, and is refused.
  @Test(arguments: ["says304", "staleseldom"])
  func `what no probe can see keeps the verdict`(mode: String) async throws {
    let report = try await HostileServer(mode).store().probe(racing: true)
    #expect(report.verdict == .compareAndSwap(.quoted), "\(report.steps)")
  }

  @Test func `a race convicts a store that checks and writes apart`() async throws {
    let store = try HostileServer("racy").store()
    #expect(try await store.probe(racing: false).verdict == .compareAndSwap(.quoted))
    let report = try await store.probe(racing: true)
    #expect(report.verdict == .racy)
    #expect(try await store.conditionalWrites() == .unsafe)
  }

  @Test func `a race acquits an honest store`() async throws {
    let report = try await HostileServer("honest").store().probe(racing: true)
    #expect(report.verdict == .compareAndSwap(.quoted), "\(report.steps)")
  }
}
