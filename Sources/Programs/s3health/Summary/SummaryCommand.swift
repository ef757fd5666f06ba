import ArgumentParser
import CommandLineKit
import HealthLedger
import HealthModel
import MCPServer

/// `summary`: what the days of a range have in common, as agents get it (R61).
struct SummaryCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "summary",
    abstract: "Print means and extremes of a range, and compare it.",
    discussion: """
      Without dates it takes the last 28 days. Only days that are over and have a number count. The others are named below the \
      table, and never count as 0. --output json prints what an agent gets of \
      health.summarize_range.

        s3health summary 7d
        s3health summary 28d --compare
        s3health summary 2026 --by month
        s3health summary 12w --by week --metrics sleep_asleep_minutes,steps
      """)

  @OptionGroup var span: SpanOptions

  @Flag(help: "Compare with as many days directly before.")
  var compare = false

  @Option(help: "Also by week, from Monday, or by month.")
  var by: SummaryPeriod?

  @Option(
    help: .init(
      "Metrics: all, v0 for the required ones, or keys: steps,weight.",
      discussion: "Default: the required ones.", valueName: "keys"), completion: .metrics,
    transform: MetricSelection.argument)
  var metrics: MetricSelection?

  @Option(
    help: .init("Time zone that determines today.", valueName: "iana-name"), completion: .timeZones)
  var timezone: String?

  @OptionGroup var output: OutputOptions
  @OptionGroup(title: "Store") var store: StoreOptions

  /// How many days there are if no dates are given.
  private static let usual = 28

  func run() async throws {
    try await reportingErrors(output.output) { () async throws(LedgerError) in
      Diagnostics.start(store)
      let settings = try await Settings(store, timeZone: timezone).ofPerson(.pages)
      let today = try settings.today
      let yesterday = today.adding(days: -1) ?? today
      var asked = span
      if !asked.isGiven { asked.dates = .last(Self.usual) }
      let found = try await asked.range(
        settings, upTo: yesterday, maximumDays: DateRange.defaultMaximumDays)
      let range = if let found { found } else { try DateRange(from: yesterday, to: yesterday) }
      let answer = try await summary(of: range, settings)
      switch output.output {
      case .json: try StandardStreams.write(answer)
      case .text:
        let table = SummaryTable(
          answer, metrics?.metrics ?? DailyMetric.required, showsAll: metrics?.isList ?? true,
          in: settings.units)
        try StandardStreams.writeLine(table.lines(.standardOutput()).joined(separator: "\n"))
      }
      return .success
    }
  }

  private func summary(
    of range: DateRange, _ settings: Settings
  ) async throws(LedgerError) -> JSONValue {
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
    let opened = try OpenedStore(settings)
    let answer = try await opened.run { [arguments] ledger async throws(LedgerError) in
      try await HealthTools(
        ledger, timeZoneName: settings.timeZoneName, now: { settings.now }
      ).summary(arguments)
    }
    if answer["freshness"] == .null { try await opened.sayHeldDays(outside: range, settings) }
    return answer
  }
}

extension SummaryPeriod: ExpressibleByArgument {}
