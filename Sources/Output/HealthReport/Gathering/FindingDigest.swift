package import HealthLedger
package import HealthModel

/// What verification found, by code: a fault that is the same on many dates is one entry. Of each
/// code so many entries are kept as a page can show.
package struct FindingDigest: Sendable {
  /// Most entries of one code.
  package static let maximumPerCode = 50

  /// The findings of one code.
  package struct Group: Sendable {
    package let code: String
    package let severity: Finding.Severity
    /// How many findings.
    package internal(set) var count = 0
    /// The first faults, in order of date.
    package internal(set) var entries: [Entry] = []
    fileprivate var places: [Fault: Int] = [:]

    /// Findings that no entry has, because there were entries enough.
    package var others: Int { count - entries.reduce(0) { $0 + $1.count } }
  }

  /// A fault with the dates on which it was found.
  package struct Entry: Sendable {
    /// The first of its findings.
    package let first: Finding
    package internal(set) var count = 0
    package internal(set) var dates = DateRuns()
  }

  /// What makes two findings the same fault: all but date and key.
  fileprivate struct Fault: Hashable {
    let rule: String
    let message: String
    let pointer: String
    let remedy: LedgerError.Remedy
    /// Of an object outside the days its own: nothing else identifies it.
    let key: String?
  }

  private var groups: [String: Group] = [:]
  package private(set) var severities: [Finding.Severity: Int] = [:]

  mutating func add(_ findings: [Finding]) {
    for finding in findings {
      severities[finding.severity, default: 0] += 1
      groups[
        finding.code, default: Group(code: finding.code, severity: finding.severity)
      ].add(finding)
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

extension FindingDigest.Group {
  fileprivate mutating func add(_ finding: Finding) {
    count += 1
    let isOneObject =
      finding.date == nil || finding.code == FindingCode.foreignObject.rawValue
      || finding.code == FindingCode.conflictCopy.rawValue
    let fault = FindingDigest.Fault(
      rule: finding.rule, message: finding.message, pointer: finding.pointer,
      remedy: finding.remedy, key: isOneObject ? finding.key : nil)
    var place = places[fault]
    if place == nil, entries.count < FindingDigest.maximumPerCode {
      place = entries.count
      places[fault] = entries.count
      entries.append(FindingDigest.Entry(first: finding))
    }
    guard let place else { return }
    entries[place].count += 1
    if let date = finding.date { entries[place].dates.add(date) }
  }
}
