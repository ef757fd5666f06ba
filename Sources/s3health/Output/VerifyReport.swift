import HealthLedger
import HealthModel

/// What `verify` found, gathered day by day; memory is bounded however much is wrong.
struct VerifyReport {
  let storeName: String
  let range: DateRange
  let options: VerifyOptions
  /// Missing dates are told, and do not count.
  let allowsMissing: Bool
  /// Warnings count.
  let isStrict: Bool

  /// One date, in order.
  struct Day {
    let date: CalendarDate
    let status: DayVerdict.Status
    /// What readers are answered with.
    let revisionID: RevisionID?
    /// True where a finding of the date counts.
    let counts: Bool
  }

  /// Most findings kept; the rest is counted.
  static let maximumFindings = 50_000

  private(set) var days: [Day] = []
  /// In order of date; those outside any day come with the day before them, or last.
  private(set) var findings: [Finding] = []
  /// Findings beyond the most that are kept.
  private(set) var omittedFindings = 0
  private(set) var repairs: [(date: CalendarDate, repair: PointerRepair)] = []
  private(set) var revisionsRead = 0
  private(set) var severities: [Finding.Severity: Int] = [:]
  /// True where the newest revision is older than was asked for, which is no fault of any day.
  private(set) var isTooOld = false
  /// How many findings are a reason to exit with 1.
  private(set) var countedFindings = 0

  init(
    storeName: String, range: DateRange, options: VerifyOptions, allowsMissing: Bool,
    isStrict: Bool
  ) {
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
      if findings.count < Self.maximumFindings {
        findings.append(finding)
      } else {
        omittedFindings += 1
      }
    }
  }

  /// Whether a finding is a reason to exit with 1 (R35).
  func counts(_ finding: Finding) -> Bool {
    switch finding.severity {
    case .error: !(allowsMissing && finding.isMissingDate)
    case .warning: isStrict
    case .note: false
    }
  }

  /// True where the command must exit with 1.
  var foundSomething: Bool { countedFindings > 0 }

  func count(_ status: DayVerdict.Status) -> Int {
    days.count { $0.status == status }
  }

  var missingDates: [CalendarDate] {
    days.filter { $0.status == .missing }.map(\.date)
  }
}

extension Finding {
  /// True for the bare lack of a day.
  var isMissingDate: Bool { code == FindingCode.missingDate.rawValue }
}
