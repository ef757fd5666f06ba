import HealthModel
import StoreTesting
import Testing

@testable import HealthSources

/// Rows that do not fit into memory wait in a temporary file, and count the same (R18).
@Suite(.unit) struct ManyRowsTests {
  private func result(
    _ payloads: [[UInt8]], rowsInMemory: Int, zone: String = "Europe/Berlin"
  ) throws -> (SourceResult, [DayRecords]) {
    var options = PayloadOptions()
    (options.keepsRecords, options.rowsInMemory) = (true, rowsInMemory)
    var series = try PayloadSeries(timeZoneName: zone, options: options)
    for payload in payloads { try series.add(SourceDocument(parsing: payload)) }
    return (try series.result(), try series.records())
  }

  @Test(arguments: [
    "hae_v2_daily_aggregated", "hae_v2_unaggregated", "hae_pre662_12h_narrow_nbsp", "every_shape",
    "marshal_aggregated_sleep_analysis_3", "marshal_non_aggregated_sleep_analysis_4",
    "unmarshal_metrics_6",
  ])
  func `a payload of more rows than memory has the days of one that fits`(name: String) throws {
    let bytes = try Payloads.fixture(name)
    let expected = try result([bytes, bytes], rowsInMemory: .max)
    for rows in [1, 2, 7] {
      let found = try result([bytes, bytes], rowsInMemory: rows)
      #expect(found.0 == expected.0 && found.1 == expected.1, "\(name) with \(rows)")
    }
  }

  /// Two payloads of random rows, in any order, with repeats and replacements, over a summer's change
  /// of the clock.
  @Test(arguments: 1...12 as ClosedRange<UInt64>)
  func `random rows of any order count the same in memory and in a file`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    func moment(_ random: inout SplitMix64) -> String {
      let day = Int.random(in: 28...31, using: &random)
      let minutes = Int.random(in: 0..<1440, using: &random)
      let (hour, minute) = (minutes / 60, minutes % 60)
      return
        "2026-03-\(day) \(hour < 10 ? "0" : "")\(hour):\(minute < 10 ? "0" : "")\(minute):00 +0100"
    }
    func rows(_ random: inout SplitMix64) -> [String] {
      (0..<60).map { _ in
        Payloads.row(
          moment(&random), "\(Double.random(in: 0...99, using: &random))",
          ["Watch", "Phone", "A|B", ""].randomElement(using: &random) ?? "")
      }
    }
    let payloads = (0..<2).map { _ in
      var series = ["step_count", "resting_heart_rate", "dietary_water", "apple_stand_hour"].map {
        (name: $0, units: $0 == "dietary_water" ? "mL" : "count", rows: rows(&random))
      }
      let days = (1...5).map { Payloads.row("2026-03-2\($0) 00:00:00 +0100", "\($0 * 100)") }
      series.append((name: "active_energy", units: "kcal", rows: days))
      series.append((name: "active_energy", units: "kcal", rows: rows(&random)))
      return Array(Payloads.export(series).utf8)
    }
    let expected = try result(payloads + [payloads[0]], rowsInMemory: .max)
    #expect(expected.0.days.count >= 4)
    let found = try result(payloads + [payloads[0]], rowsInMemory: 5)
    #expect(found.0 == expected.0, "seed \(seed)")
  }

  @Test func `a temporary file that can't be made refuses the payload, and no number is partial`()
    throws
  {
    var kept = KeptRows(capacity: 1, moments: nil, folder: "/nonexistent")
    let row = QuantityRow(start: 0, end: nil, quantity: 1, source: 0, capture: 0)
    for _ in 0..<3 { kept.add(row, .whole, of: .stepCount) }
    #expect(kept.failure?.code == .spool)
    #expect(
      kept.inOrder().failure?.message.hasPrefix("making a temporary file in /nonexistent failed: ")
        == true)
  }

  @Test func `a row keeps what it says in four words`() {
    for (start, length) in [(-2_209_100_000, nil), (0, 0), (7_258_200_000, 31 * 86_400), (5, 59)]
      as [(Int, Int?)]
    {
      var row = QuantityRow(
        start: start, end: length.map { start + $0 }, quantity: 1.25, source: 70_000,
        capture: 99_999)
      row.second = 3.5
      let packed = PackedRow(row, .greatest, of: .heartRate)
      var words: [UInt64] = []
      packed.append(to: &words)
      let read = PackedRow(words: words[...])
      #expect(read == packed && words.count == PackedRow.wordCount)
      #expect(read.row.start == start && read.row.end == length.map { start + $0 })
      #expect(read.row.quantity == 1.25 && read.row.second == 3.5)
      #expect(read.row.source == 70_000 && read.row.capture == 99_999)
      #expect(read.part == .greatest && read.kind == SampleKind.heartRate.rawValue)
    }
  }

  @Test func `every kind of sample fits a packed row`() {
    for kind in SampleKind.allCases {
      let row = QuantityRow(start: 0, end: 60, quantity: 1, source: 0, capture: 0)
      let packed = PackedRow(row, .whole, of: kind)
      #expect(packed.kind == kind.rawValue && packed.start == 0, "\(kind)")
    }
  }
}
