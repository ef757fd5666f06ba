import ArgumentParser
import CommandLineKit
import Foundation
import HealthLedger
import HealthModel
import ObjectStore

/// What one person's part of a run over all people comes to.
struct PersonLine {
  var result = PersonResult.ok
  var code = ExitCode.success
  /// The numbers of the columns.
  var cells: [String]
  /// The rest of the line, for people; empty where the result says it all.
  var words = ""
  /// The members of the document for programs, beside `person`, `result`, `exit_code` and `error`.
  var members: Document = [:]
}

/// A run over all people of a store (R64): a few at a time, over the connections of one store, in the
/// order of their ids, with a line for each as soon as it and those before it are done.
struct PeopleRun {
  let settings: Settings
  let opened: OpenedStore
  private let after: PersonID?
  private let format: OutputFormat

  /// Opens the store that people share, whoever is configured.
  init(
    _ options: PeopleOptions, _ store: StoreOptions, timeZone: String?, _ format: OutputFormat
  ) throws(LedgerError) {
    guard store.whose.person == nil else {
      throw LedgerError(
        .invalidArguments, "--people and --person can't be used together",
        remedy: "leave out one of them")
    }
    after = try options.start
    settings = try Settings(store, timeZone: timeZone, forAllPeople: true)
    // Shown once, not for each person.
    if settings.zone.isGiven { _ = try settings.today }
    opened = try OpenedStore(settings)
    self.format = format
  }

  /// Works on each person, and prints a line for each.
  ///
  /// - Parameters:
  ///   - doing: what is done, for the progress, such as `verifying`.
  ///   - columns: the titles of the numbers in a line.
  ///   - allowsNobody: whether a store without people is accepted.
  ///   - onlyFaults: whether text output shows only people with faults.
  ///   - need: which of each person's settings apply; nil for none.
  ///   - work: what is done for a person, concurrently.
  ///   - line: what is printed about it.
  func run<Output: Sendable>(
    _ doing: String, columns: [String], allowsNobody: Bool = false, onlyFaults: Bool = false,
    needing need: Settings.Need? = .zone,
    work:
      @escaping @Sendable (PersonID, Settings, HealthLedger) async throws(LedgerError) -> Output,
    line: (PersonID, Output) throws(LedgerError) -> PersonLine
  ) async throws(LedgerError) -> ExitCode {
    try await opened.run { ledger async throws(LedgerError) in
      let people = People(of: ledger)
      let ids = try await self.ids(people, allowsNobody: allowsNobody)
      let table = PeopleTable(columns: columns, ids: ids, terminal: .standardOutput())
      var progress = ProgressLine("\(doing) person", total: ids.count, unit: .entries)
      defer { progress.clear() }
      let interruption = InterruptionNotice { [after] in Self.words(interruptedAfter: after) }
      interruption.listen(for: [SIGINT, SIGTERM])
      defer { EndSignals.release() }
      var sum = PeopleSum()
      var hasHead = false
      let usual = settings
      try await people.each(ids) { id, ledger in
        await OneOfMany.$isInside.withValue(true) {
          await Result.of { () async throws(LedgerError) in
            let settings = if let need { try await usual.of(id, ledger, need) } else { usual }
            return try await work(id, settings, ledger)
          }
        }
      } deliver: { id, outcome async throws(LedgerError) in
        progress.clear()
        let (made, error) = try Self.line(id, outcome, columns: columns.count, line)
        sum.add(made, failure: error)
        if format == .json || !onlyFaults || made.code != .success {
          if format == .text, !hasHead { try StandardStreams.writeLine(table.head) }
          hasHead = true
          try print(id, made, error, table)
        }
        interruption.say { Self.words(interruptedAfter: id) }
        progress.advance()
        if sum.looksDown { try await checkStore(ledger, after: id) }
      }
      progress.clear()
      if format == .text, hasHead || !onlyFaults {
        if !hasHead { try StandardStreams.writeLine(table.head) }
        try StandardStreams.writeLine(sum.words)
      }
      return sum.code
    }
  }

  /// With which option to go on. Everything that was printed is whole.
  private static func words(interruptedAfter id: PersonID?) -> String {
    id.map { "interrupted after \($0); the same command with --after \($0) goes on there" }
      ?? "interrupted before the first person"
  }

  /// Who is there, after the person given by `--after`. Foreign names are reported.
  private func ids(
    _ people: People, allowsNobody: Bool
  ) async throws(LedgerError) -> [PersonID] {
    let found = try await people.list()
    found.remarkForeign()
    guard !found.ids.isEmpty || allowsNobody else {
      throw LedgerError(
        .dataNotFound, "the store holds no people", key: opened.ledger.layout.peoplePrefix,
        rule: "R64", remedy: "add one: s3health people add ID")
    }
    guard let after else { return found.ids }
    return found.ids.filter { after < $0 }
  }

  private static func line<Output>(
    _ id: PersonID, _ outcome: Result<Output, LedgerError>, columns: Int,
    _ line: (PersonID, Output) throws(LedgerError) -> PersonLine
  ) throws(LedgerError) -> (PersonLine, LedgerError?) {
    switch outcome {
    case .success(let output): return (try line(id, output), nil)
    case .failure(let error):
      let made = PersonLine(
        result: PersonResult(error), code: error.code.exitCode,
        cells: Array(repeating: "", count: columns))
      return (made, error)
    }
  }

