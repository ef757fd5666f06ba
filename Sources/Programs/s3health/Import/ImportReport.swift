import AppleExport
import ArgumentParser
import CommandLineKit
import HealthLedger
import HealthModel
import HealthSources

struct ImportReport: CommandResult {
  let source: ImportedSource
  let span: ImportSpan
  let opened: OpenedStore
  let isDryRun: Bool
  /// What the table is shown in.
  let units: PersonalUnits
  let outcomes: DayOutcomes
  /// Nil where the command line gave no zones.
  let zoneAdvice: ZoneAdvice?
  /// What was done for the zone of a person who set none.
  let keptZone: String?
  /// What of the store an export does not have, or contradicts.
  let storeNotes: [String]

  /// What to do so that later imports use the zones of the command line, too.
  struct ZoneAdvice {
    /// Nil where there is nothing to do.
    let words: String?
  }

  var exitCode: ExitCode { outcomes.exitCode }

  func remark(_ format: OutputFormat) {
    outcomes.sayErrors()
    guard format == .text else { return }
    StandardStreams.remark(notes: allNotes + [outcomes.repetition].compactMap(\.self))
    outcomes.sayRun()
  }

  func lines(_ terminal: Terminal) -> [String] {
    let table = isDryRun ? DayTable(span.days, outcomes, in: units).lines(terminal) + [""] : []
    return heading(terminal) + table + [summary(terminal)]
  }

  var allNotes: [String] {
    [keptZone].compactMap(\.self) + outcomes.notes(opened) + sourceNotes + storeNotes
      + span.days.flatMap { day in (day.notes + day.implausible).map { "\(day.date): \($0)" } }
  }
}

extension ImportReport {
  /// The source's remarks; its advice on zones only where the command line gave none.
  private var sourceNotes: [String] {
    guard let zoneAdvice else { return source.notes.map(\.words) }
    let others = source.notes.filter { note in
      if case .recordsNameOthers = note { false } else { true }
    }
    return others.map(\.words) + (zoneAdvice.words.map { [$0] } ?? [])
  }
}

extension ImportReport {
  func heading(_ terminal: Terminal) -> [String] {
    var facts: [(name: String, text: String)] = []
    if let export = source.export {
      facts.append(("records", export.tally.sentence(records: source.units)))
      facts += export.losses().map { ("", $0) }
      if let sentence = export.tally.unreadSentence { facts.append(("not used", sentence)) }
      facts += otherContents(export).map { ("not used", $0) }
    } else {
      facts.append(("files", "\(source.units.grouped)"))
    }
    facts.append(("time zone", "\(source.zone)"))
    if let first = span.days.first?.date, let last = span.days.last?.date {
      let empty = span.emptyDays > 0 ? ", \(span.emptyDays.grouped) of them without data" : ""
      facts.append(
        ("days", "\(first) to \(last): \(span.days.count.grouped)\(empty)"))
    }
    let optional = DailyMetric.optional(in: span.days.map(\.readings))
      .count { $0.latestOf == nil }
    if optional > 0 {
      facts.append(
        (
          "metrics",
          "\(DailyMetric.required.count) required, and \(optional) optional (--metrics v0 leaves "
            + "\(optional == 1 ? "it" : "them") out)"
        ))
    }
    for left in span.leftOut { facts.append(("left out", left.sentence)) }
    if let export = source.export { facts += export.crossCheck.facts }
    let title = "\(source.name): \(source.kind.label)\(exported)".printable
    return [terminal.styled(title, .strong)]
      + facts.map { "  " + $0.name.padded(to: 12) + $0.text.printable } + [""]
  }

  /// What the export holds beside records: workouts, and what they are good for; then the rest.
  private func otherContents(_ export: ImportedSource.Export) -> [String] {
    var others = export.others
    var lines: [String] = []
    if let count = others.removeValue(forKey: "Workout") {
      lines.append(
        "\(count.grouped) \(count == 1 ? "workout" : "workouts"): s3health export csv "
          + "--table workouts --input \(source.name)")
    }
    let parts = others.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { name, count in
      "\(Self.words(forElement: name)) (\(count.grouped))"
    }
    if !parts.isEmpty { lines.append(parts.joined(separator: ", ")) }
    return lines
  }

  private static func words(forElement name: String) -> String {
    switch name {
    case "WorkoutRoute": "routes of workouts"
    case "Audiogram": "audiograms"
    case "ClinicalRecord": "clinical records"
    case "VisionPrescription": "vision prescriptions"
    case "StateOfMind", "HKStateOfMind": "states of mind"
    case ExportReading.electrocardiogram: "electrocardiograms"
    default: name.printable
    }
  }

  private var exported: String {
    source.exportedAt.map { moment in
      let text = "\(moment)"
      return ", made \(text.prefix(10)) \(text.dropFirst(11).prefix(5)) UTC"
    } ?? ""
  }

