import Testing

@testable import FaultProxy

/// A plan is a value; its course is a function of the seed and the requests alone.
@Suite(.unit) struct PlanTests {
  private static let requests: [(ProxiedOperation, String)] = (0..<4000).map { number in
    let operation = ProxiedOperation.allCases[number % ProxiedOperation.allCases.count]
    return (operation, number % 3 == 0 ? "/b/latest.json" : "/b/revisions/\(number).json")
  }

  private func course(
    _ plan: ProxyPlan, _ requests: [(ProxiedOperation, String)] = requests
  ) -> [ProxySchedule.Decision] {
    var schedule = ProxySchedule(plan)
    return requests.map { schedule.arrive($0.0, path: $0.1) }
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
    let gets = Self.requests.map { _ in (ProxiedOperation.get, "/") }
    #expect(course(plan) == course(plan, gets))
  }

  @Test func `every fault is drawn about as often as asked, reads and writes alike`() throws {
    let decisions = course(try drawing(1, "all:50%"))
    for fault in ProxyFault.drawn {
      let struck = zip(Self.requests, decisions).filter { $1.fault == fault }
      let share = Double(struck.count) / 4000 * (fault.befallsReads ? 1 : 2)
      #expect(abs(share - 0.5 / Double(ProxyFault.drawn.count)) < 0.012, "\(fault) \(share)")
      #expect(fault.befallsReads || struck.allSatisfy { $0.0.0.isWrite })
    }
    #expect(!decisions.contains { $0.fault == .hold })
  }

  @Test func `a budget is kept, and the other faults go on`() throws {
    let decisions = course(try drawing(1, "drop=3,lose:50%"))
    #expect(decisions.count { $0.fault == .drop } == 3)
    #expect(decisions.count { $0.fault == .lose } > 800)
  }

  @Test func `a rule strikes the request of its kind that it names, and a position comes first`() {
    let plan = ProxyPlan(
      positions: [5: .reset],
      rules: [
        .init(.lose, on: .put, pathSuffix: "latest.json", which: [2]), .init(.slow, which: nil),
      ])
    let requests: [(ProxiedOperation, String)] = [
      (.put, "/b/latest.json"), (.get, "/b/latest.json"), (.put, "/b/other.json"),
      (.put, "/b/latest.json"), (.put, "/b/latest.json"),
    ]
    #expect(course(plan, requests).map(\.fault) == [.slow, .slow, .slow, .lose, .reset])
    #expect(course(plan, requests).map(\.number) == [1, 2, 3, 4, 5])
  }

  @Test func `waits stay within the plan's bounds`() throws {
    var plan = try drawing(3, "slow:100%")
    plan.slowest = .milliseconds(50)
    plan.latest = .milliseconds(700)
    for decision in course(plan) {
      #expect(decision.slowness >= .zero && decision.slowness < .milliseconds(50))
      #expect(decision.lateness >= .zero && decision.lateness < .milliseconds(700))
    }
    #expect(Set(course(plan).map(\.lateness)).count > 3900)
  }
}
