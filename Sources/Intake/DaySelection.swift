import Foundation
import HealthLedger
import HealthModel
import HealthSources

/// Which of an input's days are to be published.
struct DaySelection {
  /// First and last date wanted; nil for all.
  let wanted: ClosedRange<CalendarDate>?
  /// The date that an undated input is of.
  private let defaultDate: CalendarDate?
  /// True where nothing was said: the input must hold exactly one day.
  private let isImplicit: Bool

  init(
    date: DayArgument?, from: DayArgument?, to: DayArgument?, _ settings: Settings
  ) throws(LedgerError) {
    // Checked here, so that a wrong zone is not laid at the input's door.
    _ = try settings.today
    isImplicit = date == nil && from == nil
    if let from, let to {
      let range = try DateRange(
        from: try settings.date(from), to: try settings.date(to), maximumDays: DateRange.mostDays)
      wanted = range.from...range.to
      defaultDate = range.count == 1 ? range.from : nil
    } else if let date, date != .all {
      let day = try settings.date(date)
      wanted = day...day
      defaultDate = day
    } else {
      wanted = nil
      defaultDate = nil
    }
  }

  /// The days of a metrics JSON, a revision or a payload that are wanted.
  ///
  /// - Throws: `LedgerError` INVALID_ARGUMENTS for an input that is none, DATA_NOT_FOUND for one
  ///   that holds none of the dates asked for.
  func read(
    _ bytes: [UInt8], named path: String, _ settings: Settings
  ) throws(LedgerError) -> SelectedDays {
    let name = path == "-" ? "the input on stdin" : path
    let result: SourceResult
    do {
      result = try SourceDocument.days(
        from: bytes, in: settings.zone.zones, defaultDate: defaultDate)
    } catch {
      throw LedgerError(error, name)
    }
    return try select(result, named: name)
  }

  /// The wanted days of several payloads, each named or in a folder, in the order given.
  func select(
    fromPayloads paths: [String], _ settings: Settings
  ) throws(LedgerError) -> SelectedDays {
    var payloads = try PayloadFiles(in: settings.zone.zones)
    for path in paths {
      if InputFile.isFolder(path) {
        for file in try PayloadFolder(path).files { try payloads.add(file, passesOver: true) }
      } else {
        try payloads.add(path, passesOver: false)
      }
    }
    let name = paths.count == 1 ? paths[0] : "the input"
    return try select(try payloads.result(named: name), named: name)
  }

  /// The wanted days of the configured source, which is told by its content.
  ///
  /// - Throws: `LedgerError` INVALID_ARGUMENTS where it is not there or can't be read.
  func select(
    from source: SourceSetting, _ settings: Settings
  ) throws(LedgerError) -> SelectedDays {
    do throws(LedgerError) {
      let kind = try source.recognised()
      if case .payloads = kind, !InputFile.isFolder(source.path) {
        let bytes = try InputFile.read(source.path, maximumBytes: SourceDocument.maximumBytes)
        return try read(bytes, named: source.path, settings)
      }
      return try select(from: kind, named: source.path, settings)
    } catch  where error.code == .invalidArguments {
      var told = error
      told.remedy = [error.remedy, "the source is named by \(source.origin)"].compactMap(\.self)
        .joined(separator: "; ")
      throw told
    }
  }

  /// The wanted days of an export, whatever `import` reads.
  func select(
    from source: ImportSource, named name: String, _ settings: Settings
  ) throws(LedgerError) -> SelectedDays {
    let (from, to) = (wanted?.lowerBound, wanted?.upperBound)
    let imported = try source.read(named: name, from: from, to: to, settings)
    let span = try imported.span(from: from, to: to)
    let selected = SelectedDays(imported, span)
    return try select(SourceResult(days: selected.days, notes: selected.notes), named: name)
  }

