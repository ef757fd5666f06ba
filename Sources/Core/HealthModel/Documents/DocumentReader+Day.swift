extension DocumentReader {
  /// The date, the zone and the boundaries (R1, R3, R4, R5).
  mutating func day(
    of members: [String: JSONValue], keyDate: CalendarDate?,
    boundaries: DailyRevision.BoundaryCheck
  ) -> ReportingDay? {
    let date = date("date", of: members)
    if let date, let keyDate, date != keyDate {
      note("R5", .dateDiffersFromKey, at: "/date", "\(date) is not the date of the key, \(keyDate)")
    }
    guard let object = object("day", of: members, rule: "R3") else { return nil }
    let zone = timeZoneName("timezone", of: object, at: "/day")
    let start = localMoment("start", of: object, at: "/day")
    let end = localMoment("end", of: object, at: "/day")
    checkOrder(of: start, end, on: date)
    if let zone, boundaries == .database, let any = date ?? CalendarDate(daysSince1970: 0) {
      // Without the date it shows only whether there is such a zone.
      checkZone(zone, any, date == nil ? nil : start, date == nil ? nil : end)
    }
    guard let date, let zone, let start, let end else { return nil }
    return ReportingDay(date: date, timeZoneName: zone, start: start, end: end)
  }

  private mutating func checkOrder(
    of start: ReportingDay.LocalMoment?, _ end: ReportingDay.LocalMoment?, on date: CalendarDate?
  ) {
    guard let start else { return }
    if let end, end.timestamp <= start.timestamp {
      note("R3", .endNotAfterStart, at: "/day/end", "\(end) is not after the start, \(start)")
    }
    if let date, start.localDate != date {
      note("R3", .startNotOnDate, at: "/day/start", "\(start) is not on \(date)")
    }
  }

  private mutating func checkZone(
    _ zone: String, _ date: CalendarDate, _ start: ReportingDay.LocalMoment?,
    _ end: ReportingDay.LocalMoment?
  ) {
    do throws(ReportingDay.Failure) {
      let day = try ReportingDay(date: date, timeZoneName: zone)
      if let start, start != day.start {
        note(
          "R4", .startNotInZone, at: "/day/start",
          "\(start) is not when \(date) begins in \(zone): \(day.start)")
      }
      if let end, end != day.end {
        note(
          "R4", .endNotInZone, at: "/day/end",
          "\(end) is not when \(date) ends in \(zone): \(day.end)")
      }
    } catch {
      switch error {
      case .unknownTimeZone:
        note(
          "R4", .unknownTimeZone, at: "/day/timezone",
          "\(zone.quoted) is not in this machine's time zone database")
      case .noTimeZoneDatabase:
        note(
          "R4", .unknownTimeZone, at: "/day/timezone",
          "\(zone.quoted) can't be checked: this machine has no time zone database")
      case .skippedDate:
        note("R4", .skippedDate, at: "/date", "\(zone) skipped \(date): there was no such day")
      }
    }
  }
}
