extension ReportingDay {
  /// Seconds east of UTC that hold at a moment in the zone (R4).
  ///
  /// - Throws: `Failure.unknownTimeZone`.
  package static func offsetSeconds(
    at moment: Timestamp, timeZoneName: String
  ) throws(Failure) -> Int {
    guard let rules = TimeZoneDatabase.current.rules(named: timeZoneName) else {
      throw .unknownTimeZone(timeZoneName)
    }
    return rules.offset(at: moment.secondsSince1970)
  }
}
