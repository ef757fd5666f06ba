import Foundation
import HealthModel
import TestSupport
import Testing

/// docs/METRICS.md, held against the catalogue.
@Suite(.unit) struct MetricsDocumentTests {
  private static let document = try? text("docs/METRICS.md")

  private static func text(_ path: String) throws -> String {
    try String(
      contentsOf: ProjectTree.root.appending(path: path), encoding: .utf8)
  }

  private static func word(_ aggregation: DailyAggregation) -> String {
    switch aggregation {
    case .sum: "sum"
    case .entries: "sum of entries"
    case .mean: "mean"
    case .least: "lowest"
    case .greatest: "highest"
    case .latest: "latest"
    case .latestTime: "time of latest"
    case .level: "level"
    case .hours: "hours"
    case .duration: "union"
    case .night: "union by night"
    }
  }

  private static func number(_ bound: Double) -> String {
    bound.formatted(.number.locale(Locale(identifier: "en_US")))
  }

  private static func row(_ metric: DailyMetric) -> String {
    func code(_ text: String, isStrong: Bool = false) -> String {
      isStrong ? "**`\(text)`**" : "`\(text)`"
    }
    // Blood pressure's two numbers stand in the rows of one name.
    let isPressure =
      metric.kind == .bloodPressureSystolic || metric.kind == .bloodPressureDiastolic
    let names = isPressure ? ["blood_pressure"] : metric.kind.payloadNames
    let cells = [
      code(metric.rawValue, isStrong: metric.isRequired), code(metric.unitLabel),
      "\(number(metric.plausible.lowerBound)) to \(number(metric.plausible.upperBound))",
      code(metric.kind.identifier), word(metric.aggregation),
      names.isEmpty ? "–" : names.map { code($0) }.joined(separator: ", "),
      code(metric.recordType, isStrong: metric.hasGivenRecordType),
      metric.aggregation == .latestTime
        ? "–" : "\(code(metric.prometheusName)) (\(metric.prometheusType.rawValue))",
    ]
    return "| \(cells.joined(separator: " | ")) |"
  }

  @Test(arguments: DailyMetric.allCases)
  func `the document has the row of every metric`(metric: DailyMetric) throws {
    let rows = try #require(Self.document).split(separator: "\n").filter {
      $0.hasPrefix("| `\(metric.rawValue)`") || $0.hasPrefix("| **`\(metric.rawValue)`")
    }
    #expect(rows.map(String.init) == [Self.row(metric)])
  }

  @Test func `the document has no other row, and the groups in their order`() throws {
    let lines = try #require(Self.document).split(separator: "\n")
    let keys = lines.filter { $0.hasPrefix("| `") || $0.hasPrefix("| **`") }
    #expect(keys.count == DailyMetric.allCases.count)
    #expect(
      lines.filter { $0.hasPrefix("### ") }.map { $0.dropFirst(4).lowercased() }
        == MetricGroup.allCases.map(\.label))
  }

  @Test
  func `R42: the schema knows every metric and its unit, and requires the required ones alone`()
    throws
  {
    let schema = try #require(
      try JSONSerialization.jsonObject(with: Data(Self.text("schema/health.v0.schema.json").utf8))
        as? [String: Any])
    let properties = try #require(schema["properties"] as? [String: [String: Any]])
    let (metrics, units) = (properties["metrics"], properties["metric_units"])
    let keys = Set(DailyMetric.allCases.map(\.rawValue))
    #expect(Set(try #require(metrics?["properties"] as? [String: Any]).keys) == keys)
    let constants = try #require(units?["properties"] as? [String: [String: String]])
    #expect(Set(constants.keys) == keys)
    for metric in DailyMetric.allCases {
      #expect(constants[metric.rawValue] == ["const": metric.unitLabel], "\(metric)")
    }
    let required = DailyMetric.required.map(\.rawValue)
    #expect(metrics?["required"] as? [String] == required)
    #expect(units?["required"] as? [String] == required)
  }

  @Test func `Prometheus names are valid, each once, and those that are given stand as given`() {
    let names = DailyMetric.allCases.filter { $0.latestOf == nil }.map(\.prometheusName)
    #expect(Set(names).count == names.count)
    #expect(DailyMetric.weightLatest.prometheusName == DailyMetric.weight.prometheusName)
    #expect(names.allSatisfy { $0.wholeMatch(of: #/healthkit_[a-z][a-z0-9_]*/#) != nil })
    let given: [(DailyMetric, String)] = [
      (.steps, "healthkit_steps_total"),
      (.activeEnergy, "healthkit_active_energy_burned_calories"),
      (.weight, "healthkit_body_weight_kg"),
      (.distance, "healthkit_distance_walking_running_meters_total"),
      (.basalEnergy, "healthkit_basal_energy_burned_calories_total"),
      (.sleepAsleep, "healthkit_sleep_minutes_total"),
      (.bodyMassIndex, "healthkit_body_mass_index"),
      (.bodyFat, "healthkit_body_fat_percent"),
      (.bloodPressureSystolic, "healthkit_blood_pressure_systolic_mmhg"),
      (.bloodPressureDiastolic, "healthkit_blood_pressure_diastolic_mmhg"),
      (.oxygenSaturation, "healthkit_oxygen_saturation_percent"),
      (.bloodGlucose, "healthkit_blood_glucose_mg_dl"),
      (.restingHeartRate, "healthkit_resting_heart_rate_bpm"),
      (.heartRateVariability, "healthkit_hrv_sdnn_ms"),
    ]
    for (metric, name) in given { #expect(metric.prometheusName == name) }
    #expect(DailyMetric.steps.prometheusHelp() == "Total number of steps taken.")
  }

  @Test func `R56: the 28 type strings are given, with units that convert`() {
    let types = DailyMetric.allCases.filter(\.hasGivenRecordType)
    #expect(types.count == 28)
    #expect(Set(DailyMetric.allCases.map(\.recordType)).count == DailyMetric.allCases.count)
    for metric in DailyMetric.allCases {
      #expect(metric.unit.convert(1, to: metric.recordUnit) != nil, "\(metric)")
    }
    #expect(DailyMetric.weight.recordType == "Weight/Body Mass (lb)")
    #expect(DailyMetric.weight.recordUnitLabel == "lb")
    #expect(DailyMetric.vo2Max.recordUnitLabel == "ml/(kg·min)")
    #expect(DailyMetric.heartRateMinimum.recordType == "Heart Rate [Min] (bpm)")
  }

  @Test(arguments: DailyMetric.allCases)
  func `what is plausible is a range that is not empty and not below zero`(metric: DailyMetric) {
    #expect(metric.plausible.lowerBound >= 0)
    #expect(metric.plausible.upperBound > metric.plausible.lowerBound)
    #expect(!metric.label.isEmpty)
  }
}
