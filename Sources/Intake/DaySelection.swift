import Foundation
package import HealthLedger
package import HealthModel
package import HealthSamples
package import HealthSources

/// Which of an input's days are to be published.
package struct DaySelection: Hashable, Sendable {
  /// First and last date wanted; nil for all.
  package let wanted: ClosedRange<CalendarDate>?
  /// True where nothing was said: the input must hold exactly one day.
  private let isImplicit: Bool

  /// All days of the input.
  package static let all = DaySelection(wanted: nil, isImplicit: false)
  /// The one day of an input that holds no other.
  package static let onlyDay = DaySelection(wanted: nil, isImplicit: true)

  /// The days of these dates.
  package static func dates(_ dates: ClosedRange<CalendarDate>) -> DaySelection {
    DaySelection(wanted: dates, isImplicit: false)
  }

  private init(wanted: ClosedRange<CalendarDate>?, isImplicit: Bool) {
    (self.wanted, self.isImplicit) = (wanted, isImplicit)
  }

  /// The date that an undated input is of.
  private var defaultDate: CalendarDate? {
    wanted.flatMap { $0.lowerBound == $0.upperBound ? $0.lowerBound : nil }
  }

  /// The days of a metrics JSON, a revision or a payload that are wanted.
  ///
  /// - Throws: `IntakeError` INVALID_ARGUMENTS for an input that is none, DATA_NOT_FOUND for one
  ///   that holds none of the dates asked for.
  package func read(
    _ bytes: [UInt8], named path: String, in zones: ReportingZones,
    further: Set<DailyMetric> = Set(DailyMetric.further)
  ) throws(IntakeError) -> SelectedDays {
    let name = path == "-" ? "the input on stdin" : path
    let result: SourceResult
    do {
      result = try SourceDocument.days(
        from: bytes, in: zones, defaultDate: defaultDate, further: further)
    } catch {
      throw IntakeError(error, name)
    }
    return try select(SelectedDays(result), named: name)
  }

  /// The wanted days of several payloads, each named or in a folder, in the order given.
  package func select(
    fromPayloads paths: [String], in zones: ReportingZones,
    further: Set<DailyMetric> = Set(DailyMetric.further)
  ) throws(IntakeError) -> SelectedDays {
    var options = PayloadOptions()
    options.further = further
    var payloads = try PayloadFiles(in: zones, options: options)
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

  /// The wanted days of a source that was configured once, which is told by its content.
  ///
  /// - Parameter origin: who named it, for errors.
  /// - Throws: `IntakeError` INVALID_ARGUMENTS where it is not there or can't be read.
  package func select(
    fromConfigured path: String, of origin: String, _ request: ImportSource.Request
  ) throws(IntakeError) -> SelectedDays {
    do throws(IntakeError) {
      let kind = try ImportSource(existing: path)
      if case .payloads = kind, !InputFile.isFolder(path) {
        let bytes = try InputFile.read(path, maximumBytes: SourceDocument.maximumBytes)
        return try read(
          bytes, named: path, in: request.zone.zones, further: request.further)
      }
      return try select(from: kind, named: path, request)
    } catch  where error.failure.code == .invalidArguments {
      var told = error
      told.origin = origin
      throw told
    }
  }

  /// The wanted days of an export, whatever `import` reads.
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

  /// The days of a result that are wanted.
  ///
  /// - Throws: `IntakeError` DATA_NOT_FOUND where there are none, INVALID_ARGUMENTS where there are
  ///   several and none was asked for.
  private func select(
    _ result: SelectedDays, named name: String
  ) throws(IntakeError) -> SelectedDays {
    guard let first = result.days.first?.date, let last = result.days.last?.date else {
      throw IntakeError(
        .dataNotFound, "\(name) holds none of the metrics that are read",
        remedy: "check what was exported")
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
        .dataNotFound, "\(name) holds \(held), and nothing of the dates asked for",
        advice: .askForHeldDate)
    }
    let notes = days.flatMap { day in
      day.notes.map { IntakeNote.text("\(day.date): \($0)") }
    }
    return SelectedDays(days: days, notes: result.notes + notes)
  }
}

/// The days that will be published.
package struct SelectedDays: Sendable {
  package private(set) var days: [DayReadings]
  /// Remarks on the input, for a person.
  package private(set) var notes: [IntakeNote]

  package init(days: [DayReadings], notes: [IntakeNote]) {
    (self.days, self.notes) = (days, notes)
  }

  fileprivate init(_ result: SourceResult) {
    self.init(days: result.days, notes: result.notes.map { .text($0) })
  }

  /// The days of an import that are published.
  package init(_ imported: ImportedSource, _ span: ImportSpan) {
    self.init(
      days: span.days.map { day in
        DayReadings(
          date: day.date, timeZoneName: day.timeZoneName ?? imported.zone.zones.name(on: day.date),
          capturedAt: day.capturedAt ?? imported.exportedAt, readings: day.readings,
          further: day.further, notes: day.notes)
      },
      notes: imported.notes)
  }

  /// Keeps of the further metrics those that are wanted.
  package mutating func keep(_ further: Set<DailyMetric>) {
    guard days.contains(where: { !further.isSuperset(of: $0.further.keys) }) else { return }
    days = days.map { day in
      DayReadings(
        date: day.date, timeZoneName: day.timeZoneName, capturedAt: day.capturedAt,
        readings: day.readings, further: day.further.filter { further.contains($0.key) },
        notes: day.notes)
    }
  }

  /// Leaves out the dates that are still to come in every time zone, and says so.
  ///
  /// - Throws: `IntakeError` INVALID_ARGUMENTS where nothing remains.
  package mutating func leaveOutFuture(at now: Timestamp) throws(IntakeError) {
    let future = days.map(\.date).filter { !$0.hasBegun(at: now) }
    guard let first = future.min(), let last = future.max() else { return }
    days.removeAll { !$0.date.hasBegun(at: now) }
    guard !days.isEmpty else {
      let dates = first == last ? "\(first)" : "\(future.count) dates, \(first) to \(last),"
      throw IntakeError(
        .invalidArguments, "\(dates) \(future.count == 1 ? "is" : "are") still to come",
        rule: "R19", advice: .allowFuture)
    }
    notes.append(.leftOutFuture(count: future.count, first: first, last: last))
  }

  /// The days as drafts, each in the zone that its input names, else the reporting zone.
  ///
  /// One of an input that says when it was made leaves newer data in place, unless `forced`.
  package func drafts(
    collector: Collector, in zones: ReportingZones, at now: Timestamp, forced: Bool
  ) throws(IntakeError) -> [DayDraft] {
    var drafts: [DayDraft] = []
    for day in days {
      do throws(ReportingDay.Failure) {
        let zone = day.timeZoneName ?? zones.name(on: day.date)
        drafts.append(
          DayDraft(
            day: try ReportingDay(date: day.date, timeZoneName: zone), collector: collector,
            readings: day.readings, further: day.further, capturedAt: day.capturedAt ?? now,
            keepsNewer: day.capturedAt != nil && !forced))
      } catch {
        throw IntakeError(error)
      }
    }
    return drafts
  }
}
