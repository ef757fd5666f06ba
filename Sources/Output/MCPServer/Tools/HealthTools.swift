package import HealthLedger
package import HealthModel

/// Runs the tools on a ledger (R50, R51).
package struct HealthTools: Sendable {
  let ledger: HealthLedger
  private let timeZoneName: String
  let now: @Sendable () -> Timestamp
  /// Takes how many of how many dates of a call are read.
  let progress: (@Sendable (Int, Int) -> Void)?

  /// The most dates of a range.
  static let maximumDays = 366

  /// The number of concurrent requests of one call. Several calls run at once.
  static let concurrency = 8

  /// - Parameters:
  /// - timeZoneName: determines today if a call does not name a zone.
  ///   - now: this machine's clock.
  ///   - progress: takes how many of how many dates of a call are read.
  package init(
    _ ledger: HealthLedger, timeZoneName: String, now: @escaping @Sendable () -> Timestamp,
    progress: (@Sendable (Int, Int) -> Void)? = nil
  ) {
    (self.ledger, self.timeZoneName, self.now) = (ledger, timeZoneName, now)
    self.progress = progress
  }

  /// The result of a call. A failure is an answer too (R52).
  package func answer(_ call: ToolCall) async -> ToolAnswer {
    do throws(LedgerError) {
      switch call.tool {
      case .daily: return try await daily(call.arguments)
      case .range: return ToolAnswer(try await range(call.arguments))
      case .list: return ToolAnswer(try await list(call.arguments))
      case .summary: return ToolAnswer(try await summary(call.arguments))
      }
    } catch {
      return ToolAnswer(error)
    }
  }

  private func daily(_ arguments: [String: JSONValue]) async throws(LedgerError) -> ToolAnswer {
    let reader = try ArgumentReader(
      arguments, names: ["date", "timezone", "include_sources"])
    let (day, hasSources) = (try reader.day("date"), try reader.flag("include_sources"))
    let date = day.date(today: try today(try reader.timeZone()))
    return DailyAnswer(
      resolution: try await ledger.resolve(date), now: now(), hasSources: hasSources
    ).answer
  }

  private func range(_ arguments: [String: JSONValue]) async throws(LedgerError) -> JSONValue {
    let reader = try ArgumentReader(
      arguments,
      names: ["start_date", "end_date", "metrics", "format", "timezone", "include_sources"],
      aliases: ["start_date": "from", "end_date": "to"])
    let (start, end) = (try reader.day("start_date"), try reader.day("end_date"))
    let (metrics, format) = (try reader.metrics(), try reader.format())
    let hasSources = try reader.flag("include_sources")
    if hasSources, format == .compact {
      throw ArgumentReader.fault(
        "include_sources needs the format daily", "leave out format, or include_sources")
    }
    let today = try today(try reader.timeZone())
    let range = try Self.range(start.date(today: today), end.date(today: today))
    var answer = RangeAnswer(range, metrics, format, hasSources: hasSources)
    try await read([range]) { _, resolution in answer.add(resolution) }
    return answer.content(now: now())
  }

  /// Resolves every date of some ranges, one range after another, and reports its progress.
  func read(
    _ ranges: [DateRange], _ take: (_ index: Int, Resolution) -> Void
  ) async throws(LedgerError) {
    let total = ranges.reduce(0) { $0 + $1.count }
    var done = 0
    for (index, range) in ranges.enumerated() {
      try await ledger.resolve(range, concurrency: Self.concurrency) {
        resolution async throws(LedgerError) in
        take(index, resolution)
        done += 1
        progress?(done, total)
      }
    }
  }

  static func range(
    _ start: CalendarDate, _ end: CalendarDate, _ prefix: String = ""
  ) throws(LedgerError) -> DateRange {
    guard start <= end else {
      throw LedgerError(
        .invalidArguments, "\(prefix)start_date \(start) is after \(prefix)end_date \(end)",
        rule: "R50", remedy: "give the earlier date as \(prefix)start_date")
    }
    let days = start.days(until: end) + 1
    guard days <= maximumDays else {
      throw LedgerError(
        .invalidArguments,
        "\(start) to \(end) are \(days) days; at most \(maximumDays) are allowed", rule: "R50",
        remedy: "ask for at most \(maximumDays) days at a time")
    }
    return try DateRange(from: start, to: end, maximumDays: maximumDays)
  }

  /// The date in a zone. A wrong zone is refused even if the date does not depend on it.
  func today(_ zone: String?) throws(LedgerError) -> CalendarDate {
    do throws(ReportingDay.Failure) {
      return try ReportingDay.date(at: now(), timeZoneName: zone ?? timeZoneName)
    } catch .noTimeZoneDatabase {
      // The agent can't do anything about it.
      throw LedgerError(
        .internal, "the server's machine has no time zone database", rule: "R4",
        remedy: "ask its owner to install the package tzdata")
    } catch {
      throw LedgerError(error)
    }
  }
}
