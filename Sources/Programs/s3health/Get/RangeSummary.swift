import ArgumentParser
import CommandLineKit
import HealthLedger
import HealthModel
import MCPServer

extension GetCommand {
  /// `get --summary`: what the days of a range have in common, as agents get it (R61).
  func rangeSummary(
    _ opened: OpenedStore, _ settings: Settings
  ) async throws(LedgerError) -> SummaryTable {
    let yesterday = try settings.yesterday
    var asked = span
    // So many days there are if no dates are given.
    if !asked.isGiven { asked.dates = .last(28) }
    let found = try await asked.range(settings, upTo: yesterday, maximumDays: bound.maxDays)
    let range = if let found { found } else { try DateRange(from: yesterday, to: yesterday) }
    var arguments: [String: JSONValue] = [
      "start_date": .string("\(range.from)"), "end_date": .string("\(range.to)"),
    ]
    arguments["by"] = by.map { .string($0.rawValue) }
    arguments["metrics"] = metrics.map { .array($0.metrics.map { .string($0.rawValue) }) }
    if compare {
      guard let last = range.from.adding(days: -1), let first = last.adding(days: 1 - range.count)
      else {
        throw LedgerError(
          .invalidArguments, "there are no \(range.count.grouped) days before \(range.from)",
          rule: "R1", remedy: "ask for later dates, or leave out --compare")
      }
      arguments["compare_start_date"] = .string("\(first)")
      arguments["compare_end_date"] = .string("\(last)")
    }
    let answer = try await opened.run { [arguments] ledger async throws(LedgerError) in
      try await HealthTools(
        ledger, timeZoneName: settings.timeZoneName, now: { settings.now },
        maximumDays: DateRange.mostDays
      ).summary(arguments)
    }
    if answer["freshness"] == .null { try await opened.sayHeldDays(outside: range, settings) }
    return SummaryTable(
      answer, metrics?.metrics ?? DailyMetric.required, showsAll: metrics?.isList ?? true,
      in: settings.units)
  }
}

extension SummaryPeriod: ExpressibleByArgument {}
