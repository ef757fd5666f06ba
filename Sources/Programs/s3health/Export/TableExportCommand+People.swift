import ArgumentParser
import CommandLineKit
import HealthExports
import HealthLedger
import HealthModel

extension TableExportCommand {
  /// Refuses what `--people` can't do.
  func validatePeople() throws {
    guard people.people else {
      if output.output == .json {
        throw ValidationError("--output json needs --people: `export json` writes JSON lines")
      }
      return
    }
    if table != .days || input != nil {
      throw ValidationError("--people exports the days of the store: leave out --input and --table")
    }
    if out == nil || out == "-" {
      throw ValidationError("--people needs --out FOLDER, for a file of each person")
    }
  }

  /// `export --people`: a file for each person, and a line about it.
  func exportPeople(to path: String) async throws(LedgerError) -> ExitCode {
    let run = try PeopleRun(people, store, timeZone: timezone, output.output)
    let folder = try PeopleFolder(
      path, ending: format == .csv ? "csv" : "jsonl", content: "the table")
    let (span, format, metrics) = (span, format, metrics?.metrics)
    return try await run.run("exporting", columns: ["days", "missing", "unread", "damaged"]) {
      id, settings, ledger async throws(LedgerError) -> PersonTable in
      let today = try settings.today
      let ledger = try await ledger.listedWhole()
      let ranges = try await span.ranges(
        of: ledger, settings, upTo: today, reaching: nil, maximumDays: DateRange.mostDays)
      var rows = DayRows(metrics: metrics, at: settings.now)
      var (unread, damaged) = (0, 0)
      for range in ranges {
        try await ledger.resolve(range) { resolution async throws(LedgerError) in
          if let latest = resolution.latest {
            rows.add(latest.revision)
            if latest.isDamaged { damaged += 1 }
          } else {
            rows.missing += 1
            if !resolution.rejected.isEmpty { unread += 1 }
          }
        }
      }
      return PersonTable(
        days: rows.count, missing: rows.missing, unread: unread, damaged: damaged,
        path: try folder.write(rows.bytes(format), of: id))
    } line: { _, table in
      PersonLine(
        cells: [table.days, table.missing, table.unread, table.damaged].map(\.grouped),
        words: table.path.printable,
        members: [
          "days": .count(table.days), "missing_days": .count(table.missing),
          "unread_days": .count(table.unread), "damaged_days": .count(table.damaged),
          "file": .string(table.path),
        ])
    }
  }
}

/// A person's table, once it is written.
private struct PersonTable: Sendable {
  let days: Int
  /// Dates of the range without a row.
  let missing: Int
  /// Of these, dates that have revisions, none of them readable.
  let unread: Int
  let damaged: Int
  let path: String
}
