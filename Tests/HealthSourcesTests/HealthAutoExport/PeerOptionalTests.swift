import Foundation
import HealthSources
import TestSupport
import Testing

/// Payloads whose optional metrics an independent program worked out, with units by pint.
@Suite(.process) struct PeerOptionalTests {
  struct Case: Decodable {
    let zone: String
    let payload: String
    let expected: [String: [String: Double]]
  }

  @Test
  func `R42: the optional metrics agree with the peer's, over shapes, units, zones and fixtures`()
    async throws
  {
    let fixtures = [
      ("Europe/Berlin", "every_shape"), ("Europe/Berlin", "hae_v2_daily_aggregated"),
      ("Europe/Berlin", "hae_v2_unaggregated"), ("Asia/Singapore", "hae_pre662_12h_narrow_nbsp"),
      ("America/Los_Angeles", "freereps_spec_metrics_aggregated"),
      ("America/Los_Angeles", "freereps_spec_sleep_unaggregated"), ("UTC", "po4yka_rest_iso_dates"),
      ("Asia/Singapore", "marshal_aggregated_sleep_analysis_3"),
      ("Asia/Singapore", "unmarshal_metrics_6"), ("Asia/Singapore", "unmarshal_workouts_7"),
    ].map { "\($0)=\(Payloads.path(ofFixture: $1))" }
    let count = TestDepth.full(40, usual: 12)
    let output = try await PeerPython.run(
      "payload_metrics.py", arguments: ["1", "\(count)"] + fixtures)
    var cases = 0
    var numbers = 0
    for line in output.split(separator: UInt8(ascii: "\n")) {
      let one = try JSONDecoder().decode(Case.self, from: Data(line))
      let days = try Payloads.days(one.payload, zone: one.zone)
      let ours = days.optionalTable.merging(days.latestTable) { $0.merging($1) { $1 } }
      cases += 1
      numbers += one.expected.values.reduce(0) { $0 + $1.count }
      #expect(Set(ours.keys) == Set(one.expected.keys), "case \(cases) in \(one.zone)")
      for (date, expected) in one.expected {
        for key in Set(expected.keys).union((ours[date] ?? [:]).keys).sorted() {
          let (own, other) = (ours[date]?[key], expected[key])
          let isSame = own.flatMap { own in
            other.map { abs(own - $0) <= max(2e-6, abs($0) * 1e-9) }
          }
          #expect(
            isSame == true,
            "case \(cases), \(date) \(key): \(String(describing: own)), not \(String(describing: other))"
          )
        }
      }
    }
    #expect(cases == count + fixtures.count)
    #expect(numbers > count * 40)
  }
}
