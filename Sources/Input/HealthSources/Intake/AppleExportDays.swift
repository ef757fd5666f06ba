import AppleExport
import HealthLedger
import HealthModel

/// Reads an Apple Health export into days.
struct AppleExportDays {
  let path: String
  /// The bytes that were already read from a pipe.
  var first: [UInt8] = []
  let options: ExportOptions
  /// Called with the workouts and sleep of each day, oldest first; nil if they are not needed.
  let records: ((DayRecords) -> Void)?
  /// Called with the progress of the reading.
  let progress: (IntakeProgress) -> Void

  /// Reads the export to its end.
  ///
  /// - Throws: `LedgerError` INVALID_ARGUMENTS if it is not an export or is damaged. Then nothing
  ///   of it is published.
  func read() throws(LedgerError) -> ImportedSource {
    var collector = ExportCollector(options: options, spool: UnlinkedFile())
    let reading = try scan(into: &collector)
    let (coverage, locale) = (collector.coverage, collector.locale)
    let exportedAt = collector.exportedAt
    var units = reading.unknownUnits
    units.take(collector.unknownUnits)
    // With a second reference to millions of samples, sorting would copy them.
    var days = try self.days(of: consume collector)
    let (found, explanation) = try collect(&days)
    var tally = days.tally
    tally.addUnread(reading.unreadTypes)
    return ImportedSource(
      kind: .appleExport, name: path == "-" ? "stdin" : path, zone: days.zone, days: found,
      coverage: try dates(of: coverage, in: days.zone), exportedAt: exportedAt,
      units: reading.records + tally.onlyInCorrelations,
      notes: zoneNotes(days.zone, reading, exportedAt)
        + [reading.categoryNote, reading.dateNote, tally.yearNote, units.words].compactMap(\.self)
        .map { .text($0) }
        + (days.crossCheck.turn.map { [.agreementTurns($0, zone: days.zone)] } ?? []),
      hasRecords: records != nil,
      export: ImportedSource.Export(
        locale: locale, speaksOf: options.metrics, entry: reading.entry,
        xmlBytes: reading.xmlBytes,
        tally: tally, examples: reading.examples, others: reading.others,
        crossCheck: days.crossCheck, explanation: explanation))
  }

  /// What people should know about the zones that were chosen.
  private func zoneNotes(
    _ zone: ZoneChoice, _ reading: ExportReading, _ exportedAt: Timestamp?
  ) -> [IntakeNote] {
    switch zone.reason {
    case .byPeriod: return [.zonesByPeriod(zone.zones)]
    case .asked:
      // Zones of some of the dates are not those to write down for all.
      guard options.firstDate == nil, options.lastDate == nil,
        let evidence = zone.evidence, !evidence.isSame(as: zone.zones),
        evidence.periods.count > 1 || zone.zones.periods.count > 1
      else { return [] }
      return [.recordsNameOthers(evidence, asked: zone)]
    case .kept, .system, .none:
      guard let exportedAt, let offset = reading.offsetSeconds,
        let own = zone.contradiction(to: offset, at: exportedAt)
      else { return [] }
      return [.exportMadeElsewhere(offset: offset, zone: zone, own: own)]
    case .mostFrequent: return []
    }
  }

  private func scan(into collector: inout ExportCollector) throws(LedgerError) -> ExportReading {
    do {
      return try ExportReader(path: path, first: first).read(into: &collector) { state in
        progress(.reading(bytes: Int(state.bytesRead), of: state.bytesTotal.map { Int($0) }))
      }
    } catch let error as ExportError {
      throw LedgerError(error)
    } catch {
      throw LedgerError(.internal, "\(path): \(error)", remedy: "report it with the file's origin")
    }
  }

  private func days(of collector: consuming ExportCollector) throws(LedgerError) -> ExportDays {
    do {
      return try collector.days()
    } catch {
      throw LedgerError(error, path)
    }
  }

  private func collect(
    _ days: inout ExportDays
  ) throws(LedgerError) -> (found: [DayReadings], explanation: DayExplanation?) {
    var explanation: DayExplanation?
    var found: [DayReadings] = []
    var counted = 0
    while let day = try days.next() {
      // A day between others is kept even if its samples could not be counted.
      if day.readings.saysAnything || !found.isEmpty && day.readings.speaksOf != options.metrics {
        found.append(day.readings)
      }
      if let records = day.records { self.records?(records) }
      explanation = day.explanation ?? explanation
      counted += 1
      progress(.counting(days: counted))
    }
    while let last = found.last, !last.saysAnything { found.removeLast() }
    return (found, explanation)
  }

  private func dates(
    of coverage: SampleCoverage, in zone: ZoneChoice
  ) throws(LedgerError) -> ClosedRange<CalendarDate>? {
    do {
      return try coverage.dates(in: zone.zones)
    } catch {
      throw LedgerError(error)
    }
  }
}

extension ExportReading {
  /// Names the values of categories that are not known; nil if all are.
  var categoryNote: String? {
    guard !unknownCategories.isEmpty else { return nil }
    let names = NamedCounts.list(unknownCategories, "record", "records")
    return "values that are not known: \(names); the days that have them have no number"
  }
  /// Which of the phone's settings may be the cause of a date that can't be read; nil if none is known.
  var dateNote: String? { examples[.date].flatMap { ExportedDate.setting(of: $0.text) } }
}

extension ExportTally {
  /// The same of dates on which nobody lives.
  var yearNote: String? {
    leftOut[.date].map { count in
      (count == 1 ? "1 record begins" : "\(count.grouped) records begin")
        + " before 1900 or after 2199: \(ExportedDate.Fault.calendar)"
    }
  }
}
