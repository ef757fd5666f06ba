import Foundation
package import HealthLedger
package import HealthModel

/// Which days of an input to publish.
package struct DaySelection: Hashable, Sendable {
  /// The first and the last date to publish; nil for all.
  package let wanted: ClosedRange<CalendarDate>?
  /// True if no date was given. Then the input must hold exactly one day.
  private let isImplicit: Bool

  /// All days of the input.
  package static let all = DaySelection(wanted: nil, isImplicit: false)
  /// The only day of an input that holds one day.
  package static let onlyDay = DaySelection(wanted: nil, isImplicit: true)

  /// The days of these dates.
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

  /// The selected days of a metrics JSON, a revision or a payload.
  ///
  /// - Throws: `IntakeError` INVALID_ARGUMENTS if the input has none of these forms, DATA_NOT_FOUND
  ///   if it holds none of the requested dates.
  package func read(
    _ bytes: [UInt8], named path: String, _ request: ImportSource.Request
  ) throws(IntakeError) -> SelectedDays {
    let name = path == "-" ? "the input on stdin" : path
    let result: SourceResult
    do {
      result = try SourceDocument.days(
        from: bytes, in: request.zone.zones, defaultDate: defaultDate, metrics: request.metrics)
    } catch {
      throw IntakeError(error, name)
    }
    if let misfit = result.misfit { try request.zone.check(misfit, of: name) }
    return try select(SelectedDays(result), named: name)
  }

  /// The selected days of several payloads, given as files or folders, in the order given.
  package func select(
    fromPayloads paths: [String], _ request: ImportSource.Request
  ) throws(IntakeError) -> SelectedDays {
    var options = PayloadOptions()
    options.metrics = request.metrics
    var payloads = try PayloadFiles(in: request.zone, options: options)
    for path in paths {
      if InputFile.isFolder(path) {
        for file in try PayloadFolder(path).files { try payloads.add(file, passesOver: true) }
      } else {
        try payloads.add(path, passesOver: false)
      }
    }
    let name = paths.count == 1 ? paths[0] : "the input"
    return try select(SelectedDays(try payloads.result(named: name)), named: name)
  }

  /// The selected days of what a command line names: one file or folder, whose kind is recognised
  /// by its content as that of a configured source is, or several payloads, in the order given.
  package func select(
    fromInputs paths: [String], _ request: ImportSource.Request
  ) throws(IntakeError) -> SelectedDays {
    guard let path = paths.first, paths.count == 1 else {
      return try select(fromPayloads: paths, request)
    }
    let kind = try ImportSource(path)
    switch kind {
    case .export: return try select(from: kind, named: path, request)
    case .payloads where Self.isOfPayloads(path):
      return try select(fromPayloads: paths, request)
    case .payloads:
      let bytes = try InputFile.read(path, maximumBytes: SourceDocument.maximumBytes)
      return try read(bytes, named: path, request)
    case .pipedPayload(let first):
      let bytes = try InputFile.read("-", first: first, maximumBytes: SourceDocument.maximumBytes)
      return try read(bytes, named: path, request)
    }
  }

  /// True for a folder, and for a file that is too large for any other input.
  private static func isOfPayloads(_ path: String) -> Bool {
    InputFile.isFolder(path) || InputFile.size(of: path) ?? 0 > SourceDocument.maximumBytes
  }

  /// The selected days of a configured source, whose kind is recognised by its content.
  ///
  /// - Parameter origin: the setting that names the source, for errors.
  /// - Throws: `IntakeError` INVALID_ARGUMENTS if it does not exist or can't be read.
  package func select(
    fromConfigured path: String, of origin: String, _ request: ImportSource.Request
  ) throws(IntakeError) -> SelectedDays {
    do throws(IntakeError) {
      let kind = try ImportSource(existing: path)
      if case .payloads = kind, !Self.isOfPayloads(path) {
        let bytes = try InputFile.read(path, maximumBytes: SourceDocument.maximumBytes)
        return try read(bytes, named: path, request)
      }
      return try select(from: kind, named: path, request)
    } catch  where error.failure.code == .invalidArguments {
      var reported = error
      reported.origin = origin
      throw reported
    }
  }

  /// The selected days of an export of any kind that `import` reads.
  package func select(
    from source: ImportSource, named name: String, _ request: ImportSource.Request
  ) throws(IntakeError) -> SelectedDays {
    var request = request
    (request.from, request.to) = (wanted?.lowerBound, wanted?.upperBound)
    let imported = try source.read(named: name, request)
    let span = try imported.span(from: request.from, to: request.to)
    let selected = SelectedDays(imported, span)
    return try select(selected, named: name)
  }

  /// The selected days of a result.
  ///
  /// - Throws: `IntakeError` DATA_NOT_FOUND if there are none, INVALID_ARGUMENTS if there are
  ///   several but no date was given.
  private func select(
    _ result: SelectedDays, named name: String
  ) throws(IntakeError) -> SelectedDays {
    guard let first = result.days.first?.date, let last = result.days.last?.date else {
      throw .noMetrics(name, notes: result.notes)
    }
    let held = first == last ? "\(first)" : "\(result.days.count) days, \(first) to \(last)"
    if isImplicit, result.days.count > 1 {
      throw IntakeError(
        .invalidArguments, "\(name) holds \(held)",
        advice: .chooseDates(last: last))
    }
    let days = result.days.filter { wanted?.contains($0.date) ?? true }
    guard !days.isEmpty else {
      throw IntakeError(
        .dataNotFound, "\(name) holds \(held), but none of the requested dates",
        advice: .askForHeldDate)
    }
    let notes = days.flatMap { day in
      (day.notes + day.implausible).map { IntakeNote.text("\(day.date): \($0)") }
    }
    return SelectedDays(days: days, notes: result.notes + notes)
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

/// The days to publish.
package struct SelectedDays: Sendable {
  package private(set) var days: [DayReadings]
  /// Remarks on the input, for people.
  package private(set) var notes: [IntakeNote]

  package init(days: [DayReadings], notes: [IntakeNote]) {
    (self.days, self.notes) = (days, notes)
  }

  fileprivate init(_ result: SourceResult) {
    self.init(days: result.days, notes: result.allNotes)
  }

  /// The days of an import that are published.
  package init(_ imported: ImportedSource, _ span: ImportSpan) {
    self.init(
      days: span.days.map { day in
        DayReadings(
          date: day.date, timeZoneName: day.timeZoneName ?? imported.zone.zones.name(on: day.date),
          capturedAt: day.capturedAt ?? imported.exportedAt, readings: day.readings,
          covers: day.covers, notes: day.notes)
      },
      notes: imported.notes)
  }

  /// Removes the dates that are in the future in every time zone, and adds a note.
  ///
  /// - Throws: `IntakeError` INVALID_ARGUMENTS if no day remains.
  package mutating func leaveOutFuture(at now: Timestamp) throws(IntakeError) {
    try leaveOut(
      "in the future", .allowFuture, IntakeNote.leftOutFuture, where: { !$0.hasBegun(at: now) })
  }

  /// Removes the dates of which no living person has data (R19), and adds a note.
  ///
  /// - Throws: `IntakeError` INVALID_ARGUMENTS if no day remains.
  package mutating func leaveOutPast() throws(IntakeError) {
    try leaveOut(
      "before 1900", .allowPast, IntakeNote.leftOutPast, where: \.isBeforeLivingMemory)
  }

  private mutating func leaveOut(
    _ when: String, _ advice: IntakeError.Advice,
    _ note: (Int, CalendarDate, CalendarDate) -> IntakeNote, where isOut: (CalendarDate) -> Bool
  ) throws(IntakeError) {
    let out = days.map(\.date).filter(isOut)
    guard let first = out.min(), let last = out.max() else { return }
    days.removeAll { isOut($0.date) }
    guard !days.isEmpty else {
      let dates = first == last ? "\(first)" : "\(out.count) dates, \(first) to \(last),"
      throw IntakeError(
        .invalidArguments, "\(dates) \(out.count == 1 ? "is" : "are") \(when)", rule: "R19",
        advice: advice)
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
  ) throws(IntakeError) -> [DayDraft] {
    var drafts: [DayDraft] = []
    for day in days {
      do throws(ReportingDay.Failure) {
        let zone = day.timeZoneName ?? zones.name(on: day.date)
        drafts.append(
          DayDraft(
            day: try ReportingDay(date: day.date, timeZoneName: zone), collector: collector,
            readings: day.readings, covers: replaces ? .everything : day.covers,
            capturedAt: day.capturedAt ?? now,
            keepsNewer: day.capturedAt != nil && !forced))
      } catch {
        throw IntakeError(error)
      }
    }
    return drafts
  }
}
