import ObjectStore
import StoreTesting
import Testing

@Suite(.unit) struct FaultPlanTests {
  private func faults(_ plan: FaultPlan, _ requests: [(StoreRequest.Kind, String)]) -> [Fault?] {
    var schedule = FaultSchedule(plan)
    return requests.map { schedule.arrive($0.0, $0.1).fault }
  }

  @Test func `a rule strikes the requests that it names, by kind, key and count`() {
    let plan = FaultPlan(rules: [
      FaultPlan.Rule(.lost, on: .put, keySuffix: "latest.json", which: [2]),
      FaultPlan.Rule(.answerLost, on: .list, which: nil),
    ])
    let struck = faults(
      plan,
      [
        (.put, "a/latest.json"), (.get, "a/latest.json"), (.put, "a/other.json"),
        (.put, "b/latest.json"), (.put, "c/latest.json"), (.list, "a/"), (.list, "b/"),
      ])
    #expect(struck == [nil, nil, nil, .lost, nil, .answerLost, .answerLost])
  }

  @Test func `a position comes before a rule, and a rule before the lottery`() {
    let plan = FaultPlan(
      positions: [1: .lost], rules: [FaultPlan.Rule(.answerLost, which: [1, 2])],
      lottery: FaultPlan.Lottery(seed: 1, perMille: 1000, faults: [.resent]))
    #expect(
      faults(plan, [(.get, "a"), (.get, "a"), (.get, "a")]) == [.lost, .answerLost, .resent])
  }

  @Test func `a lottery repeats by its seed, and strikes about as often as it says`() {
    func drawn(_ seed: UInt64) -> [Fault?] {
      let lottery = FaultPlan.Lottery(seed: seed, perMille: 250, faults: [.lost, .answerLost])
      return faults(FaultPlan(lottery: lottery), Array(repeating: (.get, "a"), count: 4000))
    }
    #expect(drawn(7) == drawn(7))
    #expect(drawn(7) != drawn(8))
    #expect((800...1200).contains(drawn(7).count { $0 != nil }))
    #expect((300...700).contains(drawn(7).count { $0 == .lost }))
  }

  @Test func `writes under way come out when due, in the order of sending`() throws {
    var schedule = FaultSchedule(.none)
    _ = schedule.arrive(.put, "a")
    schedule.postpone(try key("a"), [1], if: .absent, requests: 2)
    schedule.postpone(try key("b"), [2], if: .absent, requests: 1)
    schedule.postpone(try key("c"), nil, if: .absent, requests: 9)
    #expect(schedule.arrive(.get, "x").late.map(\.key) == [try key("b")])
    #expect(schedule.arrive(.get, "x").late.map(\.key) == [try key("a")])
    #expect(schedule.settle().map(\.key) == [try key("c")])
    #expect(schedule.settle().isEmpty)
  }
}
