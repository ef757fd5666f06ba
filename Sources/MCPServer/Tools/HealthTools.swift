package import HealthLedger
package import HealthModel

/// Runs the tools on a ledger (R50, R51).
package struct HealthTools: Sendable {
  private let ledger: HealthLedger
  private let timeZoneName: String
  private let now: @Sendable () -> Timestamp

  /// Most dates of a range.
  static let maximumDays = 366

  /// Requests in flight of one call; several calls run at once.
  static let concurrency = 8

  /// - Parameters:
  ///   - timeZoneName: decides what today is where a call does not say.
  ///   - now: this machine's clock.
  package init(
    _ ledger: HealthLedger, timeZoneName: String, now: @escaping @Sendable () -> Timestamp
  ) {
    (self.ledger, self.timeZoneName, self.now) = (ledger, timeZoneName, now)
  }

  /// What a call finds; whatever goes wrong is an answer too (R52).
  package func answer(_ call: ToolCall) async -> ToolAnswer {
    do throws(ToolFault) {
      switch call.tool {
      case .daily: return ToolAnswer(try await daily(call.arguments))
      case .range: return ToolAnswer(try await range(call.arguments))
      }
    } catch {
      return error.answer
    }
  }

  private func daily(_ arguments: [String: JSONValue]) async throws(ToolFault) -> JSONValue {
    let resolution: Resolution
    do throws(LedgerError) {
      let reader = try ArgumentReader(arguments, names: ["date", "timezone"])
      let day = try reader.day("date")
      let date = day.date(today: try today(try reader.timeZone()))
      resolution = try await ledger.resolve(date)
    } catch {
      throw ToolFault(error)
    }
    return try DailyAnswer(resolution: resolution, now: now()).content
  }

  private func range(_ arguments: [String: JSONValue]) async throws(ToolFault) -> JSONValue {
    do throws(LedgerError) {
      let reader = try ArgumentReader(
        arguments, names: ["from", "to", "metrics", "timezone"])
      let (from, to) = (try reader.day("from"), try reader.day("to"))
      let metrics = try reader.metrics()
      let today = try today(try reader.timeZone())
      let range = try Self.range(from.date(today: today), to.date(today: today))
      var answer = RangeAnswer(range, metrics)
      try await ledger.resolve(range, concurrency: Self.concurrency) {
        resolution async throws(LedgerError) in
        answer.add(resolution)
      }
      return answer.content(now: now())
    } catch {
      throw ToolFault(error)
    }
  }

  private static func range(
    _ from: CalendarDate, _ to: CalendarDate
  ) throws(LedgerError) -> DateRange {
    let days = from.days(until: to) + 1
    guard days <= maximumDays else {
      throw LedgerError(
        .invalidArguments, "\(from) to \(to) are \(days) days, over \(maximumDays)", rule: "R50",
        remedy: "ask for at most \(maximumDays) days at a time")
    }
    return try DateRange(from: from, to: to, maximumDays: maximumDays)
  }

  /// The date in a zone; a wrong zone is refused even where the date does not depend on it.
  private func today(_ zone: String?) throws(LedgerError) -> CalendarDate {
    do throws(ReportingDay.Failure) {
      return try ReportingDay.date(at: now(), timeZoneName: zone ?? timeZoneName)
    } catch {
      throw LedgerError(error)
    }
  }
}
