import ArgumentParser
import CommandLineKit
import HealthLedger
import HealthModel
import HealthReport

extension ReportCommand {
  /// Refuses what `--people` can't do.
  func validatePeople() throws {
    guard people.people else {
      if out != nil { throw ValidationError("--out needs --people; --html names one page") }
      return
    }
    guard out != nil else {
      throw ValidationError("--people needs --out FOLDER, for a page of each person")
    }
    if html != nil || page != nil || name != nil || born != nil {
      throw ValidationError("--html, --name and --born are about one person: leave them out")
    }
  }

  /// `report --people`: a page for each person, and a line about it.
  func reportPeople(to path: String) async throws(LedgerError) -> ExitCode {
    let run = try PeopleRun(people, store, timeZone: timezone, output.output)
    let store = run.opened.name
    let folder = try PeopleFolder(path, ending: "html", content: "the page")
    let (span, maximumDays, concurrency) = (span, bound.maxDays, concurrency)
    let reader = ReportReader(reader, name: nil, born: nil)
    let columns = ["days", "data", "missing", "faulty", "invalid"]
    return try await run.run("reporting", columns: columns, needing: .pages) {
      id, settings, ledger async throws(LedgerError) -> PageSummary in
      let today = try settings.today
      let ledger = try await ledger.listedWhole()
      let range =
        if span.isGiven {
          try await span.ranges(
            of: ledger, settings, upTo: today, reaching: nil, maximumDays: maximumDays)[0]
        } else {
          try Self.lastYear(from: try await ledger.heldDates(), to: today)
        }
      var report = RangeReport(
        storeName: "\(store.hasSuffix("/") ? store : store + "/")people/\(id)", range: range,
        madeAt: settings.now, today: today, maker: "s3health \(Program.version)")
      report.units = settings.units
      let rest = try await ledger.verify(RangeReport.span(of: range), concurrency: concurrency) {
        report.add($0)
      }
      report.add(rest)
      let page = try ReportPage(report, for: reader, words: \.words).bytes
      let file = try folder.write(page, of: id)
      return PageSummary(report: report, path: file, bytes: page.count)
    } line: { _, summary in
      let report = summary.report
      let data = report.count(.complete) + report.count(.partial)
      var members = summary.members
      members["store"] = nil
      return PersonLine(
        cells: [
          report.range.count, data, report.count(.missing), report.count(.faulty),
          report.count(.invalid),
        ].map(\.grouped), words: (summary.path ?? "").printable, members: members)
    }
  }
}
