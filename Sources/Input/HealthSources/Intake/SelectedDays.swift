package import HealthLedger
package import HealthModel

/// The days to publish.
package struct SelectedDays: Sendable {
  package private(set) var days: [DayReadings]
  /// Remarks on the input, for people.
  package private(set) var notes: [IntakeNote]
  /// Dates of the input that are not among them, and why.
  package private(set) var leftOut: [ImportSpan.LeftOut] = []
  /// Files of the folder that were passed over.
  package private(set) var broken: [BrokenFile] = []
  /// The zones that the input names; nil if it names none.
  package private(set) var namedZones: ReportingZones?
  /// Whether the input has everything between its first and its last day.
  private var hasAll = false

  package init(days: [DayReadings], notes: [IntakeNote]) {
    (self.days, self.notes) = (days, notes)
    let newest = days.filter { $0.source == .metricsJSON }.max { $0.date < $1.date }
    namedZones = newest?.timeZoneName.map { ReportingZones($0) }
  }

  init(_ result: SourceResult) {
    self.init(days: result.days, notes: result.allNotes)
  }

  /// The days of an import that are published.
  package init(_ imported: ImportedSource, _ span: ImportSpan) {
    self.init(
      days: span.days.map { day in
        DayReadings(
          date: day.date, from: day.source,
          timeZoneName: day.timeZoneName ?? imported.zone.zones.name(on: day.date),
          capturedAt: day.capturedAt ?? imported.exportedAt, writtenAt: day.writtenAt,
          readings: day.readings, speaksOf: day.speaksOf, moments: day.moments,
          ofWholeDay: day.ofWholeDay, notes: day.notes)
      },
      notes: imported.allNotes)
    (hasAll, namedZones) = (imported.coverage != nil, imported.zone.evidence)
    (leftOut, broken) = (span.leftOut, imported.broken)
  }

  /// Some of the days, with further notes.
  func with(days: [DayReadings], notes: [IntakeNote]) -> SelectedDays {
    var selected = SelectedDays(days: days, notes: self.notes + notes)
    (selected.leftOut, selected.broken, selected.namedZones) = (leftOut, broken, namedZones)
    return selected
  }

  package mutating func leaveOut(_ dates: Set<CalendarDate>) {
    leftOut += days.map(\.date).filter(dates.contains).map {
      ImportSpan.LeftOut(from: $0, to: $0, daysWithData: 1, reason: .notAskedFor)
    }
    days.removeAll { dates.contains($0.date) }
  }

  /// Removes the dates that are in the future in every time zone, and adds a note.
  ///
  /// - Throws: `LedgerError` INVALID_ARGUMENTS if no day remains.
  package mutating func leaveOutFuture(at now: Timestamp) throws(LedgerError) {
    try leaveOut(
      "in the future", .allowFuture, IntakeNote.leftOutFuture, where: { !$0.hasBegun(at: now) })
  }

  /// Removes the dates of which no living person has data (R19), and adds a note.
  ///
  /// - Throws: `LedgerError` INVALID_ARGUMENTS if no day remains.
  package mutating func leaveOutPast() throws(LedgerError) {
    try leaveOut(
      "before 1900", .allowPast, IntakeNote.leftOutPast, where: \.isBeforeLivingMemory)
  }

  private mutating func leaveOut(
    _ when: String, _ remedy: LedgerError.InputRemedy,
    _ note: (Int, CalendarDate, CalendarDate) -> IntakeNote, where isOut: (CalendarDate) -> Bool
  ) throws(LedgerError) {
    let out = days.map(\.date).filter(isOut)
    guard let first = out.min(), let last = out.max() else { return }
    days.removeAll { isOut($0.date) }
    guard !days.isEmpty else {
      let dates = first == last ? "\(first)" : "\(out.count) dates, \(first) to \(last),"
      throw LedgerError(
        .invalidArguments, "\(dates) \(out.count == 1 ? "is" : "are") \(when)", rule: "R19",
        remedy: .input(remedy))
    }
    notes.append(note(out.count, first, last))
  }

  /// What is asked for of the drafts.
  package struct Terms: Hashable, Sendable {
    /// The source's name, if it is not that of its format.
    package var source: DataSource?
    /// Whether a person set the zones.
    package var areZonesSet = false
    /// Whether what the input says ends all that was said before.
    package var isForced = false
    /// Whether the input stands for whole days: it ends what it does not speak of, too.
    package var replaces = false
    /// The metrics that were asked for.
    package var metrics = Set(DailyMetric.allCases)

    package init() {}
  }

  /// The days as drafts, each in the zone that its input names, or in the reporting zone.
  package func drafts(
    collector: Collector, in zones: ReportingZones, at now: Timestamp, _ terms: Terms = Terms()
  ) throws(LedgerError) -> [DayDraft] {
    var drafts: [DayDraft] = []
    var moments: [WordGroup: Range<Int>] = [:]
    for day in days {
      do throws(ReportingDay.Failure) {
        let zone = day.timeZoneName ?? zones.name(on: day.date)
        let reporting = try ReportingDay(date: day.date, timeZoneName: zone)
        drafts.append(day.draft(of: reporting, collector, at: now, terms))
        let span = DaySpans(reporting).day
        for group in Set(day.speaksOf.map(WordGroup.init(of:))) {
          let known = moments[group] ?? span
          moments[group] =
            min(known.lowerBound, span.lowerBound)..<max(known.upperBound, span.upperBound)
        }
      } catch {
        throw LedgerError(error)
      }
    }
    // Where none of the metrics that were asked for is there, there is nothing to say.
    drafts.removeAll(where: \.words.isEmpty)
    // Of other inputs it is not known when their numbers were measured.
    if hasAll || days.contains(where: { $0.moments != nil }) {
      for place in drafts.indices { drafts[place].retracts = .otherZones(within: moments) }
    }
    return drafts
  }
}

