import ObjectStore
import Testing

@testable import S3Store

/// The probe against servers that break the conditions in one way each.
@Suite(.process) struct ProbeOnHostileServersTests {
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
    ("says501", .refuses), ("says400", .refuses), ("says405", .refuses), ("plain400", .refuses),
    ("match400", .createOnly),
    ("objectlock", .compareAndSwap(.quoted)), ("md5only", .compareAndSwap(.quoted)),
    ("sha256only", .compareAndSwap(.quoted)),
    ("lags", .lags), ("lagsignoring", .lags), ("lagsrefusing", .lags), ("cached", .lags),
    ("stalereads", .lags), ("stalelist", .lags),
    ("nowrite501", .unknown(StoreError(.unavailable, ""))),
    ("unprovable", .unknown(StoreError(.unavailable, ""))),
    ("foreign404", .unknown(StoreError(.unavailable, ""))),
    ("create404", .refuses),
    ("error200", .unknown(StoreError(.unavailable, ""))),
    ("html", .unknown(StoreError(.unavailable, ""))),
    ("compresses", .unknown(StoreError(.unavailable, ""))),
    ("marks", .unknown(StoreError(.unavailable, ""))),
    ("slowforever", .unknown(StoreError(.unavailable, ""))),
  ])
  func `each gets the verdict that it deserves`(mode: String, verdict: ProbeVerdict) async throws {
    let server = try HostileServer(mode)
    let report = await server.store().probe(racing: false)
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

  @Test(arguments: ["conflictfirst", "seldom503", "seldomtimeout", "seldomapplied", "starts"])
  func `R28: answers that pass are asked again, and are not a verdict`(mode: String) async throws {
    let store = try HostileServer(mode).store()
    let verdict = try await store.verdict()
    #expect(verdict == .compareAndSwap(.quoted))
  }

  @Test(arguments: ["compresses", "marks"])
  func `R28: reads that give other bytes than were written are an error, and no verdict`(
    mode: String
  ) async throws {
    let store = try HostileServer(mode).store()
    let error = try await storeError { try await store.conditionalWrites() }
    #expect(error.code == .unavailable && !error.isRetryable)
    #expect(error.message == "reading gives other bytes than were written")
    #expect(store.knownVerdict == nil)
  }

  @Test func `R28: a conflict that lasts is not a verdict, and is not kept`() async throws {
    let store = try HostileServer("conflictlong").store()
    let error = try await storeError { try await store.conditionalWrites() }
    #expect(error.isRetryable && error.message.contains("another change is under way"), "\(error)")
    #expect(store.knownVerdict == nil)
  }

  @Test func `R28: a verdict that rests on a refusal needs a second probe of other names`()
    async throws
  {
    let server = try HostileServer("says501")
    #expect(try await server.store().verdict() == .refuses)
    let folders = try await server.log().filter { $0.method == "PUT" }.map {
      $0.path.split(separator: "/").dropLast().joined(separator: "/")
    }
    // Each tries it with a condition and without one.
    #expect(Set(folders).count == 2 && folders.count == 4, "\(folders)")
  }

  @Test func `R28: a race in which all are in each other's way is run again, and judged then`()
    async throws
  {
    let store = try HostileServer("conflictsome").store(bucket: "first-32")
    let report = await store.probe(racing: true)
    #expect(report.verdict == .compareAndSwap(.quoted), "\(report.steps)")
    #expect(report.steps.contains { $0.outcome == .unclear })
  }

  @Test
  func `R28: writers that are always in each other's way convict nobody, and nothing is kept`()
    async throws
  {
    let server = try HostileServer("conflictboth")
    let store = server.store()
    #expect(try await store.conditionalWrites() == .unsafe)
    #expect(store.knownVerdict == .crowded && store.unobserved()?.isRetryable == true)
  }

  @Test func `a server that starts is waited for by every kind of request`() async throws {
    let store = try HostileServer("starts").store()
    #expect(try await store.list(ListRequest(prefix: "a/")).entries.isEmpty)
    #expect(store.client.budget.hasAnswered)
  }

  /// The broken stores of the race's kill matrix, and the step that each fails at (docs/evidence/RACE.md).
  @Test(arguments: [
    ("ignoresmatch", "replace it by an etag that it never had (If-Match)"),
    ("ignorescreate", "create it again (If-None-Match: *)"),
    ("ignoresboth", "create it again (If-None-Match: *)"),
    ("racy", "create 8 objects by 2 writers each at once, round 1"),
    ("creates", "replace an object that is not there (If-Match)"),
    ("stalereads", "read it"),
    ("stalelist", "list it"),
    ("errorput200", "ask the store"),
  ])
  func `a broken store of the kill matrix fails at its step and gets no pointer`(
    mode: String, step: String
  ) async throws {
    let store = try HostileServer(mode).store { $0.maximumAttempts = 1 }
    let report = await store.probe(racing: true)
    let failed = report.steps.first { $0.outcome == .failed || $0.name == "ask the store" }
    #expect(failed?.name == step, "\(report.steps)")
    #expect(report.verdict.guarantee != .compareAndSwap)
  }

  /// The client takes 304 for a refusal. A seldom stale reading is beyond a probe, unless one of the
  /// readings after a race is stale, which convicts.
  @Test func `what is harmless keeps the verdict`() async throws {
    let report = try await HostileServer("says304").store().probe(racing: true)
    #expect(report.verdict == .compareAndSwap(.quoted), "\(report.steps)")
  }

  @Test func `a race convicts a store that checks and writes apart`() async throws {
    for isThorough in [false, true] {
      let store = try HostileServer("racy").store()
      #expect(await store.probe(racing: isThorough).verdict == .racy)
      #expect(try await store.conditionalWrites() == .unsafe)
    }
  }

  @Test func `a race acquits an honest store`() async throws {
    let report = try await HostileServer("honest").store().probe(racing: true)
    #expect(report.verdict == .compareAndSwap(.quoted), "\(report.steps)")
  }
}
