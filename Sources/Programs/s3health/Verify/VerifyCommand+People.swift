import ArgumentParser
import CommandLineKit
import HealthLedger
import HealthModel

extension VerifyCommand {
  /// The most findings of a person that are kept: enough to name what is wrong.
  private static let mostFindings = 1000

  /// `verify --people`: a line for each person.
  func verifyPeople() async throws(LedgerError) -> ExitCode {
    let run = try PeopleRun(
      people, store, timeZone: timezone, output.output)
    let store = run.opened.name
    let (span, maximumDays, options) = (span, bound.maxDays, options)
    let (concurrency, allowMissing, strict) = (concurrency, allowMissing, strict)
    let columns = ["days", "complete", "missing", "errors", "warnings"]
    return try await run.run(
      "verifying", columns: columns, onlyFaults: Diagnostics.isQuiet
    ) {
      _, settings, ledger async throws(LedgerError) -> VerifyReport? in
      let yesterday = try settings.yesterday
      let ledger = try await ledger.listedWhole()
      var ranges: [DateRange]
      do throws(LedgerError) {
        ranges = try await span.ranges(
          of: ledger, settings, upTo: yesterday, reaching: yesterday, maximumDays: maximumDays)
        if span.last != nil {
          ranges = [try await ledger.sinceFirst(ranges[0])]
        }
      } catch  where error.code == .dataNotFound && allowMissing {
        return nil
      }
      guard let first = ranges.first, let last = ranges.last else { return nil }
      var report = VerifyReport(
        storeName: store, dates: first.from...last.to, options: options,
        allowsMissing: allowMissing, isStrict: strict, maximumFindings: Self.mostFindings)
      for range in ranges {
        let rest = try await ledger.verify(range, options, concurrency: concurrency) {
          report.add($0, at: settings.now)
        }
        if range == last { report.add(rest) }
      }
      return report
    } line: { _, report in
      report?.personLine ?? PersonLine(result: .noData, cells: columns.map { _ in "" })
    }
  }
}

extension VerifyReport {
  /// What is printed about a person of many.
  fileprivate var personLine: PersonLine {
    let (errors, warnings) = (severities[.error] ?? 0, severities[.warning] ?? 0)
    let codes = self.codes
    var line = PersonLine(
      result: foundSomething ? .findings : .ok,
      code: foundSomething ? CommandLineKit.foundSomething : .success,
      cells: [
        days.count.grouped, count(.ok).grouped, count(.missing).grouped, errors.grouped,
        warnings.grouped,
      ])
    let counted = codes.filter { $0.counts }.map { "\($0.count.grouped) \($0.code)" }
    line.words = counted.joined(separator: ", ") + (omittedFindings > 0 ? " at least" : "")
    line.members = [
      "from": .string("\(dates.lowerBound)"), "to": .string("\(dates.upperBound)"),
      "days": .count(days.count), "ok_days": .count(count(.ok)),
      "missing_days": .count(count(.missing)), "faulty_days": .count(count(.faulty)),
      "invalid_days": .count(count(.invalid)), "revisions_read": .count(revisionsRead),
      "errors": .count(errors), "warnings": .count(warnings),
      "notes": .count(severities[.note] ?? 0), "findings_omitted": .count(omittedFindings),
      "codes": .object(
        Dictionary(uniqueKeysWithValues: codes.map { ($0.code, JSONValue.count($0.count)) })),
      "repairs": .object(
        Dictionary(grouping: repairs, by: { $0.repair.word }).mapValues { .count($0.count) }),
    ]
    return line
  }

  /// The codes of the findings that are kept, with their numbers: those that count first.
  private var codes: [(code: String, count: Int, counts: Bool)] {
    Dictionary(grouping: findings, by: \.code).map { code, found in
      (code, found.count, found.contains(where: counts))
    }.sorted { ($0.counts ? 0 : 1, $0.code) < ($1.counts ? 0 : 1, $1.code) }
  }
}