  /// The days of a result that are wanted.
  ///
  /// - Throws: `LedgerError` DATA_NOT_FOUND where there are none, INVALID_ARGUMENTS where there are
  ///   several and none was asked for.
  func select(
    _ result: SourceResult, named name: String
  ) throws(LedgerError) -> SelectedDays {
    guard let first = result.days.first?.date, let last = result.days.last?.date else {
      throw LedgerError(
        .dataNotFound, "\(name) holds none of the eight metrics",
        remedy: "check what was exported")
    }
    let held = first == last ? "\(first)" : "\(result.days.count) days, \(first) to \(last)"
    if isImplicit, result.days.count > 1 {
      throw LedgerError(
        .invalidArguments, "\(name) holds \(held)",
        remedy: "say which: --date all, --date \(last), or --from and --to")
    }
    let days = result.days.filter { wanted?.contains($0.date) ?? true }
    guard !days.isEmpty else {
      throw LedgerError(
        .dataNotFound, "\(name) holds \(held), and nothing of the dates asked for",
        remedy: "ask for one of its dates, or --date all")
    }
    let notes = days.flatMap { day in day.notes.map { "\(day.date): \($0)" } }
    return SelectedDays(days: days, notes: result.notes + notes)
  }
}

extension SourceSetting {
  /// What the source is, by its content.
  func recognised() throws(LedgerError) -> ImportSource {
    guard FileManager.default.fileExists(atPath: path) else {
      throw LedgerError(
        .invalidArguments, "the source \(path) is not there", remedy: "check the path")
    }
    return try ImportSource(path)
  }
}

/// The days that will be published.
struct SelectedDays {
  private(set) var days: [DayReadings]
  /// Remarks on the input, for a person.
  private(set) var notes: [String]

  init(days: [DayReadings], notes: [String]) { (self.days, self.notes) = (days, notes) }

  /// Leaves out the dates that are still to come in every time zone, and says so.
  ///
  /// - Throws: `LedgerError` INVALID_ARGUMENTS where nothing remains.
  mutating func leaveOutFuture(at now: Timestamp) throws(LedgerError) {
    let future = days.map(\.date).filter { !$0.hasBegun(at: now) }
    guard let first = future.min(), let last = future.max() else { return }
    let dates = first == last ? "\(first)" : "\(future.count) dates, \(first) to \(last),"
    let verb = future.count == 1 ? "is" : "are"
    days.removeAll { !$0.date.hasBegun(at: now) }
    guard !days.isEmpty else {
      throw LedgerError(
        .invalidArguments, "\(dates) \(verb) still to come", rule: "R19",
        remedy: "check the date, and this machine's clock; --allow-future publishes it all the same"
      )
    }
    notes.append(
      "\(dates) \(verb) still to come and \(verb == "is" ? "was" : "were") left out; "
        + "--allow-future publishes \(future.count == 1 ? "it" : "them")")
  }

  /// The days as drafts, each in the zone that its input names, else the reporting zone.
  ///
  /// One of an input that says when it was made leaves newer data in place, unless `forced`.
  func drafts(
    collector: Collector, _ settings: Settings, forced: Bool
  ) throws(LedgerError) -> [DayDraft] {
    let now = settings.now
    var drafts: [DayDraft] = []
    for day in days {
      do throws(ReportingDay.Failure) {
        let zone = day.timeZoneName ?? settings.zone.zones.name(on: day.date)
        drafts.append(
          DayDraft(
            day: try ReportingDay(date: day.date, timeZoneName: zone), collector: collector,
            readings: day.readings, capturedAt: day.capturedAt ?? now,
            keepsNewer: day.capturedAt != nil && !forced))
      } catch {
        throw error.ledgerError
      }
    }
    return drafts
  }
}

extension LedgerError {
  /// An input that can't be read: all that is wrong with it.
  init(_ error: SourceError, _ name: String) {
    let more = error.problemCount - error.problems.count
    guard error.problemCount > 1, let first = error.problems.first else {
      let problem = error.problems.first
      let place = problem.map { $0.pointer.isEmpty ? "" : "\($0.pointer): " } ?? ""
      self.init(
        .invalidArguments, "\(name): \(place)\(problem?.message ?? "not readable")",
        remedy: problem?.remedy)
      return
    }
    self.init(
      .invalidArguments, "\(name) has \(error.problemCount.grouped) problems:",
      remedy: "mend them, beginning at \(first.pointer.isEmpty ? "the top" : first.pointer)")
    details = error.problems.map { "\($0)" } + (more > 0 ? ["and \(more.grouped) more"] : [])
  }
}
