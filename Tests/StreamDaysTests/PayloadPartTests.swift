import HealthModel
import HealthSources
import HealthStreams
import StoreTesting
import Testing

@testable import StreamDays

/// Payloads that are longer than a batch (R55).
@Suite(.unit) struct PayloadPartTests {
  private static let device = StreamWorld.device

  /// Minutes of steps and heart rates of three days, weights of whole days, and weeks of energy, with
  /// members in any order.
  private static func payload(_ random: inout SplitMix64) -> String {
    var steps: [String] = []
    var rates: [String] = []
    for place in 0..<300 {
      let (day, minute) = (1 + place % 3, place / 3 * 7)
      let time = "2026-03-0\(day) \(10 + minute / 60 % 12):\(10 + minute % 50):00 +0000"
      steps.append(
        #"{"qty":\#(Int.random(in: 1...200, using: &random)),"date":"\#(time)","source":"Wat\/ch"}"#
      )
      rates.append(#"{"date":"\#(time)","Min":60,"Avg":\#(61 + place % 40),"Max":120}"#)
    }
    let weights = [1, 3].map { #"{"date":"2026-03-0\#($0) 00:00:00 +0000","qty":7\#($0).5}"# }
    let weeks = [2, 9, 16, 23].map { day in
      #"{"date":"2026-02-\#(day < 10 ? "0" : "")\#(day) 00:00:00 +0000","qty":3000}"#
    }
    func metric(_ name: String, _ units: String, _ rows: [String], isRowsFirst: Bool) -> String {
      let data = #""data":[\#(rows.joined(separator: ", "))]"#
      let names = #""name":"\#(name)","units":"\#(units)""#
      return "{\(isRowsFirst ? data + "," + names : names + "," + data)}"
    }
    let metrics = [
      metric("step_count", "count", steps, isRowsFirst: true),
      metric("heart_rate", "count/min", rates, isRowsFirst: false),
      metric("weight_body_mass", "kg", weights, isRowsFirst: true),
      metric("active_energy", "kcal", weeks, isRowsFirst: false),
    ]
    return """
      { "data": { "workouts": [{"id":"a"},{"id":"b"}], "metrics": [\(metrics.joined(separator: ","))]
      }, "further": true }
      """
  }

  private static func entries(_ text: String, bytes: Int) throws -> [StreamEntry] {
    try HealthAutoExportBody.parts(
      of: Array(text.utf8), digest: { _ in String(repeating: "a", count: 64) },
      headers: [:],
      receivedAt: Timestamp(secondsSince1970: 1_772_582_400),
      partBytes: bytes, spans: PayloadMoments.spans
    ).entries
  }

  private func append(_ entry: StreamEntry, to world: StreamWorld, session: String) async throws {
    let batch = HealthAutoExportBody.sealed(
      entry, headers: ["session-id": session], deviceID: Self.device,
      order: PreciseMoment(world.shared.now))
    _ = try await world.streams.append(
      batch, feed: "health-auto-export", receivedAt: PreciseMoment(world.shared.now), keeping: nil)
  }

  private func days(_ world: StreamWorld) async throws -> [[DailyMetric: Double]] {
    var days: [[DailyMetric: Double]] = []
    for date in ["2026-02-09", "2026-03-01", "2026-03-02", "2026-03-03"] {
      _ = try await world.derive(date)
      guard let revision = try await world.latest(date)?.revision else {
        days.append([:])
        continue
      }
      days.append(revision.readings.compactMapValues(\.number))
    }
    return days
  }

  @Test(arguments: [900, 2500, 20_000, 1_000_000])
  func
    `R55: a long payload in parts says what it says in one piece, and nothing before all are there`(
      bytes: Int
    ) async throws
  {
    var random = SplitMix64(seed: UInt64(bytes))
    let text = Self.payload(&random)
    let whole = try StreamWorld(at: "2026-03-04T12:00:00Z")
    try await append(
      try #require(try Self.entries(text, bytes: 1 << 22).first), to: whole, session: "s")
    let expected = try await days(whole)
    #expect(expected[0].isEmpty && expected[1].count >= 3, "\(expected)")

    var entries = try Self.entries(text, bytes: bytes)
    #expect(bytes >= 1_000_000 ? entries.count == 1 : entries.count > 1)
    for entry in entries {
      let payload = try #require(try JSONValue(parsing: entry.bytes)["payload"])
      #expect(payload.canonicalBytes.count < bytes + 200)
    }
    let world = try StreamWorld(at: "2026-03-04T12:00:00Z")
    entries.shuffle(using: &random)
    for entry in entries.dropLast() { try await append(entry, to: world, session: "s") }
    if entries.count > 1 {
      #expect(try await days(world) == [[:], [:], [:], [:]], "a part is missing")
    }
    try await append(entries[entries.count - 1], to: world, session: "s")
    #expect(try await days(world) == expected)
    // The same again is the same; a later capture takes its place as that of any payload.
    for entry in entries { try await append(entry, to: world, session: "s") }
    #expect(try await days(world) == expected)
  }

  @Test(arguments: [
    "[]", "{", #"{"data":{"metrics":[{"name":"a","name":"b"}]}}"#, #"{"a":1,"a":2}"#,
    #"{"data":{"metrics":[{"data":[1,]}]}}"#, "{} x",
    #"{"data":{"metrics":[{"data":["\#(String(repeating: "x", count: 600))"]}]}}"#,
  ])
  func `R55: a body that is not a payload, or has a row that is too long, is refused`(body: String)
  {
    #expect(throws: RequestFault.self) { try Self.entries(body, bytes: 1000) }
  }
}
