import ArgumentParser
import CommandLineKit
import HealthExports
import HealthLedger
import HealthModel
import HealthSources
import PostgresTables

struct DatabaseCompareCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "compare",
    abstract: "Compare the tables with those of the older pipeline.",
    discussion: """
      Counts the rows of each day and type in apple_health_metrics, _workouts and _sleep, and \
      reports where the tables of s3healthd have fewer, and metrics whose numbers differ. It only \
      reads. Exits with 1 if there is a difference.
      """)

  @Option(help: .init("Number of days up to --to.", valueName: "n"))
  var days = 14

  @Option(
    help: .init("Last date: today, yesterday or YYYY-MM-DD.", valueName: "date"))
  var to: DayArgument = .today

  @Option(help: .init("How far apart numbers may be, in percent.", valueName: "percent"))
  var tolerance = 1.0

  @OptionGroup var database: DatabaseOptions
  @Option(
    help: .init("Reporting time zone of rows without one.", valueName: "iana-name"),
    completion: .timeZones)
  var timezone: String?

  @OptionGroup var output: OutputOptions
  @OptionGroup var store: StoreOptions

  func validate() throws {
    if !(1...3660).contains(days) { throw ValidationError("--days must be 1 to 3660") }
    if !(0...100).contains(tolerance) { throw ValidationError("--tolerance must be 0 to 100") }
  }

  func run() async throws {
    try await reportingErrors(output.output) { () async throws(LedgerError) in
      Diagnostics.start(store)
      let settings = try Settings(store, timeZone: timezone)
      let zone = settings.zone
      let last = try settings.date(to)
      let first = last.adding(days: 1 - days) ?? last
      let tables = try database.tables().of(settings)
      let comparison = try await compared { () async throws(PostgresError) in
        try await tables.compare(first...last, tolerance: tolerance / 100) { row in
          let zones = row.timeZoneName.map { ReportingZones($0) } ?? zone.zones
          return try? zones.date(at: Timestamp(secondsSince1970: row.moment))
        }
      }
      try report(comparison, first, last)
      return comparison.differences.isEmpty ? .success : ExitCode(1)
    }
  }

  private func report(
    _ comparison: LegacyComparison, _ first: CalendarDate, _ last: CalendarDate
  ) throws(LedgerError) {
    switch output.output {
    case .json:
      try StandardStreams.write(
        .object([
          "from": .string("\(first)"), "to": .string("\(last)"),
          "legacy_rows": .number(Double(comparison.legacyRows)),
          "rows": .number(Double(comparison.ownRows)),
          "differences": .array(
            comparison.differences.map { difference in
              .object([
                "kind": .string(difference.kind.rawValue), "date": .string("\(difference.date)"),
                "type": .string(difference.type), "reason": .string(difference.reason.rawValue),
                "legacy": .number(difference.legacy), "own": .number(difference.own),
              ])
            }),
        ]))
    case .text:
      for difference in comparison.differences {
        let words =
          switch difference.reason {
          case .fewer: "\(Int(difference.own)) of \(Int(difference.legacy)) rows"
          case .value: "\(difference.own) instead of \(difference.legacy)"
          }
        try StandardStreams.writeLine(
          "\(difference.date)  \(difference.kind.rawValue)  \(difference.type.printable): \(words)")
      }
      let count = comparison.differences.count
      try StandardStreams.writeLine(
        "\(first) to \(last): \(comparison.ownRows.grouped) rows, "
          + "\(comparison.legacyRows.grouped) in the older tables, "
          + (count == 0
            ? "no differences" : "\(count.grouped) \(count == 1 ? "difference" : "differences")"))
    }
  }

  /// Runs the comparison. If tables are missing, only those of this project can be created.
  private func compared(
    _ work: () async throws(PostgresError) -> LegacyComparison
  ) async throws(LedgerError) -> LegacyComparison {
    do throws(PostgresError) {
      return try await work()
    } catch {
      var failure = LedgerError(error)
      let isOwn = RecordKind.allCases.contains { error.message.firstRange(of: $0.table) != nil }
      if error.code == .tablesMissing, !isOwn {
        failure.remedy = "compare in a database that has the tables of both"
      }
      throw failure
    }
  }
}
