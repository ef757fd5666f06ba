import ArgumentParser
import CommandLineKit
import HealthLedger
import HealthModel

/// `runs`: the runs that published days.
struct RunsCommand: PeopleStoreCommand {
  static let configuration = CommandConfiguration(
    commandName: "runs",
    abstract: "List the runs that published days: imports, puts, collections, a hub's payloads.",
    discussion: """
      A run is known by what it said, which the days keep. So every machine lists the same runs. \
      `s3health undo RUN` withdraws one. A run whose words were all said anew later is only found in \
      older revisions, so --since may have to reach back to it.

        s3health runs
        s3health runs --since all --output json
        s3health runs --since 2026-01-01 --people
      """)

  @Option(help: .init("The first date, or 90d, 2026-02, all. Default: 30d.", valueName: "date"))
  var since: SpanArgument?

  @OptionGroup var people: PeopleOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup(title: "Store") var store: StoreOptions

  static let doing = "listing"
  static let columns = ["runs", "undone"]

  func report(_ opened: OpenedStore, _ settings: Settings) async throws(LedgerError) -> RunList {
    var moment: Timestamp? = settings.now.adding(seconds: -30 * 86_400)
    if let since {
      moment = try since.ends(settings, upTo: nil).from.map(settings.start(of:))
    }
    let runs = try await opened.runs(since: moment).map { run in
      RunList.Run(
        run: run.id, at: run.moment, sources: run.sources.sorted(), days: run.days.count,
        undoneDays: run.undoneDays, from: run.days.first?.date, to: run.days.last?.date,
        words: run.words(in: settings.zone))
    }
    return RunList(store: opened.name, since: moment, runs: runs)
  }
}

/// What `runs` found: the members of its document, a person's numbers, and the text.
struct RunList: PersonReport, Encodable {
  let store: String
  let since: Timestamp?
  let runs: [Run]

  struct Run: Encodable {
    let run: RunID
    let at: Timestamp
    let sources: [DataSource]
    let days, undoneDays: Int
    let from, to: CalendarDate?
    @TextOnly var words: String
  }

  var isEmpty: Bool { runs.isEmpty }
  var personResult: PersonResult { .ok }

  var cells: [String] { [runs.count.grouped, runs.count { $0.undoneDays > 0 }.grouped] }

  func lines(_ terminal: Terminal) -> [String] {
    guard runs.isEmpty else {
      return runs.flatMap { run in
        switch run.undoneDays {
        case 0: [run.words]
        case run.days: [terminal.styled(run.words, .faint)]
        case let some:
          [run.words, "  undone on \(some.grouped) days: s3health undo \(run.run) goes on"]
        }
      }
    }
    let none = since.map { "no run has published since \($0); --since all looks at everything" }
    return [none ?? "no revision of the store names a run"]
  }
}
