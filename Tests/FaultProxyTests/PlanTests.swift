import StoreTesting
import Testing

@testable import FaultProxy

/// A plan is a value; its course is a function of the seed and the requests alone.
@Suite(.unit) struct PlanTests {
  private static let requests: [(RequestKind, String)] = (0..<4000).map { number in
    let operation = RequestKind.allCases[number % RequestKind.allCases.count]
    return (operation, number % 3 == 0 ? "/b/latest.json" : "/b/revisions/\(number).json")
  }

  private func course(
    _ plan: ProxyPlan, _ requests: [(RequestKind, String)] = requests
  ) -> [RequestSchedule<ProxyFault>.Arrival] {
    var schedule = RequestSchedule(plan)
    return requests.map { schedule.arrive($0.0, $0.1) }
  }

  private func drawing(_ seed: UInt64, _ text: String) throws -> ProxyPlan {
    ProxyPlan(chances: try FaultsOption(parsing: text).chances, seed: seed)
  }

  @Test func `the same seed and requests give the same decisions`() throws {
    let plan = try drawing(7, "all:30%")
    #expect(course(plan) == course(plan))
    #expect(course(plan) != course(try drawing(8, "all:30%")))
  }

  @Test func `a decision does not hang on what the requests before were for`() throws {
    let plan = try drawing(7, "drop,lose,slow:40%")
    let gets = Self.requests.map { _ in (RequestKind.get, "/") }
    #expect(course(plan) == course(plan, gets))
  }

  @Test func `every fault is drawn about as often as asked, reads and writes alike`() throws {
    let decisions = course(try drawing(1, "all:50%"))
    for fault in ProxyFault.drawn {
      let struck = zip(Self.requests, decisions).filter { $1.fault == fault }
      let share = Double(struck.count) / 4000 * (fault.befalls(.get) ? 1 : 2)
      #expect(abs(share - 0.5 / Double(ProxyFault.drawn.count)) < 0.012, "\(fault) \(share)")
      #expect(fault.befalls(.get) || struck.allSatisfy { $0.0.0.isWrite })
    }
    #expect(!decisions.contains { $0.fault == .hold })
  }

  @Test func `a budget is kept, and the other faults go on`() throws {
    let decisions = course(try drawing(1, "drop=3,lose:50%"))
    #expect(decisions.count { $0.fault == .drop } == 3)
    #expect(decisions.count { $0.fault == .lose } > 800)
  }

  @Test
  func `a rule strikes what it names, a position comes before it, and chance after it`() {
    let plan = ProxyPlan(
      positions: [5: .reset],
      rules: [
        .init(.lose, on: .put, suffix: "latest.json", which: [2]),
        .init(.slow, on: .put, which: nil),
      ], chances: [.init(.drop, perMillion: 1_000_000)])
    let requests: [(RequestKind, String)] = [
      (.put, "/b/latest.json"), (.get, "/b/latest.json"), (.put, "/b/other.json"),
      (.put, "/b/latest.json"), (.put, "/b/latest.json"),
    ]
    #expect(course(plan, requests).map(\.fault) == [.slow, .drop, .slow, .lose, .reset])
    #expect(course(plan, requests).map(\.number) == [1, 2, 3, 4, 5])
  }

  @Test func `waits stay within their bounds`() throws {
    var limits = ProxyLimits()
    (limits.slowest, limits.latest) = (.milliseconds(50), .milliseconds(700))
    let decisions = course(try drawing(3, "slow:100%")).map { ProxyDecision($0, limits) }
    for decision in decisions {
      #expect(decision.slowness >= .zero && decision.slowness < .milliseconds(50))
      #expect(decision.lateness >= .zero && decision.lateness < .milliseconds(700))
    }
    #expect(Set(decisions.map(\.lateness)).count > 3900)
  }
}
