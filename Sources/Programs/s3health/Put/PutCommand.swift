import ArgumentParser
import CommandLineKit
import Foundation
import HealthLedger
import HealthModel
import HealthSources

/// `put`: publishes the days of an input file.
struct PutCommand: ResultCommand, ConfiguredCommand {
  static let configuration = CommandConfiguration(
    commandName: "put",
    abstract: "Publish a day's data as a new immutable revision.",
    discussion: """
      The input is a metrics JSON (docs/METRICS-JSON.md), one or more Health Auto Export payloads, \
      or an Apple Health export; put recognises it by its content. Without an \
      input it reads the configured source: `source = PATH` in the configuration file, or \
      S3HEALTH_SOURCE. --date is not needed if the input holds one day. Publishing \
      the same data again writes nothing.

        s3health put --date today
        s3health put day.json
        s3health put --date today --input metrics.json
        s3health put --date all --input monday.json --input tuesday.json
        s3health put --date today --input export.zip
        cat metrics.json | s3health put --date yesterday --input -
        s3health put --withdraw apple_health_export --date all --dry-run
      """)

  @Argument(
    help: .init("File or folder to read, the same as --input.", valueName: "file"),
    completion: .file())
  var files: [String] = []

  @OptionGroup var dates: DateOptions

  @Option(
    name: .shortAndLong,
    help: .init(
      "File or folder to read; - is stdin.",
      discussion: "With files and folders of Health Auto Export the option can be repeated.",
      valueName: "file"), completion: .file())
  var input: [String] = []

  @Option(
    help: .init(
      "Take back all that a source has said of these days, instead of reading an input.",
      discussion: "What other sources say shows again. Nothing is deleted.", valueName: "source"),
    transform: DataSource.withdrawn)
  var withdraw: DataSource?

  @OptionGroup var zones: ZonesOption

  @Flag(help: "Show what would be published, and write nothing.")
  var dryRun = false

  @OptionGroup var parallel: ConcurrencyOption

  @OptionGroup var publishing: PublishOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup(title: "Store") var collector: CollectorOptions
  @OptionGroup(title: "Store") var store: StoreOptions

  func validate() throws {
    // Who writes a day here means its date, unless there is a file of that name.
    for file in files where SpanArgument(argument: file).isReadable {
      guard access(file, F_OK) == 0 else {
        throw ValidationError("\(file) is a date, not a file; use --date \(file)")
      }
    }
    if inputs.count(where: { $0 == "-" }) > 1 {
      throw ValidationError("--input - can be given only once")
    }
    if withdraw != nil, !inputs.isEmpty || !dates.isGiven {
      throw ValidationError("--withdraw takes --date, and no input")
    }
    if withdraw != nil,
      publishing.force || publishing.replace || publishing.source != nil
        || publishing.metrics.metrics.count < DailyMetric.allCases.count
    {
      throw ValidationError(
        "--withdraw takes back all that a source has said; --metrics, --source, --force and --replace "
          + "can't be used with it")
    }
  }

  /// What is read, however it was named.
  private var inputs: [String] { input + files }

  func result() async throws(LedgerError) -> any CommandResult {
    let settings = try await Settings(store, timeZone: zones.text).ofPerson(.newDays)
    let selection = DaySelection(try dates.ends(settings))
    if let withdraw { return try await self.withdraw(withdraw, selection, settings) }
    var source = try read(selection, settings)
    if !publishing.allowFuture { try source.leaveOutFuture(at: settings.now) }
    if !publishing.allowPast { try source.leaveOutPast() }
    let opened = try OpenedStore(settings, for: .writing)
    try await opened.checkWhoseDays(settings)
    let drafts = try source.drafts(
      collector: try collector.collector(settings), settings, publishing)
    let keptZone = try await settings.keepZone(source.namedZones, in: opened, isDryRun: dryRun)
    let interruption = InterruptionNotice()
    if drafts.count > 1, !dryRun { interruption.listen() }
    let run = PublishRun(
      opened: opened, concurrency: parallel.concurrency, isDryRun: dryRun,
      interruption: interruption)
    return PutReport(
      opened, notes: [keptZone].compactMap(\.self) + source.notes.map(\.words),
      try await run.outcomes(of: drafts, within: selection.wanted, zones: settings.zone.zones),
      isDryRun: dryRun)
  }

