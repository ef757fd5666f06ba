package import HealthLedger
package import HealthModel

/// The days to publish.
package struct SelectedDays: Sendable {
  package private(set) var days: [DayReadings]
  /// Remarks on the input, for people.
  package private(set) var notes: [IntakeNote]

  package init(days: [DayReadings], notes: [IntakeNote]) {
    (self.days, self.notes) = (days, notes)
  }

  init(_ result: SourceResult) {
    self.init(days: result.days, notes: result.allNotes)
  }

  /// The days of an import that are published.
  package init(_ imported: ImportedSource, _ span: ImportSpan) {
    self.init(
      days: span.days.map { day in
        DayReadings(
          date: day.date, timeZoneName: day.timeZoneName ?? imported.zone.zones.name(on: day.date),
          capturedAt: day.capturedAt ?? imported.exportedAt, writtenAt: day.writtenAt,
          readings: day.readings,
          covers: day.covers, mayLack: day.mayLack, notes: day.notes)
      },
      notes: imported.notes)
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

  /// The days as drafts, each in the zone that its input names, or in the reporting zone.
  ///
  /// If the input says when it was made, newer stored data stays, unless `forced`. What the input
  /// does not speak of stays, unless it `replaces` whole days.
  package func drafts(
    collector: Collector, in zones: ReportingZones, at now: Timestamp, forced: Bool = false,
    replaces: Bool = false
  ) throws(LedgerError) -> [DayDraft] {
    var drafts: [DayDraft] = []
    for day in days {
      do throws(ReportingDay.Failure) {
        let zone = day.timeZoneName ?? zones.name(on: day.date)
        var draft = DayDraft(
          day: try ReportingDay(date: day.date, timeZoneName: zone), collector: collector,
          readings: day.readings, covers: replaces ? .everything : day.covers,
          capturedAt: day.capturedAt ?? min(day.writtenAt ?? now, now),
          keepsNewer: day.capturedAt != nil && !forced)
        if !replaces, !forced { draft.mayLack = day.mayLack }
        drafts.append(draft)
      } catch {
        throw LedgerError(error)
      }
    }
    return drafts
  }
}

extension DayReadings {
  /// Remarks on numbers that no day of a living person has: they are published all the same.
  package var implausible: [String] {
    readings.compactMap { metric, reading in
      reading.number.flatMap(metric.implausibility(of:)).map { (metric, $0) }
    }.sorted { $0.0.rawValue < $1.0.rawValue }.map { metric, words in
      "\(metric.rawValue): \(words); check the unit and the source"
    }
  }
}
