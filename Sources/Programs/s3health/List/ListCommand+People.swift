import ArgumentParser
import CommandLineKit
import HealthLedger
import HealthModel

extension ListCommand {
  /// `ls --people`: a line for each person.
  func listPeople() async throws(LedgerError) -> ExitCode {
    let run = try PeopleRun(people, store, timeZone: timezone, output.output)
    let (span, store) = (span, run.opened.name)
    return try await run.run(
      "listing", columns: ["days", "missing", "revisions", "newest"], allowsNobody: true
    ) {
      _, settings, ledger async throws(LedgerError) in
      let today = try settings.today
      let (from, to) = try span.ends(settings, upTo: span.last == nil ? nil : today)
      if let from, let to { _ = try DateRange(from: from, to: to, maximumDays: .max) }
      return HoldingsReport(
        storeName: store, from: from, to: to, today: today,
        holdings: try await ledger.holdings(from: from, to: to))
    } line: { _, report in
      let holdings = report.holdings
      var members = report.members
      members["store"] = nil
      return PersonLine(
        result: holdings.days == 0 ? .noData : .ok,
        cells: [
          holdings.days.grouped, report.missingDays.grouped, holdings.revisions.grouped,
          holdings.newest.map { "\($0.date)" } ?? "",
        ],
        members: members)
    }
  }
}
