import ArgumentParser
import CommandLineKit
import HealthCollector
import HealthEvents
import HealthLedger
import HealthModel
import HealthSources
import Outbox

/// `collect`: one run of a collector (R49).
struct CollectCommand: OutputCommand, ConfiguredCommand {
  static let configuration = CommandConfiguration(
    commandName: "collect",
    abstract: "Publish what the store lacks, and what has changed.",
    discussion: """
      Reads the configured source: `source = PATH` in the configuration file, or S3HEALTH_SOURCE. \
      Publishes each of its days that the store lacks. Data often comes late: a watch syncs in the \
      morning, a phone corrects last night's sleep. So each run also compares today and the seven \
      days before it, and publishes what has changed. Run it as often as you like; a run that finds \
      nothing new writes nothing.

        s3health collect
        s3health collect --input ~/exports
        s3health collect --catch-up 30
        s3health collect --from-streams
        s3health collect --queue --input ~/payloads

      With `source = streams`, or --from-streams, it makes the days of the samples that collectors \
      have uploaded to the store, and of what other collectors have published. With --queue it \
      publishes nothing: it puts the payloads in a folder that are new since the last run into the \
      outbox.
      """)

  @Option(
    name: .shortAndLong,
    help: .init(
      "What to read instead of the configured source.",
      discussion: "A payload of Health Auto Export, a folder of them, or an Apple Health export.",
      valueName: "path"), completion: .file())
  var input: String?

  @Flag(
    help: .init(
      "Make days from the samples in the store's streams.",
      discussion: "The same as `source = streams` in the configuration file."))
  var fromStreams = false

  @Flag(
    help: .init(
      "Put new payloads into the outbox instead of publishing days.",
      discussion: "s3health raw sync uploads them."))
  var queue = false

  @Option(
    help: .init(
      "How many days before today to compare with the store, which has them already.",
      discussion: "Default: `catch_up_days` in the configuration file, or 7. 0 is today alone.",
      valueName: "days"))
  var catchUp: Int?

  @OptionGroup var zone: ZoneOption

  @Flag(help: "Show what would be published, and write nothing.")
  var dryRun = false

  @OptionGroup var outbox: OutboxOptions
  @OptionGroup var publishing: PublishOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup(title: "Store") var collector: CollectorOptions
  @OptionGroup(title: "Store") var store: StoreOptions

  func validate() throws {
    if fromStreams, input != nil {
      throw ValidationError("--input and --from-streams can't be used together")
    }
    if fromStreams, publishing.force || publishing.allowFuture {
      throw ValidationError("--force and --allow-future can't be used with --from-streams")
    }
    if queue, fromStreams || dryRun || catchUp != nil {
      throw ValidationError(
        "--queue can't be used together with --from-streams, --dry-run or --catch-up")
    }
    if let catchUp, !Setting.catchUpRange.contains(catchUp) {
      throw ValidationError("--catch-up must be 0 to \(Setting.catchUpRange.upperBound)")
    }
  }

  func perform() async throws(LedgerError) -> ExitCode {
    try await once(try Settings(store, timeZone: zone.timezone))
  }

  /// One run, which `raw sync` does too.
  func once(_ settings: Settings) async throws(LedgerError) -> ExitCode {
    if queue {
      let device = try collector.collector(settings).deviceID.uuidString.lowercased()
      let outbox = try queued(
        try Outbox(try outbox.file(settings.store, deviceID: device)))
      return try await QueueRun(outbox: outbox, source: try source(settings).path)
        .run(output.output)
    }
    let settings = try await settings.ofPerson(.newDays)
    let days = catchUp ?? settings.store.catchUpDays ?? CollectorRun.defaultCatchUpDays
    let recorder = EventRecorder(settings.store)
    let report: CollectReport
    do throws(LedgerError) {
      report =
        try takesStreams(settings)
        ? await derived(catchUpDays: days, settings)
        : await published(
          try source(settings),
          CollectorRun(today: try settings.today, catchUpDays: days), settings)
    } catch {
      if !dryRun {
        let path = takesStreams(settings) ? SourceSetting.streams : try? source(settings).path
        await recorder.collectFailed(
          error, isOffline: error.isRetryable, at: settings.now,
          path.map { ["source": .string($0)] } ?? [:])
      }
      throw error
    }
    if !dryRun { await recorder.took(report, at: settings.now) }
    try report.print(output.output)
    return report.exitCode
  }

