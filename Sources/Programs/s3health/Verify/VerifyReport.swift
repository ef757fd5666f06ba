import ArgumentParser
import CommandLineKit
import HealthLedger
import HealthModel

/// The results of `verify`, collected day by day, in bounded memory whatever is found.
struct VerifyReport: PersonReport {
  let storeName: String
  /// From the first to the last date; those between that are in a gap that was left out have no day. Nil if
  /// there is none.
  var dates: ClosedRange<CalendarDate>?
  let options: VerifyOptions
  /// Missing dates are reported but do not count as errors.
  let allowsMissing: Bool
  /// Warnings count as errors.
  let isStrict: Bool

  /// One date, in order.
  struct Day {
    let date: CalendarDate
    let status: DayVerdict.Status
    /// Whether it is readable and not over: its numbers are those of a part of the day.
    let isSoFar: Bool
    /// Whether it is over, and numbers are of a part of it all the same.
    let isPartial: Bool
    /// Whether it is readable, over, and has no number at all.
    let isEmpty: Bool
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
  /// How many sources have fallen silent, which is not a fault of any day either.
  private(set) var silentSources = 0
  /// How many findings count for exit code 1.
  private(set) var countedFindings = 0
  /// The findings that are kept, by severity, each with its position among all.
  private var kept: [Finding.Severity: [(place: Int, finding: Finding)]] = [:]
  private var keptCount = 0
  private var keptOfCode: [String: Int] = [:]
  private var place = 0
  private let maximum: Int
  /// Why the store takes no pointer, if that is known.
  var whyNoPointer: LedgerError.Detail?

  init(
    storeName: String, options: VerifyOptions, allowsMissing: Bool, isStrict: Bool,
    maximumFindings: Int
  ) {
    maximum = maximumFindings
    (self.storeName, self.options) = (storeName, options)
    (self.allowsMissing, self.isStrict) = (allowsMissing, isStrict)
  }

  /// - Parameter now: decides whether the day is over.
  mutating func add(_ verdict: DayVerdict, at now: Timestamp) {
    let counts = verdict.findings.contains(where: counts)
    days.append(
      Day(
        date: verdict.date, status: verdict.status,
        isSoFar: verdict.latest.map { !$0.revision.day.isOver(at: now) } ?? false,
        isPartial: verdict.has(.partial),
        isEmpty: verdict.latest.map {
          $0.revision.day.isOver(at: now) && !$0.revision.readings.hasNumber
        } ?? false,
        revisionID: verdict.revisionID, counts: counts))
    if let repair = verdict.repair { repairs.append((verdict.date, repair)) }
    revisionsRead += verdict.revisionsRead
    add(verdict.findings)
  }

  var isEmpty: Bool { days.allSatisfy { $0.status == .missing } }

  var exitCode: ExitCode { foundSomething ? CommandLineKit.foundSomething : .success }

  /// Says why latest.json files were not moved although it was allowed.
  func remark(_ format: OutputFormat) {
    let isUnsafe = repairs.contains { $0.repair == .impossible(.noCompareAndSwap) }
    guard isUnsafe, let whyNoPointer else { return }
    StandardStreams.remark("s3health: latest.json was not moved: \(whyNoPointer.words)")
  }

  func lines(_ terminal: Terminal) -> [String] {
    Diagnostics.isQuiet && !foundSomething ? [] : VerifyText(report: self, terminal: terminal).lines
  }

  mutating func add(_ more: [Finding]) {
    for finding in more {
      severities[finding.severity, default: 0] += 1
      if counts(finding) { countedFindings += 1 }
      if finding.code == FindingCode.newestTooOld.rawValue { isTooOld = true }
      if finding.isSilence { silentSources += 1 }
      keep(finding)
    }
  }

  /// Keeps a finding. If there are too many, it replaces the last one that is less serious; the
  /// first of a code also replaces one of a code of which there are others.
  private mutating func keep(_ finding: Finding) {
    place += 1
    if keptCount >= maximum {
      guard let victim = leastNeeded(for: finding) else {
        omitted[finding.severity, default: 0] += 1
        return
      }
      omitted[victim.severity, default: 0] += 1
      if let dropped = kept[victim.severity]?.remove(at: victim.index) {
        keptOfCode[dropped.finding.code, default: 1] -= 1
        keptCount -= 1
      }
    }
    kept[finding.severity, default: []].append((place, finding))
    keptOfCode[finding.code, default: 0] += 1
    keptCount += 1
  }

  /// What a finding may replace; nil if everything that is kept is needed more.
  private func leastNeeded(for finding: Finding) -> (severity: Finding.Severity, index: Int)? {
    for severity in finding.severity.lighter {
      if let index = lastOfMany(severity) ?? kept[severity]?.indices.last {
        return (severity, index)
      }
    }
    guard keptOfCode[finding.code, default: 0] == 0 else { return nil }
    return lastOfMany(finding.severity).map { (finding.severity, $0) }
  }

