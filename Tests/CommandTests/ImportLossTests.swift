import Foundation
import TestSupport
import Testing

/// What `import` says of records that it did not use.
@Suite(.process) struct ImportLossTests {
  let program: Program

  init() throws { program = try Program() }

  func record(_ type: String, _ start: String, _ value: String = "5") -> String {
    SmallExport.record(type, value, from: start, to: "2024-06-10 10:05:00 +0200")
  }

  @Test func `R18: what was skipped has an example, and what is not read its type`() async throws {
    let types = (1...12).flatMap { number in
      (0..<number).map { _ in record("Other\(number)", "x") }
    }
    let file = try program.export(
      made: "2024-06-15 20:30:00 +0200",
      [
        record("StepCount", "2024-06-10 10:00:00 +0200"),
        record("StepCount", "10/06/2024\u{1B}[31m 10:00"), record("StepCount", "11/06/2024 10:00"),
        record("HeartRate", "2024-06-10 10:00:00 +0200"),
      ] + types)
    try await program.succeeds(
      ["import", file],
      printing:
        "2 skipped: a date that can't be read, first on line 5: \"10/06/2024\\u{1b}[31m 10:00\"",
      "Other12 (12), Other11 (11)", "and 2 more types")
    try await program.succeeds(
      ["import", file, "--verbose", "--dry-run"], printing: "Other2 (2), Other1 (1)")
    let document = try await program.succeeds(["import", file, "--output", "json"]).json()
    #expect(document["skipped"] as? [String: Int] == ["date": 2])
    let examples = document["skipped_examples"] as? [String: [String: Any]]
    #expect(examples?["date"]?["line"] as? Int == 5)
    #expect(document["unread_records"] as? Int == 78)
    let unread = document["unread_types"] as? [[String: Any]]
    #expect(unread?.count == 12)
    #expect(unread?.first?["type"] as? String == "HKQuantityTypeIdentifierOther12")
    #expect(unread?.first?["records"] as? Int == 12)
  }

  @Test func `R20: samples of an export in an unknown unit remove no stored number`() async throws {
    let program = try Program().asOneCollector()
    func export(_ day: Int, energy: String, weight: String) throws -> String {
      func sample(_ type: String, _ unit: String, _ date: Int, _ value: Int) -> String {
        SmallExport.record(type, value, unit: unit, from: "2024-06-\(date) 10:00:00 +0200")
      }
      return try program.export(
        "export-\(day).xml", made: "2024-06-\(day) 20:30:00 +0200",
        [
          sample("StepCount", "count", 10, 100), sample("ActiveEnergyBurned", energy, 10, 300),
          sample("BodyMass", weight, 11, 70), sample("StepCount", "count", 12, 200),
        ])
    }
    func numbers() async throws -> [Double?] {
      var found: [Double?] = []
      for (date, metric) in [
        ("2024-06-10", "active_energy_kcal"), ("2024-06-11", "weight"), ("2024-06-12", "steps"),
      ] {
        let metrics = try await program.day(date)["metrics"] as? [String: Any]
        found.append(metrics?[metric] as? Double)
      }
      return found
    }
    let first = try export(15, energy: "kcal", weight: "kg")
    try await program.succeeds(["import", first])
    #expect(try await numbers() == [300, 70, 200])
    try await program.succeeds(
      [
        "import", try export(16, energy: "food", weight: "catty"),
      ], saying: "2024-06-10: active_energy_kcal: the unit of 1 sample",
      "2024-06-11: weight: the unit of 1 sample")
    #expect(try await numbers() == [300, 70, 200])
    // A metric that the export does not have at all has no data.
    let last = try export(17, energy: "food", weight: "catty")
    let text = try String(contentsOfFile: last, encoding: .utf8)
    let without = try program.file(
      "without.xml",
      Array(
        text.split(separator: "\n").filter { !$0.contains("unit=\"catty\"") }
          .joined(separator: "\n").utf8))
    try await program.succeeds(["import", without])
    #expect(try await numbers() == [300, nil, 200])
  }
}
