import ArgumentParser
import CommandLineKit
import HealthLedger
import HealthModel
import HealthSources
import StreamDays

/// `undo`: withdraws what one run said (R20).
struct UndoCommand: OutputCommand, ConfiguredCommand {
  static let configuration = CommandConfiguration(
    commandName: "undo",
    abstract: "Withdraw what one run published, such as an import of another person's export.",
    discussion: """
      Each day becomes what it would be if the run had not been: what was said before it shows again, \
      and a day that had nothing else becomes one without data. These are revisions like any other: \
      nothing is deleted. It shows what would change, and asks first. After an interruption, run the \
      same command again.

      What later runs said stays. But a later run that only said the same again stored nothing: \
      publish its input again. Reading the undone input again changes nothing either, unless with \
      --force; --restore brings it back. Raw data that was uploaded in the run counts on no day, \
      whatever else comes.

        s3health undo
        s3health undo 1hk2p7wx4qe --dry-run
        s3health undo 1hk2p7wx4qe --yes
        s3health undo 1hk2p7wx4qe --restore
      """)

  @Argument(
    help: .init(
      "The run, as it was printed and as s3health runs lists it. Default: the last one.",
      valueName: "run"))
  var name: String?

  @Flag(help: "Undo the undo: what the run said counts again.")
  var restore = false

  @Flag(name: .shortAndLong, help: "Go on without asking.")
  var yes = false

  @Flag(help: "Show what each day would become, and write nothing.")
  var dryRun = false

  @OptionGroup var output: OutputOptions
  @OptionGroup var collector: CollectorOptions
  @OptionGroup(title: "Store") var store: StoreOptions

  func validate() throws {
    if let name, RunID(rawValue: name) == nil {
      throw ValidationError(
        "'\(name.prefix(60))' is not the name of a run; s3health runs lists them")
    }
  }

  func perform() async throws(LedgerError) -> ExitCode {
    let settings = try await Settings(store, timeZone: nil).ofPerson()
    let opened = try OpenedStore(settings, for: .writing)
    let run = try await wanted(opened, settings)
    let (collector, now) = (try collector.collector(settings), settings.now)
    let drafts = run.days.map {
      DayDraft(DayDraft.RunChange(run.id, isUndone: !restore), of: $0.day, collector, at: now)
    }
    let changes = try await changes(drafts, in: opened)
    if dryRun || !yes { try preview(changes, of: run, in: opened, settings.zone) }
    if dryRun { return .success }
    let isAgreed = changes.isEmpty ? true : try isAgreed(changes.count, run)
    guard isAgreed else {
      StandardStreams.remark("s3health: nothing was changed")
      return foundSomething
    }
    try await leaveOut(run, opened, settings)
    let interruption = InterruptionNotice()
    interruption.listen()
    let outcomes = try await PublishRun(opened: opened, interruption: interruption).outcomes(
      of: drafts, within: nil, zones: settings.zone.zones)
    return try report(outcomes, of: run, in: opened)
  }

  /// The run that is named; else the last one, or with --restore the last one that does not count.
  private func wanted(
    _ opened: OpenedStore, _ settings: Settings
  ) async throws(LedgerError) -> PublishedRun {
    if let id = name.flatMap(RunID.init(rawValue:)) {
      let found = try await opened.counting("reading revision", .entries) {
        ledger, advance async throws(LedgerError) in
        try await ledger.run(id) { done, _ in advance(done) }
      }
      if let found { return found }
      _ = try await opened.held(settings)
      throw LedgerError(
        .dataNotFound, "the store has nothing of a run \(id)", key: opened.name,
        remedy: "s3health runs --since all lists its runs")
    }
    let runs = try await opened.runs(since: settings.now.adding(seconds: -30 * 86_400))
    // A second undo must not reach for the run before, which nobody has named.
    guard let run = restore ? runs.first(where: { $0.undoneDays > 0 }) : runs.first else {
      _ = try await opened.held(settings)
      throw LedgerError(
        .dataNotFound, "no run of the last 30 days \(restore ? "is undone" : "has published days")",
        key: opened.name, remedy: "s3health runs --since all lists older ones; name one")
    }
    guard restore || !run.isUndone else {
      throw LedgerError(
        .dataNotFound, "the last run, \(run.id), is undone already", key: opened.name,
        remedy: "name an older one, as s3health runs lists it")
    }
    return run
  }

