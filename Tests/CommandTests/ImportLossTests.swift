import Foundation
import TestSupport
import Testing

/// What `import` says of records that it did not use.
@Suite struct ImportLossTests {
  private func record(_ type: String, _ start: String, _ value: String = "5") -> String {
    """
     <Record type="\(type)" sourceName="iPhone" unit="count" startDate="\(start)" \
    endDate="2024-06-10 10:05:00 +0200" value="\(value)"/>
    """
  }

  @Test func `R18: what was skipped is reported with an example, and what is not read by type`()
    async throws
  {
    let program = try Program()
    defer { program.removeHome() }
    let steps = "HKQuantityTypeIdentifierStepCount"
    let types = (1...12).flatMap { number in
      (0..<number).map { _ in record("HKQuantityTypeIdentifierOther\(number)", "x") }
    }
    let lines =
      [
        "<HealthData locale=\"en\">", " <ExportDate value=\"2024-06-15 20:30:00 +0200\"/>",
        record(steps, "2024-06-10 10:00:00 +0200"), record(steps, "10/06/2024\u{1B}[31m 10:00"),
        record(steps, "11/06/2024 10:00"),
        record("HKQuantityTypeIdentifierHeartRate", "2024-06-10 10:00:00 +0200"),
      ] + types + ["</HealthData>", ""]
    let file = try program.file("export.xml", Array(lines.joined(separator: "\n").utf8))
    let run = try await program.succeeds(["import", file])
    #expect(
      run.output.contains(
        "2 skipped: a date that can't be read, first on line 4: \"10/06/2024\\u{1b}[31m 10:00\""),
      "\(run.output)")
    #expect(run.output.contains("Other12 (12), Other11 (11)"), "\(run.output)")
    #expect(run.output.contains("and 2 more types"), "\(run.output)")
    let document = try await program.succeeds(["import", file, "--output", "json"]).json()
    #expect(document["skipped"] as? [String: Int] == ["date": 2])
    let examples = document["skipped_examples"] as? [String: [String: Any]]
    #expect(examples?["date"]?["line"] as? Int == 4)
    #expect(document["unread_records"] as? Int == 78)
    let unread = document["unread_types"] as? [[String: Any]]
    #expect(unread?.count == 10)
    #expect(unread?.first?["type"] as? String == "HKQuantityTypeIdentifierOther12")
    #expect(unread?.first?["records"] as? Int == 12)
  }

  @Test func `R18: a lost </Correlation> hides neither the example nor the types`() async throws {
    let program = try Program()
    defer { program.removeHome() }
    let steps = "HKQuantityTypeIdentifierStepCount"
    let lines = [
      "<HealthData locale=\"en\">", " <ExportDate value=\"2024-06-15 20:30:00 +0200\"/>",
      " <Correlation type=\"x\" sourceName=\"iPhone\">", record(steps, "2024-06-10 10:00:00 +0200"),
      record(steps, "10/06/2024 10:00"), record("HKQuantityTypeIdentifierOther", "x"),
      "</HealthData>", "",
    ]
    let file = try program.file("export.xml", Array(lines.joined(separator: "\n").utf8))
    let run = try await program.succeeds(["import", file, "--dry-run"])
    #expect(run.output.contains("first on line 5: \"10/06/2024 10:00\""), "\(run.output)")
    #expect(run.output.contains("1 of types that no metric uses: Other (1)"), "\(run.output)")
    let document = try await program.succeeds(["import", file, "--output", "json"]).json()
    let examples = document["skipped_examples"] as? [String: [String: Any]]
    #expect(examples?["date"]?["line"] as? Int == 5)
    #expect(document["unread_records"] as? Int == 1)
  }
}
