import CommandLineKit
import HealthLedger
import HealthModel

/// The results of `verify`, collected day by day, in bounded memory whatever is found.
struct VerifyReport {
  let storeName: String
  let range: DateRange
  let options: VerifyOptions
  /// Missing dates are reported but do not count as errors.
  let allowsMissing: Bool
  /// Warnings count as errors.
  let isStrict: Bool

  /// One date, in order.
  struct Day {
    let date: CalendarDate
    let status: DayVerdict.Status
    /// The revision that readers get.
    let revisionID: RevisionID?
    /// True if a finding of the date counts as an error.
    let counts: Bool
  }

  /// The most findings that are kept. The least serious ones are dropped first and counted.
  static let maximumFindings = 50_000

  private(set) var days: [Day] = []
  /// The number of findings that were dropped, by severity.
  private(set) var omitted: [Finding.Severity: Int] = [:]
  private(set) var repairs: [(date: CalendarDate, repair: PointerRepair)] = []
  private(set) var revisionsRead = 0
  private(set) var severities: [Finding.Severity: Int] = [:]
  /// True if the newest revision is older than allowed, which is not a fault of any day.
  private(set) var isTooOld = false
  /// How many findings count for exit code 1.
  private(set) var countedFindings = 0
  /// The findings that are kept, by severity, each with its position among all.
  private var kept: [Finding.Severity: [(place: Int, finding: Finding)]] = [:]
  private var keptCount = 0
  private var place = 0
  private let maximum: Int

  init(
    storeName: String, range: DateRange, options: VerifyOptions, allowsMissing: Bool,
    isStrict: Bool, maximumFindings: Int = maximumFindings
  ) {
    maximum = maximumFindings
    (self.storeName, self.range, self.options) = (storeName, range, options)
    (self.allowsMissing, self.isStrict) = (allowsMissing, isStrict)
  }

  mutating func add(_ verdict: DayVerdict) {
    let counts = verdict.findings.contains(where: counts)
    days.append(
      Day(
        date: verdict.date, status: verdict.status, revisionID: verdict.revisionID, counts: counts))
    if let repair = verdict.repair { repairs.append((verdict.date, repair)) }
    revisionsRead += verdict.revisionsRead
    add(verdict.findings)
  }

  mutating func add(_ more: [Finding]) {
    for finding in more {
      severities[finding.severity, default: 0] += 1
      if counts(finding) { countedFindings += 1 }
      if finding.code == FindingCode.newestTooOld.rawValue { isTooOld = true }
      keep(finding)
    }
  }

  /// Keeps a finding. If there are too many, it replaces the last one that is less serious.
  private mutating func keep(_ finding: Finding) {
    place += 1
    if keptCount >= maximum {
      let lighter = finding.severity.lighter.first { !(kept[$0] ?? []).isEmpty }
      omitted[lighter ?? finding.severity, default: 0] += 1
      guard let lighter else { return }
      kept[lighter]?.removeLast()
      keptCount -= 1
    }
    kept[finding.severity, default: []].append((place, finding))
    keptCount += 1
  }

  /// The findings that are kept, in order of date. Those outside any day come with the day before
  /// them, or last.
  var findings: [Finding] {
    kept.values.joined().sorted { $0.place < $1.place }.map(\.finding)
  }

  /// How many findings were dropped.
  var omittedFindings: Int { omitted.values.reduce(0, +) }

  /// `12 warnings and 950,000 notes`; nil if none was dropped.
  var omittedWords: String? {
    let words = Finding.Severity.allCases.compactMap { severity -> String? in
      guard let count = omitted[severity], count > 0 else { return nil }
      return "\(count.grouped) \(severity.rawValue)\(count == 1 ? "" : "s")"
    }
    return words.isEmpty ? nil : words.joined(separator: " and ")
  }

  /// Whether a finding counts for exit code 1 (R35).
  func counts(_ finding: Finding) -> Bool {
    switch finding.severity {
    case .error: !(allowsMissing && finding.isMissingDate)
    case .warning: isStrict
    case .note: false
    }
  }

  /// True if the command must exit with 1.
  var foundSomething: Bool { countedFindings > 0 }

  func count(_ status: DayVerdict.Status) -> Int {
    days.count { $0.status == status }
  }

  var missingDates: [CalendarDate] {
    days.filter { $0.status == .missing }.map(\.date)
  }
}

extension Finding {
  /// True if the finding is a missing date and nothing else.
  var isMissingDate: Bool { code == FindingCode.missingDate.rawValue }
}

extension Finding.Severity {
  /// The less serious severities, the least serious first.
  fileprivate var lighter: [Finding.Severity] {
    switch self {
    case .error: [.note, .warning]
    case .warning: [.note]
    case .note: []
    }
  }
}
