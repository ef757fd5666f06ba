package import AppleExport
package import HealthLedger
package import HealthModel

/// What an import found in its source, before it publishes anything.
package struct ImportedSource: Sendable {
  /// The kind of source. The raw value is used in JSON output.
  package enum Kind: String, Sendable {
    case appleExport = "apple_health_export"
    case healthAutoExport = "health_auto_export"

    /// For people.
    package var label: String {
      switch self {
      case .appleExport: "Apple Health export"
      case .healthAutoExport: "Health Auto Export"
      }
    }
  }

  /// What an Apple Health export contains in addition to days.
  package struct Export: Sendable {
    /// `HealthData`'s locale, such as `en_GB`.
    package var locale: String?
    /// The metrics that were read of it (R19).
    package let speaksOf: Set<DailyMetric>
    /// The file in a zip or folder that was read.
    package let entry: String?
    package let xmlBytes: Int64
    package let tally: ExportTally
    /// The first tag that was skipped for each reason.
    package let examples: [SkipReason: SkippedExample]
    /// What it holds beside records and summaries, by the name of the element.
    package let others: [String: Int]
    package let crossCheck: ActivityCrossCheck
    /// The explanation of the requested date, if one was requested.
    package let explanation: DayExplanation?

    /// For each reason, how many records could not be read, with the first of them; then, for each reason,
    /// how many were left out that could be: but for repetitions, of which nothing is lost, and for units, which
    /// a remark of their own names.
    fileprivate var lossNotes: [IntakeNote] {
      let skipped = SkipReason.allCases.compactMap { reason -> String? in
        guard let count = tally.skipped[reason] else { return nil }
        let example = examples[reason].map { example in
          (example.line.map { "line \($0)" } ?? "for example")
            + ", \(reason.rawValue): \"\(example.text)\""
        }
        let first = example ?? reason.rawValue
        return "\(Self.records(count)) can't be read, the first: \(first)"
      }
      let others = LeftOut.allCases.filter { $0 != .duplicate && $0 != .unit }
      let leftOut = others.compactMap { reason in
        tally.leftOut[reason].map { "\(Self.records($0)) left out: \(reason.sentence)" }
      }
      return (skipped + leftOut).map { .text($0) }
    }

    /// The commonest types that no number is made of; nil where there are none.
    fileprivate var unreadNote: IntakeNote? {
      let types = tally.unread.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
      guard !types.isEmpty else { return nil }
      var names = types.prefix(Self.typesNamed).map { "\($0.key.prefix(64)) (\($0.value.grouped))" }
      if types.count > names.count { names.append("and \(types.count - names.count) more types") }
      return .text(
        "\(Self.records(tally.unread.values.reduce(0, +))) of types that no metric uses: "
          + names.joined(separator: ", "))
    }

    /// Most types that are named.
    private static let typesNamed = 10

    private static func records(_ count: Int) -> String {
      count == 1 ? "1 record" : "\(count.grouped) records"
    }
  }

  package let kind: Kind
  /// The name that the caller used.
  package let name: String
  package let zone: ZoneChoice
  /// The days with readings, oldest first.
  package let days: [DayReadings]
  /// From the first to the last date with a sample, for a source that holds all data. Nil for
  /// payloads, which may omit days.
  package var coverage: ClosedRange<CalendarDate>?
  /// When the source was made, according to itself.
  package var exportedAt: Timestamp?
  /// The number of payload files, or of an export's records.
  package let units: Int
  /// Remarks for people.
  package let notes: [IntakeNote]
  /// Files of the folder that were passed over.
  package var broken: [BrokenFile] = []
  /// Whether workouts or sleep were handed on: then a source without a day is not a mistake.
  package var hasRecords = false
  /// Nil for payloads.
  package var export: Export?

  /// The remarks, with what of an export is in no day: for whoever does not list that otherwise.
  package var allNotes: [IntakeNote] {
    notes + (export.map { $0.lossNotes + [$0.unreadNote].compactMap(\.self) } ?? [])
  }

  /// The days to publish and those that are left out (docs/IMPORT.md).
  ///
  /// - Parameters:
  ///   - now: dates that have not begun by then are left out; nil to leave out none.
  ///   - canAllowFuture: whether the caller can be told to allow dates in the future.
  ///   - allowsPast: whether dates before 1900 are published.
  /// - Throws: `LedgerError` DATA_NOT_FOUND if there is nothing to publish.
  package func span(
    from: CalendarDate?, to: CalendarDate?, before now: Timestamp? = nil,
    canAllowFuture: Bool = false, allowsPast: Bool = true
  ) throws(LedgerError) -> ImportSpan {
    var source = ImportSpan.Source(zones: zone.zones, coverage: coverage)
    (source.now, source.allowsPast) = (now, allowsPast)
    if let metrics = export?.speaksOf { source.speaksOf = metrics }
    if let exportedAt { source.exportDate = try zone.date(at: exportedAt) }
    if let export, coverage == nil, !hasRecords { throw noMetrics(export) }
    // Dates that were asked for are filled as far as the source reaches, be it into the future.
    let span = ImportSpan(days, of: source, from: from, to: Self.last(to, begunBy: now))
    guard span.days.isEmpty, !hasRecords else { return span }
    if let day = span.leftOut.first(where: { $0.reason == .exportDay })?.to {
      throw LedgerError(
        .dataNotFound,
        "\(name) holds nothing to publish except \(day), the day of the export, which was not over",
        remedy: .input(.includeExportDay(day)))
    }
    if !span.leftOut.isEmpty, span.leftOut.allSatisfy({ $0.reason == .past }) {
      throw LedgerError(
        .dataNotFound, "\(name) has nothing to publish except dates before 1900", rule: "R19",
        remedy: .input(.allowPast))
    }
    let held = coverage ?? days.first.map { $0.date...(days.last ?? $0).date }
    guard let held else {
      throw .noMetrics(name, notes: notes)
    }
    if let made = source.exportDate, !span.leftOut.isEmpty,
      span.leftOut.allSatisfy({ $0.reason == .afterExport })
    {
      throw LedgerError(
        .dataNotFound,
        "\(name) was made on \(made), but its days, \(held.lowerBound) to \(held.upperBound), are "
          + "later", remedy: "check the clock of the device that made it")
    }
    if days.isEmpty, from == nil, to == nil {
      let left = (export?.tally.leftOut ?? [:]).sorted { $0.key.rawValue < $1.key.rawValue }
        .map { "\($0.value) \($0.key.rawValue)" }
      throw LedgerError(
        .dataNotFound,
        "\(name) has samples from \(held.lowerBound) to \(held.upperBound), but none of them makes "
          + "a number" + (left.isEmpty ? "" : "; left out: \(left.joined(separator: ", "))"),
        remedy: "check the units and the times of what was exported")
    }
    let reach = min(held.upperBound, source.exportDate ?? held.upperBound)
    if let future = future(from: from, to: min(to ?? reach, reach), now) {
      throw Self.onlyFuture(future, name, canAllowFuture: canAllowFuture)
    }
    throw LedgerError(
      .dataNotFound,
      "\(name) holds \(held.lowerBound) to \(held.upperBound), but nothing to publish for the "
        + "requested dates", remedy: .input(.askForOtherDates))
  }

  /// An export of which no sample could be read that makes a number.
  private func noMetrics(_ export: Export) -> LedgerError {
    .noMetrics(
      name, workouts: export.others["Workout"] ?? 0,
      skipped: export.tally.skipped.values.reduce(0, +), notes: notes + export.lossNotes)
  }

  /// The first and last date asked for that the source holds and that have not begun anywhere.
  private func future(
    from: CalendarDate?, to: CalendarDate, _ now: Timestamp?
  ) -> ClosedRange<CalendarDate>? {
    guard let now else { return nil }
    // A source that covers every day holds dates without a reading, too.
    if let coverage, let from, !from.hasBegun(at: now) {
      let first = max(from, coverage.lowerBound)
      return first <= to ? first...to : nil
    }
    let future = days.map(\.date).filter { date in
      !date.hasBegun(at: now) && date <= to && from.map { $0 <= date } ?? true
    }
    guard let first = future.first, let last = future.last else { return nil }
    return first...last
  }

  private static func onlyFuture(
    _ dates: ClosedRange<CalendarDate>, _ name: String, canAllowFuture: Bool
  ) -> LedgerError {
    let (first, last) = (dates.lowerBound, dates.upperBound)
    let future =
      first == last ? "\(first), which is" : "dates from \(first) to \(last), which are"
    let message = "\(name) has nothing to publish except \(future) in the future"
    guard canAllowFuture else {
      return LedgerError(
        .dataNotFound, message, rule: "R19", remedy: "check the dates and this machine's clock")
    }
    return LedgerError(.dataNotFound, message, rule: "R19", remedy: .input(.allowFuture))
  }

  /// The last date asked for, or the last that has begun somewhere if that is earlier.
  private static func last(_ asked: CalendarDate?, begunBy now: Timestamp?) -> CalendarDate? {
    guard let asked, let now, !asked.hasBegun(at: now) else { return asked }
    let next = CalendarDate(daysSince1970: now.secondsSince1970 / 86_400 + 1)
    return next.map { $0.hasBegun(at: now) ? $0 : $0.adding(days: -1) ?? $0 }
  }
}

extension ZoneChoice {
  /// The date in this zone.
  fileprivate func date(at moment: Timestamp) throws(LedgerError) -> CalendarDate {
    do {
      return try zones.date(at: moment)
    } catch {
      throw LedgerError(error)
    }
  }
}
