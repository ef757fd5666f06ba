import ArgumentParser
import CommandLineKit
import HealthLedger
import HealthModel

/// `runs`: the runs that published days.
struct RunsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "runs",
    abstract: "List the runs that published days: imports, puts, collections, a hub's payloads.",
    discussion: """
      A run is known by what it said, which the days keep. So every machine lists the same runs. \
      `s3health undo RUN` withdraws one. A run whose words were all said anew later is only found in \
      older revisions, so --since may have to reach back to it.

        s3health runs
        s3health runs --since 2026-01-01
        s3health runs --since all --output json
      """)

  @Option(
    help: .init(
      "The first date to look at revisions of, or all.", discussion: "Default: 30 days ago.",
      valueName: "date"))
  var since: DayArgument?

  @OptionGroup var output: OutputOptions
  @OptionGroup(title: "Store") var store: StoreOptions

  func run() async throws {
    try await reportingErrors(output.output) { () async throws(LedgerError) in
      Diagnostics.start(store)
      let settings = try await Settings(store, timeZone: nil).ofPerson()
      let first = try since.map { day throws(LedgerError) in
        try day.date(today: try settings.today)
      }
      let opened = try OpenedStore(settings)
      let moment =
        if let first {
          first.map { Timestamp(secondsSince1970: $0.daysSince1970 * 86_400) }
        } else {
          settings.now.adding(seconds: -Self.usualSeconds)
        }
      let runs = try await opened.runs(since: moment)
      switch output.output {
      case .json:
        try StandardStreams.write(
          .object([
            "store": .string(opened.name), "since": moment.map { .string("\($0)") } ?? .null,
            "runs": .array(runs.map(\.document)),
          ]))
      case .text:
        guard !runs.isEmpty else {
          try StandardStreams.writeLine(
            moment.map { "no run has published since \($0); --since all looks at everything" }
              ?? "no revision of the store names a run")
          return .success
        }
        let terminal = Terminal.standardOutput()
        try StandardStreams.writeLine(
          runs.map { $0.line(terminal) }.joined(separator: "\n"))
      }
      return .success
    }
  }

  /// How far back it looks where nothing else is said.
  static let usualSeconds = 30 * 86_400
}

extension OpenedStore {
  /// The runs that began since a moment, the last one first.
  func runs(since moment: Timestamp?) async throws(LedgerError) -> [PublishedRun] {
    var progress = ProgressLine("reading revision", total: nil, unit: .entries)
    defer { progress.clear() }
    return try await run { ledger async throws(LedgerError) in
      try await ledger.runs(since: moment) { done, _ in progress.advance(to: done) }
    }
  }
}

extension PublishedRun {
  /// `30 days, 2026-01-01 to 2026-01-30`.
  var extent: String {
    guard let first = days.first?.date, let last = days.last?.date else { return "0 days" }
    return first.extent(to: last, days: days.count)
  }

  var sourceNames: String { sources.sorted().map(\.rawValue).joined(separator: ", ") }

  func line(_ terminal: Terminal) -> String {
    let state =
      switch undoneDays {
      case 0: ""
      case days.count: "  undone"
      case let some: "  undone on \(some.grouped) of these days: s3health undo \(id) goes on"
      }
    let text = "\(id)  \(moment)  \(sourceNames.padded(to: 20))  \(extent)"
    return isUndone ? terminal.styled(text + state, .faint) : text + state
  }

  /// `runs` of docs/OUTPUT.md.
  var document: JSONValue {
    .object([
      "run": .string(id.rawValue), "at": .string("\(moment)"),
      "sources": .array(sources.sorted().map { .string($0.rawValue) }),
      "days": .count(days.count), "undone_days": .count(undoneDays),
      "from": days.first.map { .string("\($0.date)") } ?? .null,
      "to": days.last.map { .string("\($0.date)") } ?? .null,
    ])
  }
}
