import HealthLedger
import HealthModel

/// Findings of one kind on dates that follow one another, or of foreign objects anywhere, told
/// together: how a person reads thousands of them.
struct FindingRun {
  /// The first of them, which speaks for the others.
  let first: Finding
  private(set) var last: CalendarDate?
  private(set) var count = 1
  /// False where the messages differ, so that the first one's is no other's.
  private(set) var isOneMessage = true
  /// The first keys.
  private(set) var keys: [String]

  /// Keys of a run that are shown.
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

  /// What findings of a run have in common.
  private struct Kind: Hashable {
    let code: String
    let rule: String
    let pointer: String

    init(_ finding: Finding) {
      (code, rule, pointer) = (finding.code, finding.rule, finding.pointer)
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

  /// The date, or the first and the last, and how many; empty for what lies in no day.
  var extent: String {
    let isForeign = first.code == FindingCode.foreignObject.rawValue
    guard let from = first.date, let last, !(isForeign && count > 1) else {
      return count > 1 ? "\(count.grouped) times" : ""
    }
    if count == 1 { return "\(from)" }
    return from == last
      ? "\(from) (\(count.grouped) times)" : "\(from) to \(last) (\(count.grouped) times)"
  }

  /// The message of all, or what their code means.
  var message: String {
    guard !isOneMessage else { return first.message }
    return FindingKind.all.first { $0.code == first.code }?.summary ?? first.message
  }
}
