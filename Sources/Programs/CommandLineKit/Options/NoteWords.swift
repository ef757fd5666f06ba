import HealthModel
package import HealthSources

extension IntakeNote {
  /// The remark, worded for the command line.
  package var words: String {
    switch self {
    case .text(let text): text
    case .zonesByPeriod(let zones):
      "the records name \(zones.sentence); each day uses its own zone. If that is wrong, "
        + "name the zones, each one after the first with its first day: \(Self.flags(zones))"
    case .recordsNameOthers(let evidence, let zone):
      "the records name \(evidence.sentence); to keep \(zone.name) for later imports: "
        + "s3health config set timezone \(zone.name)"
    case .exportMadeElsewhere(let offset, let zone, let own):
      "the export names no time zone and was written at \(UTCOffset.text(offset)), but "
        + "\(zone.name) was at \(UTCOffset.text(own)) then: its days may begin at the wrong hour; "
        + "give the zone in which it was made with --timezone"
    case .rowsWrittenElsewhere(let misfit):
      "\(misfit): they count on the days of \(misfit.timeZoneName)"
    case .agreementTurns(let turn, let zone): Self.words(turn, zone)
    case .leftOutFuture(let count, let first, let last):
      Self.leftOut(count, first, last, "in the future", "--allow-future")
    case .leftOutPast(let count, let first, let last):
      Self.leftOut(count, first, last, "before 1900", "--allow-past")
    }
  }

  private static func leftOut(
    _ count: Int, _ first: CalendarDate, _ last: CalendarDate, _ when: String, _ flag: String
  ) -> String {
    count == 1
      ? "\(first) is \(when) and was left out; \(flag) publishes it"
      : "\(count) dates, \(first) to \(last), are \(when) and were left out; \(flag) publishes them"
  }

  /// Apple's figures use the phone's own days. If they agree only before or only after a date, the
  /// zone may be wrong on the other side.
  private static func words(_ turn: ActivityCrossCheck.Turn, _ zone: ZoneChoice) -> String {
    let many = turn.agreesBefore ? "until \(turn.lastBefore)" : "from \(turn.firstAfter)"
    let few = turn.agreesBefore ? "from \(turn.firstAfter)" : "until \(turn.lastBefore)"
    return "Apple's own figures agree with these on most days \(many), and on few \(few): if you "
      + "lived in another zone then, name both, as in --timezone \(zone.zones.periods[0].name) "
      + "--timezone ZONE@\(turn.firstAfter)"
  }

  private static func flags(_ zones: ReportingZones) -> String {
    zones.periods.map { period in
      "--timezone " + (period.from.map { "\(period.name)@\($0)" } ?? period.name)
    }.joined(separator: " ")
  }
}