extension DayReadings {
  /// What the input says of the day, as the words of its source (R19).
  fileprivate func draft(
    of day: ReportingDay, _ collector: Collector, at now: Timestamp, _ terms: SelectedDays.Terms
  ) -> DayDraft {
    let isForced = terms.isForced || terms.replaces
    let readAt = min(capturedAt ?? writtenAt ?? now, now)
    // What an input is forced to say is said now, but of no more of the day than it could see.
    let capturedAt = isForced ? now : readAt
    let spans = DaySpans(day)
    let spoken = terms.replaces ? Set(DailyMetric.allCases) : speaksOf
    // Who has all of a day that was over, or names a number himself, knows better than what was said before.
    let isAuthority =
      isForced || source == .metricsJSON
      || source == .appleHealthExport && terms.source == nil && day.isOver(at: capturedAt)
    var leaves: Set<DailyMetric> = []
    let words = WordGroup.all.compactMap { group -> Word? in
      let metrics = group.metrics
      let isSpoken = metrics.contains(where: spoken.contains)
      guard isSpoken || metrics.contains(where: { readings[$0] != nil }) else { return nil }
      // The halves of a pair are one measurement.
      if !isSpoken || source == .metricsJSON && group.first != .bloodPressureSystolic {
        leaves.formUnion(metrics.filter { !spoken.contains($0) })
      }
      leaves.formUnion(metrics.filter { !terms.metrics.contains($0) })
      let span = spans.span(of: group)
      let isOfWholeDay = metrics.contains(where: ofWholeDay.contains) || moments == nil || !isSpoken
      return Word(
        terms.source ?? source, group, metrics.map { readings[$0] ?? .noData },
        zone: day.timeZoneName,
        isZoneSet: terms.areZonesSet || source == .metricsJSON && timeZoneName != nil,
        extent: WordExtent(
          of: isOfWholeDay ? span : moments?.reach(in: span) ?? span, in: span, capturedAt: readAt),
        capturedAt: capturedAt, isAuthority: isAuthority && isSpoken, readsAll: isOfWholeDay)
    }
    var draft = DayDraft(
      day: day, collector: collector, source: terms.source ?? source, words: words,
      capturedAt: capturedAt)
    draft.leaves = leaves
    draft.isReadNow = isForced || self.capturedAt == nil && writtenAt == nil
    return draft
  }
}

