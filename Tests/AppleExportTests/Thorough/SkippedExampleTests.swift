import AppleExport
import Foundation
import TestSupport
import Testing

/// What is said of records that could not be read: of each reason the first, with its line.
@Suite(.unit) struct SkippedExampleTests {
  private func record(_ type: String, _ start: String, _ value: String = "1") -> String {
    """
    <Record type="\(type)" sourceName="Phone" unit="count" startDate="\(start)"
      endDate="2024-06-15 20:31:00 +0200" value="\(value)"/>
    """
  }

  private func export(_ count: Int) -> [UInt8] {
    let steps = "HKQuantityTypeIdentifierStepCount"
    let sound = String(
      repeating: record("HKQuantityTypeIdentifierTypeOfTomorrow", "x") + "\n", count: count)
    let lines = [
      "<?xml version=\"1.0\"?>", "<HealthData locale=\"en\">",
      sound + record(steps, "15/06/2024 20:30"), record(steps, "16/06/2024 20:30"),
      record(steps, "2024-06-15 20:30:00 +0200", "1,5"), "<Record type=broken/>",
      record("HKQuantityTypeIdentifierAnotherOfTomorrow", "x"),
      "<Record sourceName=\"Phone\"/>", "</HealthData>", "",
    ]
    return Array(lines.joined(separator: "\n").utf8)
  }

  @Test(arguments: [0, 5000])
  func `R18: the first record of each reason is reported with its line`(before: Int) async throws {
    let folder = try ScratchFolder()
    let xml = try folder.write(export(before), to: "export.xml")
    let first = 3 + 2 * before
    let expected: [SkipReason: SkippedExample] = [
      .date: SkippedExample(line: first, text: "15/06/2024 20:30"),
      .value: SkippedExample(line: first + 4, text: "1,5"),
      .malformed: SkippedExample(line: first + 6, text: "<Record type=broken/>"),
    ]
    var findings = Findings()
    let reading = try ExportReader(path: xml).read(into: &findings)
    #expect(reading.examples == expected)
    #expect(findings.skipped.map(\.reason) == [.date, .date, .value, .malformed])
    let cut = ExportScanner.scan(export(before), pieces: { 1 + $0 % 50 })
    #expect(cut.recordCount == reading.records)
    #expect(
      reading.unreadTypes
        == [
          "HKQuantityTypeIdentifierTypeOfTomorrow": before,
          "HKQuantityTypeIdentifierAnotherOfTomorrow": 1,
          "": 1,
        ].filter { $0.value > 0 })
  }

  @Test(arguments: [
    "", "<ActivitySummary dateComponents=\"2024-06-15\"/>", "<Correlation type=\"y\">",
  ])
  func `R18: a lost end tag of a correlation hides no example and no type`(next: String) throws {
    let folder = try ScratchFolder()
    let steps = "HKQuantityTypeIdentifierStepCount"
    let lines = [
      "<HealthData locale=\"en\">", "<Correlation type=\"x\">", record(steps, "15/06/2024 20:30"),
      record(steps, "16/06/2024 20:30"), record("Tomorrow", "x"), "<Record sourceName=\"Phone\"/>",
      next, record("Tomorrow", "x"), "</HealthData>",
    ]
    let xml = try folder.write(Array(lines.joined(separator: "\n").utf8), to: "export.xml")
    var findings = Findings()
    let reading = try ExportReader(path: xml).read(into: &findings)
    #expect(reading.examples == [.date: SkippedExample(line: 3, text: "15/06/2024 20:30")])
    #expect(reading.unreadTypes == ["Tomorrow": 2, "": 1])
    #expect(findings.skipped.count == 2)
  }

  @Test func `what a whole correlation holds is not an example and has no type`() throws {
    let folder = try ScratchFolder()
    let steps = "HKQuantityTypeIdentifierStepCount"
    let lines = [
      "<HealthData locale=\"en\">", "<Correlation type=\"x\">", record(steps, "15/06/2024 20:30"),
      record("Tomorrow", "x"), "</Correlation>", record(steps, "16/06/2024 20:30"),
      "</HealthData>",
    ]
    let xml = try folder.write(Array(lines.joined(separator: "\n").utf8), to: "export.xml")
    var findings = Findings()
    let reading = try ExportReader(path: xml).read(into: &findings)
    #expect(reading.examples == [.date: SkippedExample(line: 8, text: "16/06/2024 20:30")])
    #expect(reading.unreadTypes.isEmpty)
  }

  @Test func `a long or odd text is cut to 80 characters`() throws {
    let folder = try ScratchFolder()
    let text = String(repeating: "é", count: 500)
    let xml = Array(
      ("<HealthData>" + record("HKQuantityTypeIdentifierStepCount", text) + "</HealthData>").utf8)
    var findings = Findings()
    let file = try folder.write(xml, to: "export.xml")
    let reading = try ExportReader(path: file).read(into: &findings)
    let example = try #require(reading.examples[.date])
    #expect(example.line == 1)
    #expect(example.text == String(repeating: "é", count: 79) + "…")
  }

  @Test func `types beyond a thousand are counted together`() throws {
    let folder = try ScratchFolder()
    let records = (0..<1200).map { record("Type\($0)", "x") } + [record("Type1", "x")]
    let xml = Array(("<HealthData>" + records.joined() + "</HealthData>").utf8)
    var findings = Findings()
    let file = try folder.write(xml, to: "export.xml")
    let reading = try ExportReader(path: file).read(into: &findings)
    #expect(reading.unreadTypes.count == 1001)
    #expect(reading.unreadTypes["Type1"] == 2)
    #expect(reading.unreadTypes[""] == 200)
  }
}
