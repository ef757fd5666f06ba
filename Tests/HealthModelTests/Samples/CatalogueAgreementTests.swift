import HealthModel
import Testing

/// The required metrics of the format (R9), as the catalogue has them.
@Suite(.unit) struct CatalogueAgreementTests {
  /// The table of R9.
  private static let format = [
    "steps": "count", "active_energy_kcal": "kcal", "exercise_minutes": "min",
    "stand_hours": "hr", "resting_hr_avg": "bpm", "hrv_sdnn_avg": "ms",
    "sleep_asleep_minutes": "min", "sleep_in_bed_minutes": "min",
  ]

  @Test func `R9: the catalogue has the eight required metrics, in their order and units`() {
    #expect(
      DailyMetric.required.map(\.rawValue) == [
        "steps", "active_energy_kcal", "exercise_minutes", "stand_hours", "resting_hr_avg",
        "hrv_sdnn_avg", "sleep_asleep_minutes", "sleep_in_bed_minutes",
      ])
    for metric in DailyMetric.required {
      #expect(metric.unitLabel == Self.format[metric.rawValue])
    }
  }

  @Test func `each metric is either required or optional, and in order the required come first`() {
    #expect(DailyMetric.inOrder == DailyMetric.required + DailyMetric.optional)
    #expect(DailyMetric.inOrder.count == DailyMetric.allCases.count)
    #expect(Set(DailyMetric.inOrder) == Set(DailyMetric.allCases))
    #expect(DailyMetric.required.allSatisfy { $0.isRequired })
    #expect(!DailyMetric.optional.contains { $0.isRequired })
  }
}
