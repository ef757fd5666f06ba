package import HealthLedger
package import HealthModel

// The tools that answer about many days at once (R61).

extension HealthTools {
  /// Costs a request for each thousand objects of the store, to learn which days there are, and what
  /// reading the range costs.
  func list(_ arguments: [String: JSONValue]) async throws(LedgerError) -> JSONValue {
    let reader = try ArgumentReader(arguments, names: ["start_date", "end_date", "timezone"])
    let today = try today(try reader.timeZone())
    let start = reader.has("start_date") ? try reader.day("start_date").date(today: today) : nil
    let end = reader.has("end_date") ? try reader.day("end_date").date(today: today) : nil
    // Refused before the store is asked.
    if let start, let end { _ = try Self.range(start, end) }
    let held = try await ledger.holdings()
    let last = end ?? held.last(by: today) ?? today
    let first = start ?? last.adding(days: 1 - Self.maximumDays) ?? last
    var answer = MetricListAnswer(try Self.range(first, last), held)
    try await read([answer.range]) { _, resolution in answer.add(resolution) }
    return answer.content
  }

  /// The answer of the tool to its arguments, for whoever else shows it.
  package func summary(_ arguments: [String: JSONValue]) async throws(LedgerError) -> JSONValue {
    let other = "compare_"
    let reader = try ArgumentReader(
      arguments,
      names: [
        "start_date", "end_date", "metrics", "by", "compare_start_date", "compare_end_date",
        "timezone",
      ])
    let (metrics, period) = (try reader.metrics(), try reader.period())
    let today = try today(try reader.timeZone())
    func range(_ prefix: String) throws(LedgerError) -> DateRange {
      let start = try reader.day("\(prefix)start_date").date(today: today)
      let end = try reader.day("\(prefix)end_date").date(today: today)
      return try Self.range(start, end, prefix)
    }
    let isCompared = reader.has("compare_start_date") || reader.has("compare_end_date")
    let ranges = [try range("")] + (isCompared ? [try range(other)] : [])
    let periods = period.map { $0.periods(of: ranges[0]) }
    try Self.check(periods?.count ?? 0, metrics.count)
    let now = now()
    var found = ranges.map { RangeFigures($0, metrics, now: now) }
    try await read(ranges) { index, resolution in found[index].add(resolution) }
    return SummaryAnswer(
      figures: found[0], periods: periods, compared: found.count > 1 ? found[1] : nil, now: now
    ).content
  }

  /// The most figures of periods in one answer, about 100 bytes each.
  static let maximumFigures = 1000

  private static func check(_ periods: Int, _ metrics: Int) throws(LedgerError) {
    guard periods * metrics > maximumFigures else { return }
    throw ArgumentReader.fault(
      "\(metrics) metrics in \(periods) periods; at most \(maximumFigures) are answered together",
      "name at most \(maximumFigures / periods) metrics, or ask for a shorter range or for month")
  }
}

extension Holdings {
  /// The last day held that is not after a date.
  func last(by date: CalendarDate) -> CalendarDate? {
    runs.last { $0.first <= date }.map { min($0.last, date) }
  }
}
