import Foundation
import HealthModel
import HealthSources
import TestSupport
import Testing

/// Random payloads whose totals an independent program worked out minute by minute.
@Suite(.process) struct PeerTotalsTests {
  struct Case: Decodable {
    let zone: String
    let payload: String
    let expected: [String: [String: Reading]]
  }

  enum Reading: Decodable {
    case number(Double)
    case status(String)

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if let number = try? container.decode(Double.self) {
        self = .number(number)
      } else {
        self = .status(try container.decode(String.self))
      }
    }
  }

  @Test(
    arguments: TestDepth.full(
      [("1", "120", "0"), ("2", "0", "2000")], usual: [("1", "12", "0"), ("2", "0", "250")]))
  func `R3: totals agree with the peer's, over zones, clock changes, clocks and sources`(
    seed: String, sampled: String, aggregated: String
  ) async throws {
    let output = try await PeerPython.run(
      "health_auto_export.py", arguments: [seed, sampled, aggregated])
    var count = 0
    var readings = 0
    var faults = 0
    for line in output.split(separator: UInt8(ascii: "\n")) {
      let one = try JSONDecoder().decode(Case.self, from: Data(line))
      let result = try SourceDocument.days(
        from: Array(one.payload.utf8), timeZoneName: one.zone)
      count += 1
      readings += result.days.reduce(0) { $0 + $1.readings.count }
      let differences = Self.differences(result, one.expected)
      guard !differences.isEmpty else { continue }
      faults += 1
      if faults <= 5 {
        Issue.record("seed \(seed), payload \(count) in \(one.zone): \(differences)")
      }
    }
    #expect(faults == 0)
    #expect(count == (Int(sampled) ?? 0) + (Int(aggregated) ?? 0))
    #expect(readings > 5 * count)
  }

  private static func differences(
    _ result: SourceResult, _ expected: [String: [String: Reading]]
  ) -> [String] {
    var found: [String] = []
    let days = Dictionary(
      uniqueKeysWithValues: result.days.map { ($0.date.description, $0.readings) })
    for date in Set(days.keys).union(expected.keys).sorted() {
      for metric in DailyMetric.required {
        let ours = days[date]?[metric]
        switch (ours, expected[date]?[metric.rawValue]) {
        case (nil, nil): break
        case (.value(let number)?, .number(let other)?):
          let tolerance = metric == .steps ? 0.5 : 1e-5
          if abs(number - other) > tolerance {
            found.append("\(date) \(metric.rawValue): \(number), the peer has \(other)")
          }
        case (let ours?, .status(let word)?) where ours.status.rawValue == word: break
        case (let ours, let other):
          found.append(
            "\(date) \(metric.rawValue): \(String(describing: ours)), "
              + "the peer has \(String(describing: other))")
        }
      }
    }
    return found
  }
}