  private func takesStreams(_ settings: Settings) -> Bool {
    fromStreams || input == nil && settings.store.source?.isStreams == true
  }

  /// Publishes the days that a source holds.
  private func published(
    _ source: (path: String, origin: String), _ run: CollectorRun, _ settings: Settings
  ) async throws(LedgerError) -> CollectReport {
    var selected = try read(source, settings)
    if !publishing.allowFuture { try selected.leaveOutFuture(at: settings.now) }
    if !publishing.allowPast { try selected.leaveOutPast() }
    let opened = try OpenedStore(settings, for: .writing)
    try await opened.checkWhoseDays(settings)
    let collector = try collector.collector(settings)
    let interruption = InterruptionNotice()
    if !dryRun { interruption.listen() }
    let publisher = PublishRun(opened: opened, isDryRun: dryRun, interruption: interruption)
    let keptZone = try await settings.keepZone(selected.namedZones, in: opened, isDryRun: dryRun)
    var notes = [keptZone].compactMap(\.self) + selected.notes.map(\.words)
    notes += selected.leftOut.filter { $0.reason != .notAskedFor }
      .map { "left out: \($0.sentence)" }
    let earlier = selected.days.map(\.date).filter { date in
      run.dates.first.map { date < $0 } ?? false
    }
    if let first = earlier.first, let last = earlier.last {
      let held = Set(try await publisher.heldDates(within: first...last))
      notes += run.words(of: earlier.filter(held.contains))
      selected.leaveOut(held.intersection(earlier))
    }
    let drafts = try selected.drafts(collector: collector, settings, publishing)
    let outcomes = try await publisher.outcomes(
      of: drafts, from: run.dates.first, to: run.today, leftOut: selected.leftOut,
      zones: settings.zone.zones)
    return CollectReport(
      opened, notes: notes, outcomes, isDryRun: dryRun, run: run, source: source.path,
      broken: selected.broken, at: settings.now)
  }

  /// Makes the days of the store's own samples.
  private func derived(
    catchUpDays: Int, _ settings: Settings
  ) async throws(LedgerError) -> CollectReport {
    let opened = try OpenedStore(settings, for: .writing)
    let run = StreamRun(
      opened: opened, settings: settings, collector: try collector.collector(settings),
      metrics: publishing.metrics.withRequired, isDryRun: dryRun)
    return try await run.report(catchUpDays: catchUpDays)
  }

  /// What to read, with the option or setting that names it.
  private func source(_ settings: Settings) throws(LedgerError) -> (path: String, origin: String) {
    if let input { return (input, "--input") }
    guard let source = settings.store.source else {
      throw settings.store.noSource("there is nothing to collect", "add --input PATH")
    }
    return (source.path, source.origin)
  }

  private func read(
    _ source: (path: String, origin: String), _ settings: Settings
  ) throws(LedgerError) -> SelectedDays {
    try reading(settings, publishing.metrics) { request throws(LedgerError) in
      var request = request
      request.passesOverBroken = true
      return try Input(configured: source.path, by: source.origin).days(.whole, request)
    }
  }
}

extension CollectorRun {
  /// That days before those of the run are in the store and were not compared; none for no days.
  fileprivate func words(of days: [CalendarDate]) -> [String] {
    guard let first = days.first, let last = days.last else { return [] }
    let further = first.days(until: today)
    let remedy =
      Setting.catchUpRange.contains(further)
      ? "--catch-up \(further) compares" : "s3health import compares"
    let (are, them) = days.count == 1 ? ("is", "it") : ("are", "them")
    return [
      "\(first.extent(to: last, days: days.count)) \(are) in the store and not compared again; "
        + "\(remedy) \(them)"
    ]
  }
}

