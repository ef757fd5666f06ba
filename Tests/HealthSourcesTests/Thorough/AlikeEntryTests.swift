import AppleExport
import Foundation
import HealthModel
import HealthSources
import StoreTesting
import TestSupport
import Testing

/// Entries that say the same of the same time, and repeated records (R18).
@Suite(.unit) struct AlikeEntryTests {
  /// A record of 2024-06-01, typed in at some second of its minute.
  private func record(
    _ type: String, _ value: String, _ unit: String, at time: String = "08:00:00",
    second: Int = 1, _ metadata: [String: String] = [:], device: String = ""
  ) -> String {
    let entries = metadata.sorted { $0.key < $1.key }
      .map { "<MetadataEntry key=\"\($0.key)\" value=\"\($0.value)\"/>" }.joined()
    return """
      <Record type="HKQuantityTypeIdentifier\(type)" sourceName="App" sourceVersion="1" \
      \(device)unit="\(unit)" creationDate="2024-06-01 09:00:\(String(100 + second).dropFirst()) \
      +0000" startDate="2024-06-01 \(time) +0000" endDate="2024-06-01 \(time) +0000" \
      value="\(value)">\(entries)</Record>
      """
  }

  private func read(_ records: String...) throws -> CollectedExport {
    let folder = try ScratchFolder()
    let text =
      "<HealthData locale=\"en_US\"><ExportDate value=\"2024-07-10 12:00:00 +0000\"/>"
      + records.joined(separator: "\n") + "</HealthData>"
    let file = folder.url.appending(path: "export.xml")
    try Data(text.utf8).write(to: file)
    return try CollectedExport(reading: file, zone: "UTC") {
      $0.metrics = Set(DailyMetric.allCases)
    }
  }

  private func number(_ metric: DailyMetric, _ result: CollectedExport) -> Double? {
    result["2024-06-01"]?.readings.readings.optional[metric]
  }

  @Test func `R18: entries that differ in metadata or in the moment of entry all count`() throws {
    let result = try read(
      record("DietaryEnergyConsumed", "100", "kcal", ["HKFoodType": "Banana"]),
      record("DietaryEnergyConsumed", "100", "kcal", ["HKFoodType": "Yoghurt"]),
      record("DietaryWater", "250", "mL", second: 2),
      record("DietaryWater", "250", "mL", second: 41),
      record("InsulinDelivery", "4", "IU", ["HKInsulinDeliveryReason": "1"]),
      record("InsulinDelivery", "4", "IU", ["HKInsulinDeliveryReason": "2"]),
      record("InhalerUsage", "1", "count", second: 20, ["HKWasUserEntered": "1"]),
      record("InhalerUsage", "1", "count", second: 31, ["HKWasUserEntered": "1"]))
    #expect(number(.dietaryEnergy, result) == 200)
    #expect(number(.water, result) == 500)
    #expect(number(.insulin, result) == 8)
    #expect(number(.inhalerUses, result) == 2)
    #expect(result.tally.leftOut == [:])
  }