extension DayReadings {
  /// Remarks on numbers that no day of a living person has: they are published all the same.
  package var implausible: [String] { readings.implausible }
}

extension [DailyMetric: MetricReading] {
  /// Remarks on numbers that no day of a living person has.
  package var implausible: [String] {
    let found = compactMap { metric, reading in
      reading.number.flatMap(metric.implausibility(of:)).map { (metric, $0) }
    }
    let told = Set(found.map(\.0).told)
    return found.filter { told.contains($0.0) }.sorted { $0.0.rawValue < $1.0.rawValue }.map {
      "\($0.rawValue): \($1); check the unit and the source"
    }
  }
}

/// Which days of an input to publish.
package struct DaySelection: Hashable, Sendable {
  /// The first and the last date to publish; nil for all.
  package let wanted: ClosedRange<CalendarDate>?
  /// The last date, where there is no first one.
  private(set) var last: CalendarDate?
  /// True if no date was given. Then the input must hold exactly one day.
  private let isImplicit: Bool

  /// All days of the input.
  package static let all = DaySelection(wanted: nil, isImplicit: false)
  /// All days of the input, with the day of an export, which was not over when it was made.
  package static var whole: DaySelection {
    var whole = all
    whole.last = CalendarDate(year: 9999, month: 12, day: 31)
    return whole
  }
  /// The only day of an input that holds one day.
  package static let onlyDay = DaySelection(wanted: nil, isImplicit: true)

  package static func dates(_ dates: ClosedRange<CalendarDate>) -> DaySelection {
    DaySelection(wanted: dates, isImplicit: false)
  }

  private init(wanted: ClosedRange<CalendarDate>?, isImplicit: Bool) {
    (self.wanted, self.isImplicit) = (wanted, isImplicit)
  }

  /// The date of an input that names none.
  private var defaultDate: CalendarDate? {
    wanted.flatMap { $0.lowerBound == $0.upperBound ? $0.lowerBound : nil }
  }

  /// The selected days of one document: a metrics JSON, a revision or a payload.
  ///
  /// - Parameter writtenAt: when its file was written, if that is known.
  /// - Throws: `LedgerError` INVALID_ARGUMENTS if the input has none of these forms, DATA_NOT_FOUND
  ///   if it holds none of the requested dates.
  func read(
    _ bytes: [UInt8], named path: String, writtenAt: Timestamp? = nil, _ request: Input.Request
  ) throws(LedgerError) -> SelectedDays {
    let name = path == "-" ? "the input on stdin" : path
    let result: SourceResult
    do {
      result = try SourceDocument.days(
        from: bytes, writtenAt: writtenAt, in: request.zone.zones, defaultDate: defaultDate,
        metrics: request.metrics)
    } catch {
      throw LedgerError(error, name)
    }
    if let misfit = result.misfit { try request.zone.check(misfit, of: name) }
    return try select(SelectedDays(result), named: name)
  }

  /// The selected days of a result.
  ///
  /// - Throws: `LedgerError` DATA_NOT_FOUND if there are none, INVALID_ARGUMENTS if there are
  ///   several but no date was given.
  func select(
    _ result: SelectedDays, named name: String
  ) throws(LedgerError) -> SelectedDays {
    guard let first = result.days.first?.date, let last = result.days.last?.date else {
      throw .noMetrics(name, notes: result.notes)
    }
    let held = first == last ? "\(first)" : "\(result.days.count) days, \(first) to \(last)"
    if isImplicit, result.days.count > 1 {
      throw LedgerError(
        .invalidArguments, "\(name) holds \(held)",
        remedy: .input(.chooseDates(last: last)))
    }
    let days = result.days.filter { wanted?.contains($0.date) ?? true }
    guard !days.isEmpty else {
      throw LedgerError(
        .dataNotFound, "\(name) holds \(held), but none of the requested dates",
        remedy: .input(.askForHeldDate))
    }
    let notes = days.flatMap { day in
      (day.notes + day.implausible).map { IntakeNote.text("\(day.date): \($0)") }
    }
    return result.with(days: days, notes: notes)
  }
}
