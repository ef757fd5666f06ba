package import HealthLedger
package import HealthModel

/// Runs the tools on a ledger (R50, R51, R61).
package struct HealthTools: Sendable {
  private let ledger: HealthLedger
  private let timeZoneName: String
  private let now: @Sendable () -> Timestamp
  /// Takes how many of how many dates of a call are read.
  private let progress: (@Sendable (Int, Int) -> Void)?

  /// The most dates of a range that an agent asks for.
  static let maximumDays = 366

  private let maximumDays: Int

  /// The number of concurrent requests of one call. Several calls run at once.
  private static let concurrency = 8

  /// The most figures of periods in one answer, about 100 bytes each.
  private static let maximumFigures = 1000

  /// - Parameters:
  ///   - timeZoneName: determines today if a call does not name a zone.
  ///   - now: this machine's clock.
  ///   - maximumDays: the most dates of a range.
  ///   - progress: takes how many of how many dates of a call are read.
  package init(
    _ ledger: HealthLedger, timeZoneName: String, now: @escaping @Sendable () -> Timestamp,
    maximumDays: Int = HealthTools.maximumDays, progress: (@Sendable (Int, Int) -> Void)? = nil
  ) {
    (self.ledger, self.timeZoneName, self.now) = (ledger, timeZoneName, now)
    (self.maximumDays, self.progress) = (maximumDays, progress)
  }

  /// Answers a call on a ledger that may have to be opened first. If that fails, that is an answer too
  /// (R52).
  ///
  /// - Parameters:
  ///   - progress: how many of how many dates are read.
  ///   - ledger: runs its argument on the ledger.
  package static func answer(
    _ call: ToolCall, timeZoneName: String, progress: (@Sendable (Int, Int) -> Void)? = nil,
    on ledger: (_ work: (HealthLedger) async throws(LedgerError) -> ToolAnswer)
      async throws(LedgerError) -> ToolAnswer
  ) async -> ToolAnswer {
    do throws(LedgerError) {
      return try await ledger { ledger async throws(LedgerError) in
        await HealthTools(
          ledger, timeZoneName: timeZoneName, now: LedgerEnvironment.system.now, progress: progress
        ).answer(call)
      }
    } catch {
      return ToolAnswer(error)
    }
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
    let reader = try ArgumentReader(arguments, names: ["date", "timezone", "include_sources"])
    let (day, hasSources) = (try reader.day("date"), try reader.flag("include_sources"))
    let resolution = try await ledger.resolve(day.date(today: try today(reader)))
    return ToolAnswer(resolution, hasSources: hasSources, now: now())
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
    let today = try today(reader)
    let range = try range(start.date(today: today), end.date(today: today))
    var answer = RangeAnswer(range, metrics, format, hasSources: hasSources)
    try await read([range]) { _, resolution in answer.add(resolution) }
    return answer.content(now: now())
  }

  /// Costs a request for each thousand objects of the store, to learn which days there are, and what
  /// reading the range costs.
  private func list(_ arguments: [String: JSONValue]) async throws(LedgerError) -> JSONValue {
    let reader = try ArgumentReader(arguments, names: ["start_date", "end_date", "timezone"])
    let today = try today(reader)
    let start = reader.has("start_date") ? try reader.day("start_date").date(today: today) : nil
    let end = reader.has("end_date") ? try reader.day("end_date").date(today: today) : nil
    // Refused before the store is asked.
    if let start, let end { _ = try range(start, end) }
    let held = try await ledger.holdings()
    let newest = held.runs.last { $0.first <= today }.map { min($0.last, today) }
    let last = end ?? newest ?? today
    let first = start ?? last.adding(days: 1 - maximumDays) ?? last
    var answer = MetricListAnswer(try range(first, last), held)
    try await read([answer.range]) { _, resolution in answer.add(resolution) }
    return answer.content
  }

  /// The answer of the tool to its arguments, for whoever else shows it.
  package func summary(_ arguments: [String: JSONValue]) async throws(LedgerError) -> JSONValue {
    let reader = try ArgumentReader(
      arguments,
      names: [
        "start_date", "end_date", "metrics", "by", "compare_start_date", "compare_end_date",
        "timezone",
      ])
    let (metrics, period) = (try reader.metrics(), try reader.period())
    let today = try today(reader)
    func asked(_ prefix: String) throws(LedgerError) -> DateRange {
      let start = try reader.day("\(prefix)start_date").date(today: today)
      let end = try reader.day("\(prefix)end_date").date(today: today)
      return try range(start, end, prefix)
    }
    let isCompared = reader.has("compare_start_date") || reader.has("compare_end_date")
    let ranges = [try asked("")] + (isCompared ? [try asked("compare_")] : [])
    let periods = period.map { $0.periods(of: ranges[0]) }
    if let count = periods?.count, count * metrics.count > Self.maximumFigures {
      throw ArgumentReader.fault(
        "\(metrics.count) metrics in \(count) periods; at most \(Self.maximumFigures) are "
          + "answered together",
        "name at most \(Self.maximumFigures / count) metrics, or ask for a shorter range or for month"
      )
    }
    let now = now()
    var found = ranges.map { RangeFigures($0, metrics, now: now) }
    try await read(ranges) { index, resolution in found[index].add(resolution) }
    return found[0].summary(periods, comparedWith: found.count > 1 ? found[1] : nil)
  }

  /// Resolves every date of some ranges, one range after another, and reports its progress.
  private func read(
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

  private func range(
    _ start: CalendarDate, _ end: CalendarDate, _ prefix: String = ""
  ) throws(LedgerError) -> DateRange {
    guard start <= end else {
      throw ArgumentReader.fault(
        "\(prefix)start_date \(start) is after \(prefix)end_date \(end)",
        "give the earlier date as \(prefix)start_date")
    }
    let days = start.days(until: end) + 1
    guard days <= maximumDays else {
      throw ArgumentReader.fault(
        "\(start) to \(end) are \(days) days; at most \(maximumDays) are allowed",
        "ask for at most \(maximumDays) days at a time")
    }
    return try DateRange(from: start, to: end, maximumDays: maximumDays)
  }

  /// The date in the zone of a call. A wrong zone is refused even if the date does not depend on it.
  private func today(_ reader: ArgumentReader) throws(LedgerError) -> CalendarDate {
    let zone = try reader.timeZone()
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
