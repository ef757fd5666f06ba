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
