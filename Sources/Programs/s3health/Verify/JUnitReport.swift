import CommandLineKit
import HealthLedger
import HealthModel

/// The result of `verify` as JUnit XML: a test case for each date, and one for findings outside the
/// days. What counts is a failure; everything else is in `system-out`.
struct JUnitReport {
  let report: VerifyReport

  var document: [UInt8] {
    var cases: [String] = []
    var failures = 0
    var skipped = 0
    var rest = report.findings[...]
    var outside: [Finding] = []
    for day in report.days {
      var found: [Finding] = []
      while let next = rest.first, next.date == nil || next.date == day.date {
        if next.date == nil { outside.append(next) } else { found.append(next) }
        rest.removeFirst()
      }
      if day.counts {
        failures += 1
      } else if day.status == .missing {
        skipped += 1
      }
      cases.append(testCase(of: day, found))
    }
    outside += rest
    let outsideFails = outside.contains(where: report.counts)
    failures += outsideFails ? 1 : 0
    cases.append(
      element(
        "s3health.range", "\(report.dates.lowerBound) to \(report.dates.upperBound)",
        body(outside, fails: outsideFails, isSkipped: false, omitted: report.omittedWords)))
    return Self.document(
      suite: "s3health verify \(report.storeName)", tests: cases.count, failures: failures,
      skipped: skipped, errors: 0, cases: cases)
  }

  /// A suite whose only test case has an error. A failed run prints it instead of results.
  static func failure(_ error: LedgerError) -> [UInt8] {
    let text = """
          <testcase classname="s3health.run" name="verify" time="0">
            <error message="\(XMLText.escaped(error.message))" type="\(error.code.rawValue)">\
      \(XMLText.escaped(error.report))</error>
          </testcase>
      """
    return document(
      suite: "s3health verify", tests: 1, failures: 0, skipped: 0, errors: 1, cases: [text])
  }

  private func testCase(of day: VerifyReport.Day, _ found: [Finding]) -> String {
    let month = day.date.description.prefix(7)
    return element(
      "s3health.\(month)", day.date.description,
      body(found, fails: day.counts, isSkipped: !day.counts && day.status == .missing))
  }

  private func element(_ classname: String, _ name: String, _ body: [String]) -> String {
    let head = """
          <testcase classname="\(XMLText.escaped(classname))" name="\(XMLText.escaped(name))" time="0"
      """
    guard !body.isEmpty else { return head + "/>" }
    return ([head + ">"] + body + ["    </testcase>"]).joined(separator: "\n")
  }

  private func body(
    _ found: [Finding], fails: Bool, isSkipped: Bool, omitted: String? = nil
  ) -> [String] {
    let counted = found.filter(report.counts)
    var lines: [String] = []
    if fails {
      let first = counted.first
      let message = first.map { "\($0.code): \($0.message)" } ?? "findings left out"
      lines.append(
        "      <failure message=\"\(XMLText.escaped(message))\" type=\"\(first?.code ?? "omitted")\">"
          + XMLText.escaped(counted.map(Self.text).joined(separator: "\n")) + "</failure>")
    } else if isSkipped {
      lines.append("      <skipped message=\"no revision exists; missing dates are allowed\"/>")
    }
    var others = found.filter { !report.counts($0) && !$0.isMissingDate }.map(Self.text)
    if let omitted { others.append("omitted from this report: \(omitted)") }
    if !others.isEmpty {
      lines.append(
        "      <system-out>" + XMLText.escaped(others.joined(separator: "\n")) + "</system-out>")
    }
    return lines
  }

  private static func text(_ finding: Finding) -> String {
    let place = finding.pointer.isEmpty ? "" : " at \(finding.pointer)"
    return """
      \(finding.severity.rawValue) \(finding.code) [\(finding.rule)]\(place): \(finding.message)
        \(finding.key)
        do: \(finding.remedy.words)
      """
  }

  private static func document(
    suite: String, tests: Int, failures: Int, skipped: Int, errors: Int, cases: [String]
  ) -> [UInt8] {
    let counts = "tests=\"\(tests)\" failures=\"\(failures)\" errors=\"\(errors)\""
    let text = """
      <?xml version="1.0" encoding="UTF-8"?>
      <testsuites name="s3health" \(counts) time="0">
        <testsuite name="\(XMLText.escaped(suite))" \(counts) skipped="\(skipped)" time="0">
      \(cases.joined(separator: "\n"))
        </testsuite>
      </testsuites>

      """
    return Array(text.utf8)
  }
}
