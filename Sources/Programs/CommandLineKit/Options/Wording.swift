package import HealthLedger
import HealthModel
package import HealthSources

/// Runs code that reads an input, and words its error for the command line.
package func worded<Value>(
  _ work: @autoclosure () throws(IntakeError) -> Value
) throws(LedgerError) -> Value {
  do throws(IntakeError) {
    return try work()
  } catch {
    throw LedgerError(error)
  }
}

extension LedgerError {
  /// Settings that are not valid, worded for the command line.
  package init(_ error: SettingsError) {
    self = error.failure
    if let advice = error.advice { remedy = .text(advice.words) }
  }

  /// An input without usable days, worded for the command line.
  package init(_ error: IntakeError) {
    self = error.failure
    if let advice = error.advice { remedy = .text(advice.words) }
    if let origin = error.origin {
      remedy = .all([remedy, "\(origin) names the source"].compactMap(\.self))
    }
  }
}

extension SettingsError.Advice {
  fileprivate var words: String {
    switch self {
    case .checkConfigurationPath: "check --config"
    case .nameAnotherConfiguration: "name another with --config"
    case .chooseKindOfStore:
      "write s3://bucket/prefix (and the server as --endpoint-url), icloud:CONTAINER, "
        + "file:///path, or a path"
    case .checkAuthorities:
      "check --ca-bundle, AWS_CA_BUNDLE and ca_bundle: each takes a PEM file"
    }
  }
}

extension IntakeError.Advice {
  fileprivate var words: String {
    switch self {
    case .checkInputPath: "check --input; `-` is stdin"
    case .leaveOutSourcePriority:
      "leave out --source-priority: Health Auto Export has merged its sources already"
    case .includeExportDay(let date):
      "publish it anyway with --to \(date), or export again tomorrow"
    case .askForOtherDates: "ask for others with --from and --to"
    case .chooseDates(let last): "say which: --date all, --date \(last), or --from and --to"
    case .askForHeldDate: "ask for one of its dates, or --date all"
    case .resetAnchors:
      "run s3health sync --reset-anchors: everything is sent again, and still counted once"
    case .confirmLoss:
      "check that the export is whole; if so, add --confirm-deletions"
    case .collectFurther:
      "check that the source is up to date; --catch-up N looks at the N days before today, and "
        + "s3health import publishes all that it holds"
    case .allowFuture:
      "check the date and this machine's clock; --allow-future publishes it anyway"
    case .allowPast: "check the date; --allow-past publishes it anyway"
    case .publishMetricsAlone:
      "give its JSON exports; a metrics JSON is published by put --input FILE"
    case .exportWorkouts(let name):
      "list them: s3health export csv --table workouts --input \(name)"
    case .nameZone: "use an IANA name such as Europe/Berlin (--timezone)"
    case .setZone(let name?): "set TZ=\(name), or give --timezone \(name)"
    case .giveZone:
      "name the zone of your days with --timezone, such as Europe/Berlin; to keep it, write "
        + "`timezone = NAME` in the configuration file"
    case .setZone(nil): "set TZ to an IANA name such as Europe/Berlin, or give --timezone"
    }
  }
}

extension IntakeNote {
  /// The remark, worded for the command line.
  package var words: String {
    switch self {
    case .text(let text): text
    case .zonesByPeriod(let zones):
      "the records name \(zones.sentence); each day uses its own zone. If that is wrong, "
        + "name the zones, each one after the first with its first day: \(Self.flags(zones))"
    case .recordsNameOthers(let evidence, let zone):
      "the records name \(evidence.sentence); to keep \(zone.name) for later imports, write "
        + "`timezone = \(zone.name)` in the configuration file"
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