  /// The last finding whose code others have too. Near the end: there are few codes.
  private func lastOfMany(_ severity: Finding.Severity) -> Int? {
    kept[severity]?.lastIndex { keptOfCode[$0.finding.code, default: 0] > 1 }
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
    case .error: !(allowsMissing && (finding.isMissingDate || finding.isSilence))
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

  /// Whether it is a source that speaks no more.
  var isSilence: Bool { code == FindingCode.sourceSilent.rawValue }
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

extension VerifyReport {
  private var numbers: Document {
    [
      "from": dates?.lowerBound, "to": dates?.upperBound, "days": days.count,
      "ok_days": count(.ok), "faulty_days": count(.faulty), "invalid_days": count(.invalid),
      "revisions_read": revisionsRead, "errors": severities[.error] ?? 0,
      "warnings": severities[.warning] ?? 0, "notes": severities[.note] ?? 0,
      "findings_omitted": omittedFindings,
    ]
  }

  var document: any Encodable {
    var members = numbers
    members["store"] = storeName
    members["deep"] = options.isDeep
    members["strict"] = isStrict
    members["missing_allowed"] = allowsMissing
    members["found_something"] = foundSomething
    members["max_age_seconds"] = .some(options.maximumAge)
    members["days_not_over"] = days.filter(\.isSoFar).map(\.date)
    members["missing_dates"] = missingDates
    members["findings_omitted_by_severity"] = Dictionary(
      uniqueKeysWithValues: Finding.Severity.allCases.map { ($0.rawValue, omitted[$0] ?? 0) })
    return members
  }

  /// What is printed about a person of many.
  var members: any Encodable {
    guard dates != nil else { return [:] as Document }
    var members = numbers
    members["missing_days"] = count(.missing)
    members["codes"] = Dictionary(uniqueKeysWithValues: codes.map { ($0.code, $0.count) })
    members["repairs"] = Dictionary(grouping: repairs, by: { $0.repair.word }).mapValues(\.count)
    return members
  }

  var personResult: PersonResult { dates == nil ? .noData : foundSomething ? .findings : .ok }

  var cells: [String] {
    guard dates != nil else { return VerifyCommand.columns.map { _ in "" } }
    return [
      days.count, count(.ok), count(.missing), severities[.error] ?? 0, severities[.warning] ?? 0,
    ].map(\.grouped)
  }

  var words: String {
    let counted = codes.filter { $0.counts }.map { "\($0.count.grouped) \($0.code)" }
    return counted.joined(separator: ", ") + (omittedFindings > 0 ? " at least" : "")
  }

  /// The codes of the findings that are kept, with their numbers: those that count first.
  private var codes: [(code: String, count: Int, counts: Bool)] {
    Dictionary(grouping: findings, by: \.code).map { code, found in
      (code, found.count, found.contains(where: counts))
    }.sorted { ($0.counts ? 0 : 1, $0.code) < ($1.counts ? 0 : 1, $1.code) }
  }

  /// Written finding by finding, so that many findings take no more memory than their text.
  func json() throws(LedgerError) -> [UInt8] {
    var members = try JSONValue(encoding: document).objectValue?.mapValues(\.canonicalBytes) ?? [:]
    members["resolved"] = Self.array(
      days.lazy.compactMap { day in
        day.revisionID.map { id in
          .object(["date": .string("\(day.date)"), "revision_id": .string(id.rawValue)])
        }
      })
    members["findings"] = Self.array(findings.lazy.map { $0.document })
    members["repairs"] = Self.array(repairs.lazy.map { $0.repair.document(of: $0.date) })
    return Self.object(members)
  }

  static func array(_ elements: some Sequence<JSONValue>) -> [UInt8] {
    var bytes = [UInt8(ascii: "[")]
    for element in elements {
      if bytes.count > 1 { bytes.append(UInt8(ascii: ",")) }
      bytes += element.canonicalBytes
    }
    return bytes + [UInt8(ascii: "]")]
  }

  /// A canonical object whose members are already JSON. Their names are ASCII.
  static func object(_ members: [String: [UInt8]]) -> [UInt8] {
    var bytes = [UInt8(ascii: "{")]
    for (name, value) in members.sorted(by: { $0.key < $1.key }) {
      if bytes.count > 1 { bytes.append(UInt8(ascii: ",")) }
      bytes += JSONValue.string(name).canonicalBytes + [UInt8(ascii: ":")] + value
    }
    return bytes + [UInt8(ascii: "}")]
  }
}

extension Finding {
  var document: JSONValue {
    .object([
      "date": date.map { .string($0.description) } ?? .null,
      "severity": .string(severity.rawValue), "code": .string(code), "rule": .string(rule),
      "key": .string(key), "pointer": .string(pointer), "message": .string(message),
      "remedy": .string(remedy.words),
    ])
  }
}

extension PointerRepair {
  func document(of date: CalendarDate) -> JSONValue {
    var members: [String: JSONValue] = [
      "date": .string(date.description), "outcome": .string(word),
    ]
    switch self {
    case .moved(let from, let to), .wouldMove(let from, let to):
      members["from"] = from.map { .string($0.rawValue) } ?? .null
      members["to"] = .string(to.rawValue)
    case .alreadySound(let id): members["to"] = .string(id.rawValue)
    case .impossible(let obstacle): members["obstacle"] = .string(obstacle.rawValue)
    }
    return .object(members)
  }

  /// What happened to the pointer, for people.
  var words: String {
    switch self {
    case .moved(let from, let to): "moved latest.json from \(from?.rawValue ?? "nothing") to \(to)"
    case .wouldMove(let from, let to):
      "would move latest.json from \(from?.rawValue ?? "nothing") to \(to)"
    case .alreadySound(let id): "another writer has moved latest.json to \(id)"
    case .impossible(.noValidRevision): "can't move latest.json: no revision is readable"
    case .impossible(.namesGreaterID):
      "can't move latest.json backwards; publish the day again to replace it"
    case .impossible(.noCompareAndSwap):
      "can't move latest.json safely: it stays as it is, and readers list the revisions"
    case .impossible(.noETag):
      "can't replace latest.json: it is too large to read, and the store lists no etag"
    case .impossible(.lacksWords):
      "latest.json stays: the newest revision lacks something that an older one has; publishing the day "
        + "joins both"
    }
  }
}