  @Test func `R18: a measurement that an app uploads again counts again, and the report says so`()
    throws
  {
    let repeated = (1...54).map { record("BloodGlucose", "102", "mg/dL", second: $0) }
    let result = try read(
      repeated.joined(separator: "\n"), record("BloodGlucose", "90", "mg/dL", at: "12:00:00"),
      // Two glasses are two, and nothing to remark.
      record("DietaryWater", "250", "mL", second: 2),
      record("DietaryWater", "250", "mL", second: 3))
    #expect(number(.bloodGlucose, result) == (5598.0 / 55).roundedToMillionths)
    #expect(
      result["2024-06-01"]?.readings.notes == [
        "blood_glucose: 53 readings repeat one of the same source, time and value; each counts, "
          + "as in the Health app"
      ])
  }

  @Test func `R18: a sum that an app uploads again is twice as large, and the report says so`()
    throws
  {
    let result = try read(
      record("StepCount", "1000", "count"), record("StepCount", "1000", "count", second: 40),
      record("StepCount", "1000", "count", at: "09:00:00"))
    #expect(result["2024-06-01"]?.readings.readings[.steps] == .value(3000))
    #expect(
      result["2024-06-01"]?.readings.notes == [
        "steps: 1 reading repeats one of the same source, time and value; each counts, as in the "
          + "Health app"
      ])
  }

  @Test
  func `R18: a record equal in all, but for an address and the order of metadata, is a repeat`()
    throws
  {
    func glass(_ address: String, _ metadata: String) -> String {
      record(
        "DietaryWater", "250", "mL",
        device: "device=\"&lt;&lt;HKDevice: \(address)&gt;, name:App&gt;\" "
      )
      .replacing("></Record>", with: ">\(metadata)</Record>")
    }
    let (one, other) = (
      "<MetadataEntry key=\"a\" value=\"b\"/>", "<MetadataEntry key=\"c\" value=\"d\"/>"
    )
    let result = try read(
      glass("0x28301c1e0", one + other), glass("0x283000000", other + one),
      // These differ: the parts are others, though they have the same letters.
      glass("0x283000000", "<MetadataEntry key=\"ab\" value=\"\"/>" + other))
    #expect(number(.water, result) == 500)
    #expect(result.tally.leftOut == [.duplicate: 1])
  }

  @Test func `R18: a record that stands in a correlation too counts once, whatever it lacks there`()
    throws
  {
    let (fat, alike) = (
      record("DietaryFatTotal", "1.5", "g", ["HKFoodType": "Banana"]),
      record("DietaryFatTotal", "1.5", "g", ["HKFoodType": "Cracker"])
    )
    let correlation = "<Correlation type=\"HKCorrelationTypeIdentifierFood\">"
    let result = try read(
      correlation + fat + alike + "</Correlation>", fat, alike,
      correlation + record("DietaryFatTotal", "1.5", "g") + "</Correlation>")
    #expect(number(.fat, result) == 3)
    #expect(result.tally.leftOut == [:])
    #expect(result.tally.samples == [.dietaryFatTotal: 2])
  }

  @Test func `R18: records that stand in a correlation alone count`() throws {
    func pressure(_ type: String, _ value: Int) -> String {
      record("BloodPressure" + type, "\(value)", "mmHg")
    }
    let result = try read(
      "<Correlation type=\"HKCorrelationTypeIdentifierBloodPressure\">"
        + pressure("Systolic", 136) + pressure("Diastolic", 69) + pressure("Diastolic", 69)
        + "</Correlation>")
    #expect(number(.bloodPressureSystolic, result) == 136)
    #expect(number(.bloodPressureDiastolic, result) == 69)
    #expect(result.tally.onlyInCorrelations == 2)
  }

  @Test func `the order of the file and the memory allowed change no alike entry`() throws {
    var random = SplitMix64(seed: 11)
    var export = SampleExport()
    for glass in 0..<40 {
      export.add(
        .dietaryWater, "2024-06-10 08:0\(glass % 2)+02:00", "2024-06-10 08:0\(glass % 2)+02:00",
        Double(100 + glass % 3), .millilitre, mark: UInt64(glass / 2 % 12) << 30)
      if glass % 5 == 0, var copy = export.samples.last {
        copy.isInCorrelation = true
        export.samples.append(copy)
      }
    }
    // Each in a place of its own, the copies apart.
    var distinct: Set<[UInt64]> = []
    for sample in export.samples {
      distinct.insert([UInt64(sample.start), UInt64(sample.value), sample.mark])
    }
    let sum = distinct.reduce(0) { $0 + Double($1[1]) }
    for memory in [3, 7, 500_000] {
      export.samples.shuffle(using: &random)
      let result = try export.days(samplesInMemory: memory) { $0.metrics.formUnion([.water]) }
      #expect(result["2024-06-10"]?.readings.readings.optional == [.water: sum])
      #expect(result.tally.leftOut == [.duplicate: 40 - distinct.count])
    }
  }
}
