import CommandLineKit
import HealthLedger
import HealthModel

/// Findings of one kind on consecutive dates, or of foreign objects anywhere, reported together, so
/// that people can read thousands of them.
struct FindingRun {
  /// The first of them, which represents the others.
  let first: Finding
  private(set) var last: CalendarDate?
  private(set) var count = 1
  /// False if the messages differ, so that the first one's message does not apply to the others.
  private(set) var isOneMessage = true
  /// The first keys.
  private(set) var keys: [String]

  /// How many keys of a run are shown.
  static let keysShown = 3

  private init(_ finding: Finding) {
    (first, last, keys) = (finding, finding.date, [finding.key])
  }

  /// The runs of findings, in the order of their first ones.
  static func runs(of findings: some Sequence<Finding>) -> [FindingRun] {
    var runs: [FindingRun] = []
    var open: [Kind: Int] = [:]
    for finding in findings {
      let kind = Kind(finding)
      if let place = open[kind], runs[place].takes(finding) {
        runs[place].add(finding)
      } else {
        open[kind] = runs.count
        runs.append(FindingRun(finding))
      }
    }
    return runs
  }

  /// What the findings of a run have in common.
  private struct Kind: Hashable {
    let code: String
    let rule: String
    let pointer: String
    /// Of a conflict copy: what it copies. What to do with it names the original, and must not be
    /// read as said of copies of other objects.
    let original: String?

    init(_ finding: Finding) {
      (code, rule, pointer) = (finding.code, finding.rule, finding.pointer)
      original = finding.code == FindingCode.conflictCopy.rawValue ? finding.message : nil
    }
  }

  private func takes(_ finding: Finding) -> Bool {
    if finding.code == FindingCode.foreignObject.rawValue { return true }
    guard let last, let date = finding.date else { return last == nil && finding.date == nil }
    return date == last || date == last.adding(days: 1)
  }

  private mutating func add(_ finding: Finding) {
    count += 1
    last = finding.date ?? last
    if finding.message != first.message { isOneMessage = false }
    if keys.count < Self.keysShown { keys.append(finding.key) }
  }

  /// The date, or the first and the last date with their number; empty for findings outside the
  /// days.
  var extent: String {
    let isForeign = first.code == FindingCode.foreignObject.rawValue
    guard let from = first.date, let last, !(isForeign && count > 1) else {
      return count > 1 ? "\(count.grouped) times" : ""
    }
    if count == 1 { return "\(from)" }
    return from == last
      ? "\(from) (\(count.grouped) times)" : "\(from) to \(last) (\(count.grouped) times)"
  }

  /// The message of all, or the meaning of their code.
  var message: String {
    guard !isOneMessage else { return first.message }
    return FindingKind.all.first { $0.code == first.code }?.summary ?? first.message
  }
}
