import ArgumentParser
import CommandLineKit
import HealthLedger
import HealthModel

extension GetCommand {
  /// `get --diff`: what changed between two revisions of a day (R37): the two newest readable ones, of the
  /// newest day that has two, if none are named.
  func difference(
    _ opened: OpenedStore, _ settings: Settings
  ) async throws(LedgerError) -> DiffReport {
    let asked = try span.day.map { day throws(LedgerError) in try settings.date(day) }
    return try await opened.read(settings) { ledger async throws(LedgerError) in
      let date = if let asked { asked } else { try await ledger.newestRevised() }
      let ids = try revision.map { text throws(LedgerError) in try RevisionID(text, of: date) }
      let pair =
        ids.count == 2
        ? (try await ledger.text(date, ids[0]), try await ledger.text(date, ids[1]))
        : try await ledger.newestTexts(date)
      return DiffReport(
        date: date, old: pair.0, new: pair.1, layout: ledger.layout, failsIfDifferent: exitCode)
    }
  }
}

extension RevisionID {
  /// A revision id from the command line.
  init(_ text: String, of date: CalendarDate) throws(LedgerError) {
    guard let id = RevisionID(text) else {
      throw LedgerError(
        .invalidArguments, "\"\(text.prefix(100))\" is not a revision id", rule: "R6",
        remedy: .listRevisions(of: date))
    }
    self = id
  }
}

extension HealthLedger {
  /// The newest day with something to compare.
  fileprivate func newestRevised() async throws(LedgerError) -> CalendarDate {
    guard let date = try await holdings().newestRevised else {
      throw LedgerError(
        .dataNotFound, "no day has two revisions: there is nothing to compare",
        key: layout.dataPrefix, remedy: "s3health ls shows what the store holds")
    }
    return date
  }

  /// The two newest readable revisions of a day, the older first.
  fileprivate func newestTexts(
    _ date: CalendarDate
  ) async throws(LedgerError) -> (RevisionText, RevisionText) {
    let pair = try await newestPair(date)
    for rejected in pair.rejected {
      StandardStreams.remark("note: skipped revision \(rejected.id): \(rejected.why)")
    }
    let (old, new) = try pair.both()
    return (
      try text(date, old.id, old.body, isValid: old.violations.isEmpty),
      try text(date, new.id, new.body, isValid: new.violations.isEmpty)
    )
  }

  /// A revision by its id, valid or not.
  fileprivate func text(
    _ date: CalendarDate, _ id: RevisionID
  ) async throws(LedgerError) -> RevisionText {
    let (body, decoded) = try await revision(date, id)
    for violation in decoded.violations {
      StandardStreams.remark("s3health: revision \(id): \(violation.line)")
    }
    return try text(date, id, body, isValid: decoded.violations.isEmpty)
  }

  private func text(
    _ date: CalendarDate, _ id: RevisionID, _ body: [UInt8], isValid: Bool
  ) throws(LedgerError) -> RevisionText {
    guard let value = try? JSONValue(parsing: body) else {
      throw LedgerError(
        .invalidArguments, "revision \(id) is not JSON and can't be compared",
        key: layout.revisionKey(date, id).rawValue, rule: "R13",
        remedy: "name another revision: s3health get \(date) --history")
    }
    return RevisionText(id: id, value: value, isValid: isValid)
  }
}
