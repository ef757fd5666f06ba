import Foundation
import HealthSources
import TestSupport
import Testing

/// What users are shown must work.
@Suite(.unit) struct ExamplePayloadTests {
  private func bytes(_ path: String) throws -> [UInt8] {
    Array(try Data(contentsOf: ProjectTree.root.appending(path: path)))
  }

  @Test func `the sample metrics JSON`() throws {
    let result = try SourceDocument.days(
      from: bytes("Examples/payloads/metrics.json"), timeZoneName: "UTC")
    #expect(
      result.table == [
        "2026-02-08": [
          "steps": "8432.0", "active_energy_kcal": "512.4", "exercise_minutes": "38.0",
          "stand_hours": "11.0", "resting_hr_avg": "58.0", "hrv_sdnn_avg": "unauthorized",
          "sleep_asleep_minutes": "421.5", "sleep_in_bed_minutes": "455.0",
        ]
      ])
    #expect(result.days.first?.timeZoneName == "Europe/Berlin")
  }

  @Test func `the sample payload of Health Auto Export`() throws {
    let result = try SourceDocument.days(
      from: bytes("Examples/payloads/health-auto-export.json"), timeZoneName: "Europe/Berlin")
    #expect(result.days.map(\.date.description) == ["2026-02-06", "2026-02-07", "2026-02-08"])
    #expect(result.days.map(\.readings.count) == [15, 15, 14])
    // 2143.8816 kJ / 4.184 = 512.4 kcal; (4.4 + 1.12 + 1.7) h = 433.2 min; 23:20 to 07:30.
    #expect(
      result.table["2026-02-08"] == [
        "steps": "8432.0", "active_energy_kcal": "512.4", "exercise_minutes": "38.0",
        "stand_hours": "11.0", "resting_hr_avg": "58.0", "sleep_asleep_minutes": "433.2",
        "sleep_in_bed_minutes": "490.0",
      ])
    #expect(
      result.optionalTable["2026-02-08"] == [
        "heart_rate_min": 50, "heart_rate_avg": 69.8, "heart_rate_max": 119,
        "sleep_core_minutes": 264, "sleep_deep_minutes": 67.2, "sleep_rem_minutes": 102,
        "sleep_awake_minutes": 36.3,
      ])
    #expect(result.notes.isEmpty)
  }

  @Test func `every example in the description of the format is an input`() throws {
    let text = String(decoding: try bytes("docs/METRICS-JSON.md"), as: UTF8.self)
    let examples = text.components(separatedBy: "```json\n").dropFirst().compactMap {
      $0.components(separatedBy: "```").first
    }
    #expect(examples.count == 2)
    for example in examples {
      #expect(try !Payloads.days(example).days.isEmpty)
    }
  }
}