  private func print(
    _ id: PersonID, _ line: PersonLine, _ error: LedgerError?, _ table: PeopleTable
  ) throws(LedgerError) {
    if let error, line.result == .failed {
      var error = error
      error.message = "\(id): \(error.message)"
      StandardStreams.say(error)
    }
    switch format {
    case .text: try StandardStreams.writeLine(table.line(id, line))
    case .json:
      var members = line.members
      members["person"] = id
      members["result"] = line.result.rawValue
      members["exit_code"] = Int(line.code.rawValue)
      members["error"] = .some(error?.document)
      try StandardStreams.write(try JSONValue(encoding: members))
    }
  }

  /// Ends the run where the store itself fails: a thousand people would fail one by one.
  private func checkStore(
    _ ledger: HealthLedger, after id: PersonID
  ) async throws(LedgerError) {
    do throws(StoreError) {
      _ = try await ledger.store.list(ListRequest(prefix: ledger.layout.peoplePrefix, limit: 1))
    } catch {
      var failure = LedgerError(error)
      failure.details.append(.init("the people after \(id) were not looked at"))
      throw failure
    }
  }
}

/// How many people came to what.
private struct PeopleSum {
  private var counts: [PersonResult: Int] = [:]
  private(set) var code = ExitCode.success
  private var failuresInARow = 0

  /// After this many failures of the store in a row, the store itself is asked.
  private static let mostFailures = 8

  /// Whether the store itself seems to fail. True once for that many failures.
  var looksDown: Bool { failuresInARow > 0 && failuresInARow % Self.mostFailures == 0 }

  mutating func add(_ line: PersonLine, failure: LedgerError?) {
    counts[line.result, default: 0] += 1
    code = code.orGraver(line.code)
    failuresInARow = failure?.code == .storageUnavailable ? failuresInARow + 1 : 0
  }

  var words: String {
    let all = counts.values.reduce(0, +)
    let named: [(PersonResult, String)] = [
      (.ok, "ok"), (.findings, "with findings"), (.noData, "without days"), (.failed, "failed"),
    ]
    let parts = named.compactMap { result, word in
      counts[result].map { "\($0.grouped) \(word)" }
    }
    return "\(all.grouped) \(all == 1 ? "person" : "people")"
      + (parts.isEmpty ? "" : ": " + parts.joined(separator: ", "))
  }
}

extension People.Found {
  /// Names on stderr what is below `people/` and is not a person.
  func remarkForeign() {
    for item in foreign.prefix(5) {
      StandardStreams.remark("note: \(item.key) is left out: \(item.reason)")
    }
    let more = foreign.count + foreignOmitted - 5
    if more > 0 { StandardStreams.remark("note: \(more.grouped) more are left out") }
  }
}

/// The folder into which a run over people writes a file for each: `ann.csv`. Each file is replaced
/// whole or not at all, and only its owner can read it.
struct PeopleFolder: Sendable {
  private let path: String
  /// The end of the files' names, such as `csv`.
  private let ending: String
  private let content: String

  /// - Throws: `LedgerError` if no files can be written there. It is created if it is missing, below
  ///   a folder that exists.
  init(_ path: String, ending: String, content: String) throws(LedgerError) {
    (self.path, self.ending, self.content) = (path, ending, content)
    if mkdir(path, 0o700) != 0, errno != EEXIST {
      throw LedgerError(
        errno == ENOENT || errno == ENOTDIR ? .invalidArguments : .storageUnavailable,
        "the folder \(path.printable) can't be made: \(String(cString: strerror(errno)))",
        remedy: "name a folder that exists, or a new one in a folder that exists")
    }
    var found = stat()
    guard stat(path, &found) == 0, found.st_mode & S_IFMT == S_IFDIR else {
      throw LedgerError(
        .invalidArguments, "\(path.printable) is not a folder",
        remedy: "with --people, --out names a folder for the files of all people")
    }
  }

  /// Writes a person's file.
  ///
  /// - Returns: its path.
  func write(_ bytes: [UInt8], of id: PersonID) throws(LedgerError) -> String {
    let file = try PrivateFile("\(path)/\(id).\(ending)", for: content)
    try file.replace(with: bytes)
    return file.path
  }
}

/// The lines of a run over people, whose columns are known before the first is done.
struct PeopleTable {
  private let columns: [String]
  private let width: Int
  private let terminal: Terminal

  /// - Parameter columns: the titles of the numbers.
  init(columns: [String], ids: [PersonID], terminal: Terminal) {
    (self.columns, self.terminal) = (columns, terminal)
    width = max(6, ids.map { $0.rawValue.utf8.count }.max() ?? 0)
  }

  var head: String {
    let titles = columns.map { $0.leftPadded(to: Self.width(of: $0)) }
    return terminal.styled(
      (["person".padded(to: width)] + titles + ["result"]).joined(separator: "  "), .strong)
  }

  func line(_ id: PersonID, _ line: PersonLine) -> String {
    let cells = zip(columns, line.cells).map { $1.leftPadded(to: Self.width(of: $0)) }
    let words = [Self.words[line.result] ?? line.result.rawValue, line.words]
      .filter { !$0.isEmpty }.joined(separator: ": ")
    let styled = Self.styles[line.result].map { terminal.styled(words, $0) } ?? words
    return ([id.rawValue.padded(to: width)] + cells + [styled]).joined(separator: "  ")
  }

  /// Set before the first line: a column of dates is wider than one of numbers.
  private static func width(of title: String) -> Int {
    ["first", "last", "newest"].contains(title) ? 10 : max(title.count, 7)
  }

  private static let words: [PersonResult: String] = [.noData: "no days"]

  private static let styles: [PersonResult: Terminal.Style] = [
    .findings: .doubtful, .noData: .faint, .failed: .bad,
  ]
}