  /// Publishes that a source has no data, on each day that the store holds.
  private func withdraw(
    _ source: DataSource, _ selection: DaySelection, _ settings: Settings
  ) async throws(LedgerError) -> PutReport {
    let opened = try OpenedStore(settings, for: .writing)
    let collector = try collector.collector(settings)
    let run = PublishRun(
      opened: opened, concurrency: parallel.concurrency, isDryRun: dryRun,
      interruption: InterruptionNotice())
    let drafts = try await run.heldDates(within: selection.wanted)
      .compactMap { try? settings.zone.zones.day($0) }
      .map { DayDraft(withdrawing: source, from: $0, collector, at: settings.now) }
    let outcomes = try await run.outcomes(
      of: drafts, within: selection.wanted, zones: settings.zone.zones)
    guard outcomes.storedCount == 0, outcomes.firstError == nil else {
      return PutReport(opened, notes: [], outcomes, isDryRun: dryRun)
    }
    try await refuseUnknown(source, of: drafts.map(\.day.date), in: opened)
    return PutReport(
      opened, notes: ["the source '\(source.rawValue)' is withdrawn from these days already"],
      outcomes, isDryRun: dryRun)
  }

  /// Refuses a source that has never said anything of some days: its name is misspelt, or the days are others.
  private func refuseUnknown(
    _ source: DataSource, of dates: [CalendarDate], in opened: OpenedStore
  ) async throws(LedgerError) {
    var names: Set<DataSource> = []
    try await opened.run { ledger async throws(LedgerError) in
      try await ledger.resolve(dates) { day in
        guard let words = day.latest?.revision.words else { return }
        names.formUnion(words.all.map(\.source) + words.withdrawn.map(\.source))
      }
    }
    guard !names.contains(source) else { return }
    let held = names.map(\.rawValue).sorted()
    let meant = Suggestion.nearest(to: source.rawValue, among: held)
    throw LedgerError(
      .dataNotFound,
      "no day of these has anything of the source '\(source.rawValue)'"
        + (meant.map { ": did you mean '\($0)'?" } ?? ""),
      remedy: held.isEmpty
        ? "list the days: s3health ls"
        : .text("name one of their sources: \(held.joined(separator: ", "))"))
  }

  /// The requested days of the input.
  private func read(
    _ selection: DaySelection, _ settings: Settings
  ) throws(LedgerError) -> SelectedDays {
    if inputs.isEmpty {
      guard let source = settings.store.source else {
        throw settings.store.noSource(
          "there is nothing to publish without --input", "add --input FILE")
      }
      guard !source.isStreams else {
        throw LedgerError(
          .invalidArguments,
          "the configured source is `streams`: its days are made of the store's "
            + "samples, and put has no input",
          remedy: "run s3health collect, or add --input FILE; \(source.origin) names the source")
      }
      return try reading(settings, publishing.metrics) { request throws(LedgerError) in
        try Input(configured: source.path, by: source.origin).days(selection, request)
      }
    }
    return try reading(settings, publishing.metrics) { request throws(LedgerError) in
      try Input(inputs).days(selection, request)
    }
  }
}

extension DaySelection {
  /// The days that the command line selects.
  init(_ ends: (from: CalendarDate?, to: CalendarDate?)?) {
    guard let ends else {
      self = .onlyDay
      return
    }
    guard ends.from != nil || ends.to != nil,
      let first = ends.from ?? CalendarDate(year: 1, month: 1, day: 1),
      let last = ends.to ?? CalendarDate(year: 9999, month: 12, day: 31)
    else {
      self = .all
      return
    }
    self = .dates(first...last)
  }
}

extension SelectedDays {
  /// The days as drafts. Those without their own zone use the zones of the settings.
  func drafts(
    collector: Collector, _ settings: Settings, _ options: PublishOptions
  ) throws(LedgerError) -> [DayDraft] {
    var terms = Terms()
    (terms.source, terms.areZonesSet) = (options.source, settings.zone.isGiven)
    (terms.isForced, terms.replaces) = (options.force, options.replace)
    terms.metrics = options.metrics.withRequired
    return try drafts(collector: collector, in: settings.zone.zones, at: settings.now, terms)
  }
}
