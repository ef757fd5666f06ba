package import HealthModel

/// A remark on an input, for people. Each front end words those that say what to do.
package enum IntakeNote: Hashable, Sendable {
  /// A remark that suits every front end.
  case text(String)
  /// The records name several zones. Each day uses its own zone.
  case zonesByPeriod(ReportingZones)
  /// The requested zones are not those that the records name.
  case recordsNameOthers(ReportingZones, asked: ZoneChoice)
  /// The export names no zone, and was not made in the zone of its days. `offset` and `own` are
  /// their offsets from UTC in seconds when it was made.
  case exportMadeElsewhere(offset: Int, zone: ZoneChoice, own: Int)
  /// Rows of payloads were written at another offset than the zones that were given have.
  case rowsWrittenElsewhere(OffsetMisfit)
  /// Apple's own figures agree with these only before or only after a date.
  case agreementTurns(ActivityCrossCheck.Turn, zone: ZoneChoice)
  /// This many dates, from the first to the last, are in the future and were left out.
  case leftOutFuture(count: Int, first: CalendarDate, last: CalendarDate)
  /// The same of dates before 1900.
  case leftOutPast(count: Int, first: CalendarDate, last: CalendarDate)
}

/// The progress of reading an input.
package enum IntakeProgress: Sendable {
  /// This many bytes of the input are read, of this many if the total is known.
  case reading(bytes: Int, of: Int?)
  /// Everything is read, and this many days are counted.
  case counting(days: Int)
}

extension SourceResult {
  /// The remarks on the input.
  var allNotes: [IntakeNote] {
    notes.map { .text($0) } + (misfit.map { [.rowsWrittenElsewhere($0)] } ?? [])
  }
}