  /// Has the raw data of the run count on no day, or again: whatever else comes, and in whatever zone. Days that
  /// were made of it and of later data change when they are made again.
  private func leaveOut(
    _ run: PublishedRun, _ opened: OpenedStore, _ settings: Settings
  ) async throws(LedgerError) {
    guard run.sources.contains(.streams) else { return }
    let deriver = DayDeriver(
      ledger: opened.ledger, streams: try opened.streams, zones: settings.zone.zones,
      areZonesSet: settings.zone.isGiven)
    let isNews = try await opened.run { _ async throws(LedgerError) in
      try await deriver.leaveOut(run.id, isUndone: !restore, on: run.days.map(\.date))
    }
    guard isNews else { return }
    StandardStreams.remark(
      "note: the raw data of the run counts \(restore ? "again" : "no more"); the server makes its days anew "
        + "within minutes, and so does s3health collect --from-streams")
  }

  /// The days that would change, with what they would become.
  private func changes(
    _ drafts: [DayDraft], in opened: OpenedStore
  ) async throws(LedgerError) -> [(date: CalendarDate, change: DayChange)] {
    var found: [(date: CalendarDate, change: DayChange)] = []
    var progress = ProgressLine("comparing", total: drafts.count)
    defer { progress.clear() }
    try await opened.run { ledger async throws(LedgerError) in
      try await ledger.changes(drafts) { draft, change in
        if let change { found.append((draft.day.date, change)) }
        progress.advance()
      }
    }
    return found
  }

  private func isAgreed(
    _ days: Int, _ run: PublishedRun
  ) throws(LedgerError) -> Bool {
    if yes { return true }
    let what = "\(restore ? "restore" : "undo") run \(run.id) on \(days.counted("day"))"
    guard output.output == .text, Prompt.hasPerson else {
      throw LedgerError(
        .invalidArguments, "this would \(what), and without a terminal it can't ask",
        remedy: "look at it with --dry-run, and add --yes")
    }
    return try Prompt.agrees("\(what)? Nothing is deleted (yes, or no)", usual: "no")
  }

  private func preview(
    _ changes: [(date: CalendarDate, change: DayChange)], of run: PublishedRun,
    in opened: OpenedStore, _ zone: ZoneSetting
  ) throws(LedgerError) {
    if output.output == .json {
      guard dryRun else { return }
      let results = changes.map { date, change in
        let metrics = change.after.readings.numbers.map { ($0.key.rawValue, $0.value) }
        return [
          "date": date, "outcome": "would_publish",
          "metrics": Dictionary(uniqueKeysWithValues: metrics),
        ] as Document
      }
      return try write(results, of: run, in: opened)
    }
    let terminal = Terminal.standardOutput()
    var lines = [
      terminal.styled("run \(run.id)", .strong) + "  began \(run.began(in: zone))",
      "  \(run.sourceNames): \(run.extent)",
    ]
    let shown = Diagnostics.isVerbose ? changes.count : Self.daysShown
    lines += changes.prefix(shown).map { "\($0.date)  \($0.change.words)" }
    if changes.count > shown {
      lines.append("\((changes.count - shown).counted("day")) more; --verbose shows all")
    }
    if changes.isEmpty { lines.append(unchanged(run)) }
    try StandardStreams.writeLine(terminal.wrapped(lines.joined(separator: "\n")))
  }

