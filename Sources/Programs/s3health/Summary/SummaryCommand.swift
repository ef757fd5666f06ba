import ArgumentParser
import CommandLineKit
import HealthLedger
import HealthModel
import MCPServer

/// `summary`: what the days of a range have in common, as agents get it (R61).
struct SummaryCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "summary",
    abstract: "Print means, medians and extremes of a range, compared with the days before.",
    discussion: """
      Without dates it takes the last 28 days. A range ends at --to, or yesterday if --to is not \
      given. Only days that are over and have a number count. The others are named below the \
      table, and never count as 0. --output json prints what an agent gets of \
      health.summarize_range.

        s3health summary 7d
        s3health summary --last 28d --compare
        s3health summary --from 2026-01-01 --to 2026-03-31 --by month
        s3health summary --last 12w --by week --metrics sleep_asleep_minutes,steps
      """)

  @Argument(
    help: .init(
      "7d for the last days, A..B for a range; or one date.", valueName: "dates"))
  var days: SpanArgument?

  @OptionGroup var span: SpanOptions

  @Flag(help: "Compare with as many days directly before.")
  var compare = false

  @Option(help: "Also by week, from Monday, or by month.")
  var by: SummaryPeriod?

  @Option(
    help: .init(
      "Metrics: all, v0 for the required ones, or keys: steps,weight.",
      discussion: "Default: the required ones.", valueName: "keys"),
    transform: MetricSelection.argument)
  var metrics: MetricSelection?

  @Option(help: .init("Time zone that determines today.", valueName: "iana-name"))
  var timezone: String?

  @OptionGroup var output: OutputOptions
  @OptionGroup var store: StoreOptions

  func validate() throws {
    if days != nil, span.isGiven {
      throw ValidationError("the dates are given twice: leave out the options or the argument")
    }
    try span.with(days).validate()
  }

  /// How many days there are if no dates are given.
  private static let usual = "28d"

  func run() async throws {
    try await reportingErrors(output.output) { () async throws(LedgerError) in
      Diagnostics.start(store)
      let settings = try await Settings(store, timeZone: timezone).ofPerson(.pages)
      settings.sayMissingZone()
      let today = try settings.today
      let yesterday = today.adding(days: -1) ?? today
      var asked = span.with(days)
      if !asked.isGiven { asked.last = DayCountArgument(argument: Self.usual) }
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
