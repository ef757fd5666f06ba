import AppleExport
import HealthLedger
import HealthModel
import HealthSources

/// Reads Apple Health's export into days, with its progress on a terminal.
struct AppleExportDays {
  let path: String
  /// What was read of a pipe already.
  var first: [UInt8] = []
  let options: ExportOptions

  /// Reads the export to its end.
  ///
  /// - Throws: `LedgerError` INVALID_ARGUMENTS where it is none, or is broken: nothing of it is
  ///   published then.
  func read() throws(LedgerError) -> ImportedSource {
    var sink = Sink(collector: ExportCollector(options: options, spool: UnlinkedFile()))
    let reading = try scan(into: &sink)
    var days = try takeDays(of: &sink)
    let (found, explanation) = try collect(&days)
    var tally = days.tally
    tally.addUnread(reading.unreadTypes)
    return ImportedSource(
      kind: .appleExport, name: path == "-" ? "stdin" : path, zone: days.zone, days: found,
      coverage: try dates(of: sink.coverage, in: days.zone), exportedAt: sink.exportedAt,
      units: reading.records,
      notes: zoneNotes(days.zone, reading, sink.exportedAt) + turnNotes(days.crossCheck, days.zone),
      export: ImportedSource.Export(
        locale: sink.locale, entry: reading.entry, xmlBytes: reading.xmlBytes,
        tally: tally, examples: reading.examples, crossCheck: days.crossCheck,
        explanation: explanation))
  }

  /// What a person should know of the zones that were chosen.
  private func zoneNotes(
    _ zone: ZoneChoice, _ reading: ExportReading, _ exportedAt: Timestamp?
  ) -> [String] {
    switch zone.reason {
    case .byPeriod:
      return [
        "records name \(zone.zones.sentence); each day is cut by its own zone. If that is wrong, "
          + "name the zones, each but the first with its first day: \(Self.flags(zone.zones))"
      ]
    case .asked:
      guard let evidence = zone.evidence, evidence != zone.zones,
        evidence.periods.count > 1 || zone.zones.periods.count > 1
      else { return [] }
      return [
        "records name \(evidence.sentence); to keep \(zone.name) for later imports, write "
          + "`timezone = \(zone.name)` in the configuration file"
      ]
    case .system, .none:
      guard let exportedAt, let offset = reading.offsetSeconds,
        let own = zone.contradiction(to: offset, at: exportedAt)
      else { return [] }
      return [
        "the export names no time zone and was written at \(Self.offset(offset)), but "
          + "\(zone.name) was at \(Self.offset(own)) then: its days may be cut at the wrong hour; "
          + "name the zone in which it was made by --timezone"
      ]
    case .mostFrequent: return []
    }
  }

  /// Apple's figures are by the phone's own day: where they agree on one side of a date alone, the
  /// zone may be wrong on the other.
  private func turnNotes(_ check: ActivityCrossCheck, _ zone: ZoneChoice) -> [String] {
    guard let turn = check.turn else { return [] }
    let many = turn.agreesBefore ? "until \(turn.lastBefore)" : "from \(turn.firstAfter)"
    let few = turn.agreesBefore ? "from \(turn.firstAfter)" : "until \(turn.lastBefore)"
    return [
      "Apple's own figures agree with these on most days \(many), and on few \(few): if you lived "
        + "in another zone then, name both, as in --timezone \(zone.zones.periods[0].name) "
        + "--timezone ZONE@\(turn.firstAfter)"
    ]
  }

  private static func flags(_ zones: ReportingZones) -> String {
    zones.periods.map { period in
      "--timezone " + (period.from.map { "\(period.name)@\($0)" } ?? period.name)
    }.joined(separator: " ")
  }

  /// `UTC+05:30`.
  private static func offset(_ seconds: Int) -> String {
    let minutes = abs(seconds) / 60
    let (hour, minute) = (minutes / 60, minutes % 60)
    return "UTC" + (seconds < 0 ? "-" : "+") + (hour < 10 ? "0" : "") + "\(hour):"
      + (minute < 10 ? "0" : "") + "\(minute)"
  }

  private func scan(into sink: inout Sink) throws(LedgerError) -> ExportReading {
    var progress: ProgressLine?
    defer { progress?.clear() }
    do {
      return try ExportReader(path: path, first: first).read(into: &sink) { state in
        if progress == nil {
          progress = ProgressLine("reading", total: state.bytesTotal.map { Int($0) }, unit: .bytes)
        }
        progress?.advance(to: Int(state.bytesRead))
      }
    } catch let error as ExportError {
      throw LedgerError(error)
    } catch let error as SpoolFailure {
      throw LedgerError(error)
    } catch {
      throw LedgerError(.internal, "\(path): \(error)", remedy: "report it with the file's origin")
    }
  }

  /// The days of what was collected, which is gone from the sink: a second holder of millions of
  /// samples would make the sorting of them a copy.
  private func takeDays(of sink: inout Sink) throws(LedgerError) -> ExportDays {
    let collector = sink.collector
    sink.collector = ExportCollector(options: options, spool: UnlinkedFile())
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
    var progress = ProgressLine("counting day", total: nil)
    defer { progress.clear() }
    do throws(ExportFailure) {
      while let day = try days.next() {
        if !day.readings.readings.isEmpty { found.append(day.readings) }
        explanation = day.explanation ?? explanation
        progress.advance()
      }
    } catch {
      switch error {
      case .spool(let failure): throw LedgerError(failure)
      case .calendar(let failure): throw failure.ledgerError
      }
    }
    return (found, explanation)
  }

  private func dates(
    of coverage: SampleCoverage, in zone: ZoneChoice
  ) throws(LedgerError) -> ClosedRange<CalendarDate>? {
    do {
      return try coverage.dates(in: zone.zones)
    } catch {
      throw error.ledgerError
    }
  }

  /// Hands on what a scan finds, and keeps what the days do not need.
  private struct Sink: ExportSink {
    var collector: ExportCollector
    var locale: String?
    var exportedAt: Timestamp?
    var coverage = SampleCoverage()

    mutating func take(locale: String) { self.locale = locale }

    mutating func take(exportDate: Int64) {
      exportedAt = Timestamp(secondsSince1970: Int(exportDate))
      collector.take(exportDate: exportDate)
    }

    mutating func take(source: ExportSource) { collector.take(source: source) }
    mutating func take(timeZone: String, at start: Int64?) {
      collector.take(timeZone: timeZone, at: start)
    }

    mutating func take(_ sample: ExportSample) throws {
      coverage.add(sample)
      try collector.take(sample)
    }

    mutating func take(_ workout: ExportWorkout) { collector.take(workout) }
    mutating func take(_ summary: ActivitySummary) { collector.take(summary) }

    mutating func skip(_ reason: SkipReason, _ kind: SampleKind?) {
      collector.skip(reason, kind)
    }
  }
}

extension LedgerError {
  /// An export that can't be read.
  init(_ error: ExportError) {
    let name = error.path == "-" ? "the export on stdin" : error.path
    let place = error.entry.map { "\(name) (\($0))" } ?? name
    self.init(.invalidArguments, "\(place): \(error.message)", remedy: error.remedy)
  }

  /// A temporary file that failed.
  init(_ failure: SpoolFailure) {
    self.init(
      .storageUnavailable,
      "\(failure.doing) a temporary file in \(failure.folder) failed: \(failure.reason)",
      remedy: "free some room there, or name another folder in TMPDIR")
  }
}