  func summary(_ terminal: Terminal) -> String {
    let isGood = outcomes.exitCode == .success
    return terminal.styled(outcomes.summary, isGood ? .good : .bad)
      + (isDryRun ? "; nothing was written" : " in \(opened.name.printable)")
      + outcomes.earlierNumbers.map { "; \($0)" }.joined()
  }
}

extension ImportSpan.LeftOut {
  /// Which dates and why, for people.
  var sentence: String {
    let dates = from == to ? "\(from)" : "\(from) to \(to)"
    switch reason {
    case .exportDay: return "\(dates), which was not over when the export was made (--date ..\(to))"
    case .afterExport: return "\(dates), dated after the export"
    case .past: return "\(dates), before 1900 (--allow-past)"
    case .future: return "\(dates), in the future (--allow-future)"
    case .longGap: return "\(dates), more than a year without any data"
    case .notAskedFor:
      return "\(dates), \(daysWithData.grouped) \(daysWithData == 1 ? "day" : "days") not asked for"
    }
  }
}

extension ExportTally {
  /// `1,234,567 found, 890,123 of types that are used`; which of those were skipped is said below.
  fileprivate func sentence(records: Int) -> String {
    "\(records.grouped) found, \(samples.values.reduce(0, +).grouped) of types that are used"
  }

  /// The record types that no number is made of, the commonest first.
  var unreadByCount: [(type: String, count: Int)] {
    unread.map { (type: $0.key, count: $0.value) }
      .sorted { ($1.count, $0.type) < ($0.count, $1.type) }
  }

  /// Most types that are named; with `--verbose` all are.
  static let typesNamed = 10

  /// `22,221 of types that no metric is made of: HeartRate (12,345), BasalEnergyBurned (9,876)`; nil where all were read.
  fileprivate var unreadSentence: String? {
    let types = unreadByCount
    guard !types.isEmpty else { return nil }
    var parts = types.prefix(Diagnostics.isVerbose ? types.count : Self.typesNamed).map {
      "\(Self.shortName($0.type)) (\($0.count.grouped))"
    }
    if types.count > parts.count {
      let more = types.count - parts.count
      parts.append("and \(more.grouped) more \(more == 1 ? "type" : "types")")
    }
    let records = types.reduce(0) { $0 + $1.count }
    return "\(records.grouped) of types that no metric uses: " + parts.joined(separator: ", ")
  }

  /// The type without what all of HealthKit's begin with.
  private static func shortName(_ type: String) -> String {
    for prefix in ["HKQuantityTypeIdentifier", "HKCategoryTypeIdentifier", "HKDataType"]
    where type.hasPrefix(prefix) && type.count > prefix.count {
      return String(type.dropFirst(prefix.count).prefix(64)).printable
    }
    return type.isEmpty ? "other types" : String(type.prefix(64)).printable
  }
}

extension ImportedSource.Export {
  func losses(_ isWanted: (LeftOut) -> Bool = { _ in true }) -> [String] {
    let scanned = SkipReason.allCases.compactMap { reason in
      tally.skipped[reason].map { count in
        "\(count.grouped) skipped: \(reason.sentence)" + (examples[reason]?.sentence ?? "")
      }
    }
    let sorted = LeftOut.allCases.filter(isWanted).compactMap { reason in
      tally.leftOut[reason].map { "\($0.grouped) skipped: \(reason.sentence)" }
    }
    return scanned + sorted
  }
}

extension SkippedExample {
  /// `, first on line 4,711: "15/06/2024 20:30"`.
  fileprivate var sentence: String {
    let place = line.map { "first on line \($0.grouped)" } ?? "such as"
    return ", \(place): " + (text.isEmpty ? "empty" : "\"\(text.printable)\"")
  }
}

extension SkipReason {
  var sentence: String {
    switch self {
    case .date: "a date that can't be read"
    case .value: "a value that is not a number"
    case .tooLarge: "larger than any record"
    case .malformed: "not well-formed"
    case .unknownCategory: "a value that is not known"
    case .tooManySources: "more sources than can be distinguished"
    }
  }
}

extension LeftOut {
  /// Whether it is said of workouts alone.
  var isOfWorkouts: Bool {
    switch self {
    case .workoutUnit, .workoutNumber, .tooManyWorkouts: true
    default: false
    }
  }
}

extension ActivityCrossCheck {
  /// How our figures agree with Apple's own.
  fileprivate var facts: [(name: String, text: String)] {
    guard days.compared > 0 else { return [] }
    var text =
      "energy, exercise, stand within 2 % of Apple's on \(days.within.grouped) of "
      + "\(days.compared.grouped) days"
    if days.missing > 0 {
      text += "; on \(days.missing.grouped) only Apple has a figure"
    }
    return [("checked", text)]
  }
}
