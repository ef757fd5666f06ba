import CommandLineKit
import HealthLedger
import HealthModel
import HealthReport

/// The output of `report` about the page that it wrote: a line, or the document of docs/OUTPUT.md.
struct PageSummary {
  let report: RangeReport
  /// Nil if the page went to stdout.
  let path: String?
  /// The page's size in bytes.
  let bytes: Int

  var line: String {
    let days = report.range.count
    let found = [
      report.count(.complete) + report.count(.partial), report.count(.noData),
      report.count(.missing), report.count(.faulty), report.count(.invalid),
    ]
    let words = ["with data", "without data", "missing", "faulty", "without a valid revision"]
    let parts = zip(found, words).filter { $0.0 > 0 }.map { "\($0.0.grouped) \($0.1)" }
    return "\((path ?? "page").printable)  \(days.grouped) \(days == 1 ? "day" : "days"): "
      + "\(parts.joined(separator: ", "))  (\(bytes.inBytes))"
  }

  var document: JSONValue {
    var members: [String: JSONValue] = [
      "store": .string(report.storeName), "from": .string("\(report.range.from)"),
      "to": .string("\(report.range.to)"), "html": path.map { .string($0) } ?? .null,
      "bytes": .number(Double(bytes)), "days": .number(Double(report.range.count)),
      "days_with_numbers": .number(Double(report.daysWithNumbers)),
      "revisions": .number(Double(report.days.reduce(0) { $0 + ($1.revisions ?? 0) })),
      "newest_date": report.newest.map { .string("\($0.date)") } ?? .null,
      "generated_at": report.newest.map { .string("\($0.generatedAt)") } ?? .null,
      "age_seconds": report.age.map { .number(Double($0)) } ?? .null,
    ]
    for coverage in DayCoverage.allCases {
      members["\(coverage.rawValue)_days"] = .number(Double(report.count(coverage)))
    }
    for severity in Finding.Severity.allCases {
      members["\(severity.rawValue)s"] = .number(Double(report.findings.count(severity)))
    }
    return .object(members)
  }
}
