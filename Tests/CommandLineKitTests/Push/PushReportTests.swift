import HealthExports
import HealthModel
import Testing

@testable import CommandLineKit

/// What a push to several gateways says (R57).
@Suite(.unit) struct PushReportTests {
  private static let midnight = 1_770_505_200  // 2026-02-08T00:00:00+01:00

  private func push(to url: String, _ numbers: [DailyMetric: Double]) throws -> GatewayPush {
    let today = try #require(CalendarDate("2026-02-08"))
    let day = PushedDay(
      date: today, start: Self.midnight, end: Self.midnight + 86_400,
      generatedAt: Self.midnight + 40_000, numbers: numbers)
    var push = GatewayPush(try GatewayAddress(url, job: "job", instance: "me"))
    push.values = PushedValues(
      at: Self.midnight + 50_000, today: today, NewestValues(numbers.isEmpty ? [] : [day]))
    return push
  }

  @Test func `R57: each gateway has the numbers of its own push`() throws {
    var pushes = [
      try push(to: "http://one", [.steps: 8000, .activeEnergy: 500]),
      try push(to: "http://two", [.steps: 8000]), try push(to: "http://three", [:]),
    ]
    for index in 0..<2 { pushes[index].method = .add }
    let report = PushReport(pushes, at: Timestamp(secondsSince1970: Self.midnight + 50_000))
    let gateways = try #require(JSONValue(encoding: report.document)["gateways"]?.arrayValue)
    #expect(
      gateways.map { $0["metrics"]?.numberValue } == pushes.map { Double($0.metrics) })
    #expect(pushes[0].metrics == pushes[1].metrics + 1 && pushes[2].metrics == 0)
    #expect(gateways.map { $0["bytes"]?.numberValue } == pushes.map { Double($0.bytes) })
    #expect(!report.isEmpty)
    let lines = report.lines(Terminal(isTerminal: false, usesColor: false, width: 80))
    #expect(lines.count == 2)
    #expect(lines[0].contains("\(pushes[0].metrics) metrics"))
    #expect(lines[1].contains("\(pushes[1].metrics) metrics"))
    #expect(PushReport([pushes[2]], at: report.time).isEmpty)
  }
}
