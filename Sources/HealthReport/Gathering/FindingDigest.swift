package import HealthLedger
import HealthModel

/// What verification found, by code; of each code so many are kept as a page can show.
package struct FindingDigest: Sendable {
  /// Most findings of one code that are told one by one.
  package static let maximumPerCode = 50

  /// The findings of one code.
  package struct Group: Sendable {
    package let code: String
    package let severity: Finding.Severity
    package internal(set) var count = 0
    /// The first of them, in order of date.
    package internal(set) var findings: [Finding] = []
  }

  private var groups: [String: Group] = [:]
  package private(set) var severities: [Finding.Severity: Int] = [:]

  mutating func add(_ findings: [Finding]) {
    for finding in findings {
      severities[finding.severity, default: 0] += 1
      var group = groups[finding.code] ?? Group(code: finding.code, severity: finding.severity)
      group.count += 1
      if group.findings.count < Self.maximumPerCode { group.findings.append(finding) }
      groups[finding.code] = group
    }
  }

  package func count(_ severity: Finding.Severity) -> Int { severities[severity] ?? 0 }

  /// The graver first, and among equals as docs/FINDINGS.md has them.
  package var ordered: [Group] {
    let ranks = Dictionary(
      FindingKind.all.enumerated().map { ($0.element.code, $0.offset) },
      uniquingKeysWith: { first, _ in first })
    return Finding.Severity.allCases.flatMap { severity in
      groups.values.filter { $0.severity == severity }.sorted {
        (ranks[$0.code] ?? .max, $0.code) < (ranks[$1.code] ?? .max, $1.code)
      }
    }
  }
}
