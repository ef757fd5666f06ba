import AppleExport
import Testing

/// What stands before `HealthData`: document types whole and broken, and what is hidden in them.
@Suite(.unit) struct DocumentTypeTests {
  private let export =
    """
    <HealthData locale="fr_FR"><ExportDate value="2024-06-15 20:30:00 +0200"/>\
    <Record type="HKQuantityTypeIdentifierStepCount" sourceName="&lol9;" unit="count" \
    startDate="2024-06-15 20:30:00 +0200" endDate="2024-06-15 20:31:00 +0200" value="5"/></HealthData>
    """

  private func found(_ before: String) throws -> Findings {
    var findings = Findings()
    let scanner = ExportScanner.scan(Array((before + export).utf8))
    #expect(scanner.isComplete)
    for finding in scanner.findings { findings.take(finding) }
    let cut = ExportScanner.scan(Array((before + export).utf8)) { _ in 1 }
    #expect(cut.findings == scanner.findings)
    return findings
  }

  @Test(arguments: [
    "", "\u{FEFF}", "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n",
    "<!DOCTYPE HealthData>", "<!DOCTYPE HealthData SYSTEM \"x\">",
    "<!DOCTYPE HealthData [\n<!ELEMENT HealthData (Record)>\n]>\n",
    // iOS 16: an attribute list that is never closed, a stray attribute, a mark too many.
    "<!DOCTYPE HealthData [<!ATTLIST V a CDATA #REQUIRED\n<!ELEMENT R EMPTY>\n d CDATA \"\n>>]>",
    "<!DOCTYPE HealthData [<!ATTLIST HealthDataX 'a' \"<HealthDataX>\" ]] > ",
    "<!-- <HealthData locale=\"no\"> --><!DOCTYPE HealthData [ ]>",
    "<!DOCTYPE HealthData [<!-- ]> <HealthData locale=\"no\"> -- > --><!ELEMENT R EMPTY><!--]>-->]>",
    "<!DOCTYPE HealthData [<!ENTITY lol \"lol\"><!ENTITY lol9 \"&lol;&lol;&lol;\">]>",
  ])
  func `the document type is passed, whole or broken`(before: String) throws {
    let findings = try found(before)
    #expect(findings.locales == ["fr_FR"])
    #expect(findings.exportDates == [1_718_476_200])
    #expect(findings.samples.map(\.value) == [5])
    #expect(findings.skipped == [])
  }

  @Test func `entities are never expanded`() throws {
    let bomb =
      "<!DOCTYPE HealthData [<!ENTITY lol0 \"lol\">"
      + (1...9).map {
        "<!ENTITY lol\($0) \"\(String(repeating: "&lol\($0 - 1);", count: 10))\">"
      }.joined() + "]>"
    #expect(try found(bomb).sources == [ExportSource(name: "&lol9;")])
  }

  @Test func `nothing after the root is read`() {
    let scanner = ExportScanner.scan(Array((export + export).utf8))
    #expect(scanner.recordCount == 1)
  }
}