  private func report(
    _ outcomes: DayOutcomes, of run: PublishedRun, in opened: OpenedStore
  ) throws(LedgerError) -> ExitCode {
    outcomes.sayErrors()
    switch output.output {
    case .json:
      try write(outcomes.results(opened.ledger.layout), of: run, in: opened)
    case .text:
      StandardStreams.remark(notes: outcomes.notes(opened))
      guard outcomes.storedCount > 0 else {
        if outcomes.exitCode == .success, yes { try StandardStreams.writeLine(unchanged(run)) }
        return outcomes.exitCode
      }
      let back = restore ? "s3health undo \(run.id)" : "s3health undo \(run.id) --restore"
      let done =
        "run \(run.id) \(restore ? "counts again" : "is undone") on \(outcomes.storedCount.counted("day")); "
        + "\(back) takes that back"
      try StandardStreams.writeLine(Terminal.standardOutput().wrapped(done.withGivenOptions))
    }
    return outcomes.exitCode
  }

  private func unchanged(_ run: PublishedRun) -> String {
    "run \(run.id) \(restore ? "counts" : "is undone") already: no day would change"
  }

  private func write(
    _ results: [Document], of run: PublishedRun, in opened: OpenedStore
  ) throws(LedgerError) {
    let document: Document = [
      "store": opened.name, "run": run.id, "dry_run": dryRun, "restored": restore,
      "results": results,
    ]
    try StandardStreams.write(try JSONValue(encoding: document))
  }

  private static let daysShown = 20
}

extension DayChange {
  /// `steps 12,000 -> 8,000, and 3 more metrics`.
  fileprivate var words: String {
    let metrics = DailyMetric.inOrder.filter {
      before?.reading(of: $0).number != after.reading(of: $0).number
    }
    guard let first = metrics.first else { return "the figures stay as they are" }
    func cell(_ revision: DailyRevision?) -> String {
      revision?.reading(of: first).number?.grouped ?? "-"
    }
    let change = "\(first.label) \(cell(before)) -> \(cell(after))"
    let others =
      metrics.count > 1
      ? ", and \(metrics.count - 1) more \(metrics.count == 2 ? "metric" : "metrics")" : ""
    return change + others + (after.readings.hasNumber ? "" : "  (a day without data)")
  }
}

extension OpenedStore {
  /// The runs that began since a moment, the last one first.
  func runs(since moment: Timestamp?) async throws(LedgerError) -> [PublishedRun] {
    try await counting("reading revision", .entries) { ledger, advance async throws(LedgerError) in
      try await ledger.runs(since: moment) { done, _ in advance(done) }
    }
  }
}

extension PublishedRun {
  /// `30 days, 2026-01-01 to 2026-01-30`.
  fileprivate var extent: String {
    guard let first = days.first?.date, let last = days.last?.date else { return "0 days" }
    return first.extent(to: last, days: days.count)
  }

  fileprivate var sourceNames: String {
    sources.sorted().map(\.rawValue).joined(separator: ", ")
  }

  /// When it began, by the clock of the person: `2026-02-08 10:15`.
  func began(in zone: ZoneSetting) -> String {
    guard let date = try? zone.date(at: moment), let day = try? zone.zones.day(date) else {
      return "\(moment)"
    }
    return "\(date) \(day.clock(moment))"
  }

  /// A line of the list of runs, of at most 80 columns: names that are longer are cut.
  func words(in zone: ZoneSetting) -> String {
    let name = sourceNames.count <= 19 ? sourceNames.padded(to: 19) : sourceNames.prefix(18) + "…"
    let count = isUndone ? "undone" : days.count.counted("day")
    return "\(id)  \(began(in: zone)) \(count.leftPadded(to: 10))  \(name)  \(dates)"
  }

  /// The first and the last date, as short as they can be told apart: `2026-01-10..28`.
  private var dates: String {
    guard let first = days.first?.date, let last = days.last?.date else { return "" }
    let (from, to) = ("\(first)", "\(last)")
    if from == to { return from }
    if from.prefix(8) == to.prefix(8) { return "\(from)..\(to.suffix(2))" }
    return from.prefix(5) == to.prefix(5)
      ? "\(from)..\(to.suffix(5))" : "\(from.prefix(7))..\(to.prefix(7))"
  }
}