/// What a run of `collect` did.
struct CollectReport: CommandResult {
  private let days: PutReport
  private let outcomes: DayOutcomes
  private let run: CollectorRun
  /// What was read: a path, or `streams`.
  let source: String
  /// Why files of the source could not be read.
  private let errors: [LedgerError]
  /// How many files could not be read and may still be arriving: the next runs read them.
  let arriving: Int

  /// - Parameters:
  ///   - source: the path that was read, or `streams`.
  ///   - broken: files of it that could not be read.
  init(
    _ opened: OpenedStore, notes: [String], _ outcomes: DayOutcomes, isDryRun: Bool,
    run: CollectorRun, source: String, broken: [BrokenFile] = [], at now: Timestamp
  ) {
    let arriving: [String]
    (errors, arriving) = broken.split(at: now)
    days = PutReport(opened, notes: arriving + notes, outcomes, isDryRun: isDryRun)
    self.arriving = arriving.count
    (self.outcomes, self.run, self.source) = (outcomes, run, source)
  }

  /// Success only if every day succeeded, and every file could be read.
  var exitCode: ExitCode {
    outcomes.exitCode == .success
      ? errors.first?.code.exitCode ?? .success : outcomes.exitCode
  }

  /// The days that the run looked at, those of which a revision was stored, and the first failure.
  var dayCount: Int { outcomes.rows.count }
  var storedCount: Int { outcomes.storedCount }
  var firstError: LedgerError? { outcomes.firstError ?? errors.first }

  func remark(_ format: OutputFormat) {
    for error in errors { StandardStreams.say(error) }
    days.remark(format)
  }

  func lines(_ terminal: Terminal) -> [String] {
    guard !Diagnostics.isQuiet || exitCode != .success else { return [] }
    let isUnchanged = outcomes.exitCode == .success && outcomes.storedCount == 0
    return days.lines(terminal)
      + (isUnchanged ? ["nothing has changed: no revision was written"] : [])
  }

  var document: any Encodable {
    var members = days.members
    members["errors"] = errors.map(\.document)
    members["source"] = source
    members["today"] = run.today
    members["catch_up_days"] = run.catchUpDays
    return members
  }
}

extension [BrokenFile] {
  /// Why files can't be read, and remarks on those that may still be arriving.
  func split(at now: Timestamp) -> (errors: [LedgerError], arriving: [String]) {
    (
      filter { !$0.mayBeArriving(at: now) }.map(\.error),
      filter { $0.mayBeArriving(at: now) }.map {
        "\($0.error.message): it was written less than an hour ago and may still be arriving; a later run "
          + "fails if it stays as it is"
      }
    )
  }
}

extension EventRecorder {
  /// Logs what a collector's run did, and notifies the person of what is news.
  func took(_ report: CollectReport, at now: Timestamp) async {
    let details: [String: JSONValue] = [
      "source": .string(report.source), "days": .number(Double(report.dayCount)),
      "stored": .number(Double(report.storedCount)),
    ]
    if let error = report.firstError {
      await collectFailed(error, isOffline: false, at: now, details)
    } else {
      record(
        LogEvent(
          .collectSucceeded, at: now,
          report.arriving == 0
            ? "the days match the source"
            : "the days match what of the source could be read; files that may still be arriving: "
              + "\(report.arriving)", details: details))
      await notify([.succeeded(.collect)], at: now)
    }
  }

  /// Logs that a run has failed, with what to do about it, which `status` says again.
  func collectFailed(
    _ error: LedgerError, isOffline: Bool, at now: Timestamp, _ details: [String: JSONValue]
  ) async {
    var details = details
    details["remedy"] = error.remedy.map { .string($0.words) }
    record(LogEvent(.collectFailed, at: now, error.message, details: details))
    await notify([.failed(.collect, reason: error.message, isOffline: isOffline)], at: now)
  }
}
