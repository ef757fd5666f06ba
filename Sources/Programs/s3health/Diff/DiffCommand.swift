import ArgumentParser
import CommandLineKit
import HealthLedger
import HealthModel

/// `diff`: what changed between two revisions of a day.
struct DiffCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "diff",
    abstract: "Show what changed between two revisions of a day.",
    discussion: """
      Without ids it compares the two newest readable revisions. Without a date, the day is the newest \
      one that has two. Exits with 0 whether or not they differ. With --exit-code it exits with 1 if \
      they differ, as git does.

        s3health diff
        s3health diff yesterday
        s3health diff 2026-02-08 \\
          20260208T100000Z-7F3A2C4D 20260209T060000Z-01B2C3D4
      """)

  @Argument(
    help: .init(
      "A day, and two revision ids of it, the older one first.",
      discussion: "Default: the newest day that has two, and its two newest.", valueName: "date"))
  var words: [String] = []

  private var revisions: [String] { words.filter { RevisionID($0) != nil } }
  private var dates: [String] { words.filter { RevisionID($0) == nil } }

  @Flag(help: "Exit with 1 if the data differ.")
  var exitCode = false

  @Option(
    help: .init("Time zone that determines today.", valueName: "iana-name"), completion: .timeZones)
  var timezone: String?

  @OptionGroup var output: OutputOptions
  @OptionGroup(title: "Store") var store: StoreOptions

  func validate() throws {
    if let second = dates.dropFirst().first {
      throw ValidationError("\(second) is not a revision id; diff takes one date")
    }
    if dates.first == "all" { throw ValidationError("diff takes one date") }
    if revisions.count != 0, revisions.count != 2 {
      throw ValidationError("diff takes two revision ids, or none to compare the two newest")
    }
  }

  func run() async throws {
    try await reportingErrors(output.output) { () async throws(LedgerError) in
      Diagnostics.start(store)
      let settings = try await Settings(store, timeZone: timezone).ofPerson()
      let asked = try dates.first.map { day throws(LedgerError) in
        try settings.date(DayArgument(argument: day))
      }
      let opened = try OpenedStore(settings)
      let date =
        if let asked {
          asked
        } else {
          try await opened.read(settings) { ledger async throws(LedgerError) in
            try await ledger.newestRevised()
          }
        }
      let ids = try revisions.map { text throws(LedgerError) in
        try RevisionID(text, of: date)
      }
      let report = try await opened.read(settings) { ledger async throws(LedgerError) in
        let pair =
          ids.isEmpty
          ? try await ledger.newestTexts(date)
          : (try await ledger.text(date, ids[0]), try await ledger.text(date, ids[1]))
        return DiffReport(date: date, old: pair.0, new: pair.1, layout: ledger.layout)
      }
      switch output.output {
      case .json: try StandardStreams.write(report.document)
      case .text:
        try StandardStreams.writeLine(report.lines(.standardOutput()).joined(separator: "\n"))
      }
      return exitCode && report.differs ? foundSomething : .success
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
