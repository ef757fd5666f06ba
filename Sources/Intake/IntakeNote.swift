package import HealthModel
package import HealthSources

/// A remark on an input, for a person: each front end words those that tell what to do.
package enum IntakeNote: Hashable, Sendable {
  /// A remark that holds in every front end as it stands.
  case text(String)
  /// The records name several zones; each day was cut by its own.
  case zonesByPeriod(ReportingZones)
  /// The zones asked for are not those that the records name.
  case recordsNameOthers(ReportingZones, asked: ZoneChoice)
  /// The export names no zone, and was not made in the one that its days were cut in; both by the
  /// seconds that they were ahead of UTC when it was made.
  case exportMadeElsewhere(offset: Int, zone: ZoneChoice, own: Int)
  /// Apple's own figures agree with these on one side of a date alone.
  case agreementTurns(ActivityCrossCheck.Turn, zone: ZoneChoice)
  /// So many dates, from the first to the last, are still to come and were left out.
  case leftOutFuture(count: Int, first: CalendarDate, last: CalendarDate)
}

/// How far the reading of an input is.
package enum IntakeProgress: Sendable {
  /// So many bytes of the input are read, of so many where that is known.
  case reading(bytes: Int, of: Int?)
  /// All is read, and so many days are counted.
  case counting(days: Int)
}
