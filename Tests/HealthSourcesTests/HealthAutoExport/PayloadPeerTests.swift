import Foundation
import TestSupport
import Testing

/// Payloads whose days an independent program worked out, with units by pint.
@Suite(.process) struct PayloadPeerTests {
  private struct Case: Decodable {
    let zone: String
    let payload: String
  }

  @Test
  func
    `R3, R18, R42: every metric agrees with the peer's, over shapes, clocks, units, zones, sources, fixtures`()
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
    let count = TestDepth.full(500, usual: 40)
    let output = try await PeerPython.run(
      "payload_days.py", arguments: ["1", "\(count)"] + fixtures)
    var (cases, numbers, refused) = (0, 0, 0)
    var faults: [String] = []
    for line in output.split(separator: UInt8(ascii: "\n")) {
      let one = try JSONDecoder().decode(Case.self, from: Data(line))
      let theirs = try JSONDecoder().decode(PeerDays.self, from: Data(line))
      let ours = try Payloads.days(one.payload, zone: one.zone)
      cases += 1
      numbers += theirs.days.values.reduce(0) { $0 + $1.count }
      refused += theirs.unsupported.count
      faults += theirs.differences(from: ours.days).map { "case \(cases) in \(one.zone): \($0)" }
    }
    #expect(faults.prefix(5) == [])
    #expect(cases == count + fixtures.count)
    #expect(numbers > count * 50 && refused > 0)
  }
}
