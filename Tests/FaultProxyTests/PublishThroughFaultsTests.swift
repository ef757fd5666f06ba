import HealthModel
import ObjectStore
import TestSupport
import Testing

@testable import FaultProxy
@testable import HealthLedger
@testable import S3Store

/// The ledger's promises on real servers, with one fault at each request of a publish in turn.
@Suite(.server) struct PublishThroughFaultsTests {
  /// Where a publish begins.
  enum Start: String, Sendable, CaseIterable {
    case fresh
    case overPointer
  }

  /// Lost before and after, delayed, duplicated, and every answer that is not the server's.
  static let faults = ProxyFault.drawn.filter { $0 != .strip && $0 != .slow }

  /// The gateway's https is the same gateway.
  static let servers = TestServer.one.filter { !$0.endpoint.hasPrefix("https://") }

  @Test(arguments: servers, TestDepth.full(Start.allCases, usual: [.overPointer]))
  func `publish and resolve end right whatever request meets whatever fault (R23, R25, R27, R30)`(
    server: TestServer, start: Start
  ) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for fault in Self.faults {
        group.addTask { try await enumerate(server, start, fault) }
      }
      try await group.waitForAll()
    }
  }

  /// One fault at each request in turn, until there is no such request.
  private func enumerate(_ server: TestServer, _ start: Start, _ fault: ProxyFault) async throws {
    var limits = ProxyLimits()
    limits.latest = .milliseconds(200)
    try await FaultProxy.during(try server.proxy(limits: limits)) { proxy in
      let isPatient = fault != .stall && fault != .delay
      let bench = try await LedgerBehindProxy(server, proxy, isPatient: isPatient)
      var position = 1
      while try await strike(
        fault, at: position, proxy, try LedgerBehindProxy(elsewhere: bench), start,
        "\(server.name), \(start), \(fault.rawValue) at request \(position)")
      {
        position += 1
      }
      // An undisturbed publish and resolve: the last round's fault found no request to strike.
      // An impatient client may have repeated some.
      #expect(position >= 7 && (position <= 9 || !isPatient), "\(server.name): \(position)")
    }
  }

  /// Publishes and resolves with one fault; true if it struck.
  private func strike(
    _ fault: ProxyFault, at position: Int, _ proxy: FaultProxy, _ bench: LedgerBehindProxy,
    _ start: Start, _ place: Comment
  ) async throws -> Bool {
    var older: RevisionID?
    if start == .overPointer {
      older = try await bench.direct.publish(try bench.draft(steps: 1)).revisionID
    }
    let before = proxy.tally.totalFaults
    proxy.begin(ProxyPlan(positions: [position: fault]))
    let draft = try bench.draft(steps: 2)
    let mine: RevisionID
    do {
      let outcome = try await bench.proxied.publish(draft)
      #expect(outcome.word == "published", place)
      mine = outcome.revisionID
    } catch {
      await expectForeign(fault, proxy, error, place)
      if let older { #expect(try await bench.pointer() == older, place) }
      mine = try await bench.proxied.publish(draft).revisionID
    }
    // Acknowledged: the pointer names it, and no reader is answered less, through faults or not.
    #expect(try await bench.pointer() == mine, place)
    do {
      #expect(try await bench.proxied.resolve(bench.date).latest?.id == mine, place)
    } catch {
      await expectForeign(fault, proxy, error, place)
    }
    await proxy.settle()
    #expect(try await bench.pointer() == mine, place)
    #expect(try await bench.direct.resolve(bench.date).latest?.id == mine, place)
    #expect(try await bench.steps(of: mine) == 2, place)
    #expect(try await bench.revisions() == [older, mine].compactMap(\.self), place)
    return proxy.tally.totalFaults > before
  }

  /// Only a read that got an answer which no server gives to reads may end a command.
  private func expectForeign(
    _ fault: ProxyFault, _ proxy: FaultProxy, _ error: any Error, _ place: Comment
  ) async {
    await proxy.settle()
    let isForeign = fault.rawValue.hasPrefix("4") || fault.rawValue.hasPrefix("200")
    #expect(isForeign && (error as? LedgerError)?.code == .storageUnavailable, "\(place): \(error)")
    #expect(proxy.events.contains { $0.fault == fault && !$0.operation.isWrite }, place)
  }
}

/// A server or a proxy may close a connection under any request of the probe (R28).
@Suite(.server) struct ProbeThroughFaultsTests {
  /// Each write of the probe in turn, and two in a row, the second of which is the repeat.
  @Test(
    arguments: TestServer.one, TestDepth.full([ProxyFault.drop, .lose, .reset], usual: [.lose]))
  func `a connection that dies under a write of the probe does not keep it from its verdict`(
    server: TestServer, fault: ProxyFault
  ) async throws {
    let known = try await server.store().verdict()
    guard case .compareAndSwap = known else {
      Issue.record("\(server) has no compare-and-swap")
      return
    }
    for position in 1...10 {
      for length in 1...2 {
        let faults = (position..<position + length).map { ($0, fault) }
        let plan = ProxyPlan(positions: .init(uniqueKeysWithValues: faults))
        try await FaultProxy.during(try server.proxy(plan)) { proxy in
          let report = try await server.store(through: proxy).probe(racing: false)
          #expect(report.verdict == known, "at \(position): \(report.steps)")
          #expect(report.steps.allSatisfy { $0.outcome != .unclear || $0.name.contains("quoted") })
        }
      }
    }
  }
}
