import AppleExport
import Foundation
import HealthModel
import HealthSources
import TestSupport
import Testing

/// Random samples whose days an independent program worked out minute by minute.
@Suite(.process) struct ExportPeerTests {
  @Test(arguments: TestDepth.full([["1"], ["2"], ["3", "moves"]], usual: [["3", "moves"]]))
  func `R18: days agree with the peer's, over zones, clock changes, units and sources`(
    arguments: [String]
  ) async throws {
    let count = TestDepth.full(100, usual: 15)
    let output = try await PeerPython.run(
      "export_days.py", arguments: [arguments[0], "\(count)"] + arguments.dropFirst())
    var cases = 0
    var readings = 0
    var faults: [String] = []
    for line in output.split(separator: UInt8(ascii: "\n")) {
      let one = try #require(
        try JSONSerialization.jsonObject(with: Data(line)) as? [String: Any])
      let zone = one["zone"] as? String ?? ""
      let result = try Self.export(one).days(zone, samplesInMemory: 300)
      let expected = one["expected"] as? [String: [String: Any]] ?? [:]
      cases += 1
      readings += result.days.reduce(0) { $0 + $1.readings.readings.count }
      faults += Self.differences(result, expected).map { "case \(cases) in \(zone): \($0)" }
    }
    #expect(faults.prefix(5) == [])
    #expect(cases == count)
    #expect(readings > 20 * cases)
  }

  private static func export(_ one: [String: Any]) -> SampleExport {
    var export = SampleExport()
    export.exportDate = (one["exportDate"] as? NSNumber)?.int64Value
    for source in one["sources"] as? [[String]] ?? [] {
      _ = export.number(of: ExportSource(name: source[0], hardware: source[1]))
    }
    for row in one["samples"] as? [[Any]] ?? [] {
      guard let kind = SampleKind.allCases.first(where: { "\($0)" == row[0] as? String }),
        let unit = SampleUnit(rawValue: row[1] as? String ?? "")
      else { continue }
      let numbers = row.map { $0 as? NSNumber ?? 0 }
      export.samples.append(
        ExportSample(
          kind: kind, unit: unit, isUserEntered: numbers[2].boolValue,
          source: numbers[3].uint16Value, start: numbers[4].int64Value,
          end: numbers[5].int64Value, value: numbers[6].doubleValue))
    }
    return export
  }

  private static func differences(
    _ result: CollectedExport, _ expected: [String: [String: Any]]
  ) -> [String] {
    var found: [String] = []
    let dates = Set(result.days.map { "\($0.readings.date)" }).union(expected.keys)
    for date in dates.sorted() {
      for metric in DailyMetric.required {
        let ours = result[date]?.readings.readings[metric]
        let theirs = expected[date]?[metric.rawValue]
        if let number = (theirs as? NSNumber)?.doubleValue {
          let tolerance = metric == .steps ? 0.500001 : 1e-5
          if let own = ours?.number, abs(own - number) <= tolerance { continue }
        } else if theirs as? String == ours?.status.rawValue {
          continue
        }
        found.append("\(date) \(metric.rawValue): \(ours as Any), the peer has \(theirs as Any)")
      }
    }
    return found
  }
}
