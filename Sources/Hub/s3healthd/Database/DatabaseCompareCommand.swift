import ArgumentParser
import CommandLineKit
import HealthExports
import HealthLedger
import HealthModel
import HealthSources
import PostgresTables

struct DatabaseCompareCommand: ResultCommand {
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

  func result() async throws(LedgerError) -> any CommandResult {
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
    return TablesCompared(comparison, from: first, to: last)
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

private struct TablesCompared: CommandResult, Encodable {
  let from, to: CalendarDate
  let legacyRows, rows: Int
  let differences: [Difference]

  struct Difference: Encodable {
    let kind, type, reason: String
    let date: CalendarDate
    let legacy, own: Double
  }

  init(_ comparison: LegacyComparison, from: CalendarDate, to: CalendarDate) {
    (self.from, self.to) = (from, to)
    (legacyRows, rows) = (comparison.legacyRows, comparison.ownRows)
    differences = comparison.differences.map {
      Difference(
        kind: $0.kind.rawValue, type: $0.type, reason: $0.reason.rawValue, date: $0.date,
        legacy: $0.legacy, own: $0.own)
    }
  }

  var exitCode: ExitCode { differences.isEmpty ? .success : foundSomething }

  func lines(_ terminal: Terminal) -> [String] {
    let found = differences.map { difference in
      let words =
        difference.reason == LegacyComparison.Difference.Reason.fewer.rawValue
        ? "\(Int(difference.own)) of \(Int(difference.legacy)) rows"
        : "\(difference.own) instead of \(difference.legacy)"
      return "\(difference.date)  \(difference.kind)  \(difference.type.printable): \(words)"
    }
    let count = differences.isEmpty ? "no differences" : differences.count.counted("difference")
    return found + [
      "\(from) to \(to): \(rows.grouped) rows, \(legacyRows.grouped) in the older tables, \(count)"
    ]
  }
}
