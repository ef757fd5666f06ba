import Foundation
import StoreTesting
import TestSupport
import Testing

/// Summaries and lists of `s3health mcp`, held against pandas and Python's statistics
/// (Tests/Peers/mcp_summary.py), and against their output schemas (R61).
@Suite(.process) struct AgentOverviewTests {
  private static let keys = [
    "steps", "resting_hr_avg", "sleep_asleep_minutes", "weight", "vo2_max",
  ]

  /// Days of two years with gaps, and each metric on some of them.
  private static func days(_ random: inout SplitMix64) -> [String: [String: Double]] {
    var days: [String: [String: Double]] = [:]
    for offset in 0..<TestDepth.full(730, usual: 200)
    where Int.random(in: 0..<5, using: &random) > 0 {
      let date = Date(timeIntervalSince1970: 1_704_067_200 + Double(offset) * 86_400)
      var day: [String: Double] = [:]
      for key in keys where Int.random(in: 0..<3, using: &random) > 0 {
        // Such as none of the metrics doubts.
        let number = Double.random(in: 20..<100, using: &random)
        day[key] = key == "steps" ? number.rounded() : (number * 1000).rounded() / 1000
      }
      days[String(date.formatted(.iso8601).prefix(10))] = day
    }
    return days
  }

  private static func asks(_ random: inout SplitMix64) -> [[String: Any]] {
    func date(_ offset: Int) -> String {
      String(
        Date(timeIntervalSince1970: 1_704_067_200 + Double(offset) * 86_400)
          .formatted(.iso8601).prefix(10))
    }
    return (0..<60).map { number in
      let start = Int.random(in: -20..<740, using: &random)
      let length = Int.random(in: 0..<(number % 2 == 0 ? 30 : 366), using: &random)
      var ask: [String: Any] = [
        "start_date": date(start), "end_date": date(start + length), "metrics": keys,
      ]
      if number % 3 != 0 { ask["by"] = number % 3 == 1 ? "week" : "month" }
      if number % 4 != 0 {
        ask["compare_start_date"] = date(start - length - 1)
        ask["compare_end_date"] = date(start - 1)
      }
      return ask
    }
  }

  /// Where two figures differ by more than rounding to six decimals explains.
  private func differences(_ ours: Any?, _ theirs: Any?, at place: String) -> [String] {
    if let theirs = theirs as? [String: Any] {
      let ours = ours as? [String: Any] ?? [:]
      return theirs.flatMap { differences(ours[$0], $1, at: "\(place)/\($0)") }
        + ours.keys.filter { theirs[$0] == nil }.map { "\(place)/\($0) is more" }
    }
    if let theirs = theirs as? [Any] {
      let ours = ours as? [Any] ?? []
      guard ours.count == theirs.count else { return ["\(place): \(ours.count)"] }
      return zip(ours, theirs).enumerated().flatMap {
        differences($1.0, $1.1, at: "\(place)/\($0)")
      }
    }
    if let theirs = theirs as? Double, let ours = ours as? Double {
      return abs(ours - theirs) <= 1e-6 ? [] : ["\(place): \(ours), not \(theirs)"]
    }
    return ours as? NSObject == theirs as? NSObject ? [] : ["\(place): \(ours ?? "none")"]
  }

  @Test func `R61: summaries and lists say what pandas finds in the same days`() async throws {
    var random = SplitMix64(seed: 61)
    let (days, asks) = (Self.days(&random), Self.asks(&random))
    let program = try Program()
    defer { program.removeHome() }
    let payload = days.map {
      ["date": $0, "timezone": "Europe/Berlin", "metrics": $1] as [String: Any]
    }
    try await program.succeeds(
      ["put", "--input", "-", "--date", "all"],
      input: Array(try JSONSerialization.data(withJSONObject: ["days": payload])))
    let question: [String: Any] = ["days": days, "over": "2099-12-31", "asks": asks]
    let output = try await PeerPython.run(
      "mcp_summary.py", input: Array(try JSONSerialization.data(withJSONObject: question)))
    let answers = try #require(
      try JSONSerialization.jsonObject(with: Data(output)) as? [[String: Any]])
    var lines = [AgentLine.hello, AgentLine.tools]
    for (number, ask) in asks.enumerated() {
      func call(_ id: Int, _ tool: String, _ arguments: [String: Any]) throws {
        let text = String(
          decoding: try JSONSerialization.data(withJSONObject: arguments), as: UTF8.self)
        lines.append(
          AgentLine.request(id, "tools/call", #"{"name":"health.\#(tool)","arguments":\#(text)}"#))
      }
      try call(100 + 2 * number, "summarize_range", ask)
      let dates = ask.filter { ["start_date", "end_date"].contains($0.key) }
      try call(101 + 2 * number, "list_metrics", dates)
    }
    let run = try await program.agent(lines)
    for number in asks.indices {
      let (theirs, place) = (answers[number], "\(asks[number])")
      let summary = try run.content(100 + 2 * number)
      let compared = (summary["compared"] as? [String: Any])?["metrics"]
      for (ours, name) in [
        (summary["metrics"], "metrics"), (summary["periods"], "periods"), (compared, "compared"),
        (summary["change"], "change"),
      ] {
        let found = differences(ours, theirs[name], at: name)
        #expect(found.isEmpty, "\(place): \(found)")
      }
      let listed = try #require(
        try run.content(101 + 2 * number)["metrics"] as? [String: [String: Any]])
      let counts = listed.mapValues { metric in
        metric.filter { ["days", "first_date", "last_date"].contains($0.key) }
      }
      #expect(differences(counts, theirs["list"], at: "list").isEmpty, "\(place)")
    }
    let shapes = try await run.fitsTheProtocol()
    #expect(shapes["fits its schema"] == 2 * asks.count, "\(shapes)")
  }
}
