import HealthModel
import HealthSources
import StoreTesting
import TestSupport
import Testing

/// Whatever the bytes: a result that can be published, or an error; never a crash or nonsense.
@Suite(.unit) struct HostileInputTests {
  private static let seeds = [
    "hae_v2_daily_aggregated", "hae_pre662_12h_narrow_nbsp", "hae_v2_unaggregated",
    "marshal_non_aggregated_sleep_analysis_4", "marshal_metrics_1", "every_shape",
    "freereps_spec_workout_v2_all_series",
  ]
  private static let tokens = [
    "null", "-1", "1e308", "1e-320", "0", "\"\"", "[]", "{}", "true", "99999999999999999999",
    "\"1900-01-01 00:00:00 +1800\"", "\"2199-12-31 23:59:59 -1800\"", "\"2024-06-10\"",
    "\"2024-06-09 18:00:00 +0200\"", "\"Awake\"", "\"A|B\"", "\"kJ\"", "\"degF\"", "\"mmol/L\"",
    "1e12", "[{\"qty\":1e12,\"units\":\"km\"}]", "{\"qty\":5}",
  ]

  @Test(arguments: seeds) func `values swapped for others`(name: String) throws {
    let text = String(decoding: try Payloads.fixture(name), as: UTF8.self)
    var random = SplitMix64(seed: 7)
    var read = 0
    for _ in 0..<300 {
      var parts = text.split(separator: ": ", omittingEmptySubsequences: false).map(String.init)
      if parts.count < 3 { parts = text.split(separator: ":").map(String.init) }
      let joint = text.contains(": ") ? ": " : ":"
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let index = Int.random(in: 1..<parts.count, using: &random)
        let part = parts[index]
        guard let end = part.firstIndex(where: { $0 == "," || $0 == "\n" || $0 == "}" }),
          let token = Self.tokens.randomElement(using: &random)
        else { continue }
        parts[index] = token + part[end...]
      }
      if try publishable(Array(parts.joined(separator: joint).utf8), &random) { read += 1 }
    }
    #expect(read > 10, "most swaps must leave JSON that is looked at")
  }

  @Test(arguments: seeds) func `bytes flipped, dropped and doubled`(name: String) throws {
    let bytes = try Payloads.fixture(name)
    var random = SplitMix64(seed: 11)
    for _ in 0..<300 {
      var broken = bytes
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        let index = Int.random(in: 0..<broken.count, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: broken[index] = UInt8.random(in: 0...255, using: &random)
        case 1: broken.remove(at: index)
        default: broken.insert(broken[index], at: index)
        }
      }
      _ = try publishable(broken, &random)
    }
  }

  /// True for a result, which must hold only finite numbers of 0 or more; false for a refusal.
  private func publishable(_ bytes: [UInt8], _ random: inout SplitMix64) throws -> Bool {
    let zones = ["Europe/Berlin", "Pacific/Apia", "America/Nuuk", "Asia/Kathmandu"]
    let zone = zones.randomElement(using: &random) ?? "UTC"
    do {
      var options = PayloadOptions()
      options.keepsRecords = true
      var series = try PayloadSeries(timeZoneName: zone, options: options)
      try series.add(SourceDocument(parsing: bytes))
      let result = try series.result()
      for day in try series.records() {
        for workout in day.workouts {
          #expect(workout.start <= workout.end && !workout.id.isEmpty)
          #expect(workout.figures.values.allSatisfy { $0.isFinite && $0 >= 0 })
        }
        #expect(day.sleep.allSatisfy { $0.start < $0.end })
      }
      for day in result.days {
        #expect(day.readings.optional.values.allSatisfy { $0.isFinite && $0 >= 0 })
        for case .value(let number) in day.readings.values {
          #expect(number.isFinite && number >= 0)
        }
      }
      #expect(zip(result.days, result.days.dropFirst()).allSatisfy { $0.date < $1.date })
      return true
    } catch {
      #expect(error.problemCount >= 1 && !error.description.isEmpty)
      return false
    }
  }
}
