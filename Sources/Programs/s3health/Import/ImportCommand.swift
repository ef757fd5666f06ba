import ArgumentParser
import CommandLineKit
import Foundation
import HealthLedger
import HealthModel
import HealthSources

/// `import`: publishes every day of Apple Health's export, or of a folder of payloads (R19).
struct ImportCommand: ResultCommand, ConfiguredCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Publish all days of an export or a folder of payloads.",
    discussion: """
      The source is the Health app's export.zip, an unpacked export.xml or its folder, a Health \
      Auto Export file or a folder of them, or - for stdin; import recognises it by its content. \
      Days that are already published with the same data stay unchanged. After an interruption, \
      run the same command again.

        s3health import export.zip
        s3health import export.zip --date 2024 --dry-run
        s3health import export.zip --explain 2024-03-31
      """)

  @Argument(
    help: .init("File or folder to read; - is stdin.", valueName: "source"), completion: .file())
  var source: String

  @OptionGroup var dates: DateOptions

  @OptionGroup var zones: ZonesOption
  private var timezone: [String] { zones.timezone }

  @Option(
    help: .init(
      "Source to prefer where several recorded the same time. Repeat it for the next best.",
      discussion: "The name as Health shows it. Default order: by hand, watch, phone, other apps.",
      valueName: "name"))
  var sourcePriority: [String] = []

  @Flag(help: "Print the days as a table, and write nothing.")
  var dryRun = false

  @Option(
    help: .init(
      "Show where each number of this day comes from, and write nothing.", valueName: "date"))
  var explain: DayArgument?

  @Flag(
    help: .init(
      "Publish the store's days before an export's first sample, or after its last, without data.",
      discussion: """
        They were deleted in Health. Without it they stay as they are: the export of a new phone \
        has none of them.
        """))
  var confirmDeletions = false

  @OptionGroup var parallel: ConcurrencyOption

  @OptionGroup var publishing: PublishOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup(title: "Store") var collector: CollectorOptions
  @OptionGroup(title: "Store") var store: StoreOptions

  func validate() throws {
    if explain == .all { throw ValidationError("--explain takes a date") }
    if explain != nil, dates.isGiven || dryRun {
      throw ValidationError("--explain can't be used with --date or --dry-run")
    }
  }

  func result() async throws(LedgerError) -> any CommandResult {
    let settings = try await Settings(store, timeZone: zones.text).ofPerson(.newDays)
    let range = try dates.ends(settings) ?? (nil, nil)
    if let explain { return try self.explain(try settings.date(explain), settings) }
    // Before the source is read, which may take a while.
    let opened = try OpenedStore(settings, for: .writing)
    try await opened.checkWhoseDays(settings)
    let collector = try collector.collector(settings)
    let interruption = InterruptionNotice()
    interruption.listen()
    let imported = try read(from: range.from, to: range.to, settings)
    let now = publishing.allowFuture ? nil : settings.now
    var span = try imported.span(
      from: range.from, to: range.to, before: now, canAllowFuture: true,
      allowsPast: publishing.allowPast)
    let beyond = try await beyond(imported, span, in: opened, from: range.from, to: range.to)
    if confirmDeletions, let metrics = imported.export?.speaksOf {
      span.addEmpty(beyond.found?.dates ?? [], in: imported.zone.zones, speaksOf: metrics)
    }
    let selected = SelectedDays(imported, span)
    let drafts = try selected.drafts(
      collector: collector, settings, publishing)
    let zoneAdvice = try await self.zoneAdvice(imported, from: range.from, to: range.to)
    let keptZone = try await settings.keepZone(
      imported.zone.evidence, in: opened, isDryRun: dryRun)
    let run = PublishRun(
      opened: opened, concurrency: parallel.concurrency, isDryRun: dryRun,
      interruption: interruption)
    let outcomes = try await run.outcomes(
      of: drafts, from: range.from, to: range.to, leftOut: span.leftOut,
      zones: imported.zone.zones)
    let newer = try await newer(imported, outcomes, drafts.first?.source, in: opened)
    let published = confirmDeletions ? [] : Set(outcomes.rows.map(\.date))
    return ImportReport(
      source: imported, span: span, opened: opened, isDryRun: dryRun,
      units: settings.units, outcomes: outcomes, zoneAdvice: zoneAdvice,
      keptZone: keptZone,
      storeNotes: [
        newer,
        beyond.failure ?? beyond.found?.without(published)?.words(areTaken: confirmDeletions),
      ].compactMap(\.self))
  }

  /// That days changed by an export that is not the newest of its source; nil if there is nothing to say.
  private func newer(
    _ imported: ImportedSource, _ outcomes: DayOutcomes, _ source: DataSource?,
    in opened: OpenedStore
  ) async throws(LedgerError) -> String? {
    // Whoever insists on an export knows that there may be others.
    guard let source, let made = imported.exportedAt, outcomes.changedDays > 0, !publishing.force,
      !publishing.replace
    else { return nil }
    do throws(LedgerError) {
      return try await NewerExport.find(source, since: made, in: opened, imported.zone.zones)?
        .words(changing: outcomes.changedDays)
    } catch {
      // What was published is published.
      return "whether a newer export was imported before could not be looked at: \(error.message)"
    }
  }

  /// Days that the store has and an export lacks at its ends, and what is said of them. Where they
  /// can't be looked for, the others are published all the same, unless it is these that are wanted.
  private func beyond(
    _ imported: ImportedSource, _ span: ImportSpan, in opened: OpenedStore, from: CalendarDate?,
    to: CalendarDate?
  ) async throws(LedgerError) -> (found: DaysBeyond?, failure: String?) {
    do throws(LedgerError) {
      return (try await DaysBeyond.find(imported, span, in: opened, from: from, to: to), nil)
    } catch {
      guard !confirmDeletions else { throw error }
      let what = "days of the store beyond those of the export"
      return (nil, "\(what) could not be looked for: \(error.message)")
    }
  }

  /// What to do so that later imports use the zones of `--timezone`; nil where none were given.
  private func zoneAdvice(
    _ imported: ImportedSource, from: CalendarDate?, to: CalendarDate?
  ) async throws(LedgerError) -> ImportReport.ZoneAdvice? {
    guard !timezone.isEmpty else { return nil }
    let other = try await Settings(store, timeZone: nil).completed().zone
    let hint = ZoneHint(imported, without: other, from: from, to: to)
    return ImportReport.ZoneAdvice(words: hint.words(without: other))
  }

  private func read(
    from: CalendarDate?, to: CalendarDate?, explaining date: CalendarDate? = nil,
    _ settings: Settings
  ) throws(LedgerError) -> ImportedSource {
    do throws(LedgerError) {
      return try reading(settings, publishing.metrics) { request throws(LedgerError) in
        var request = request
        (request.from, request.to, request.explained) = (from, to, date)
        request.priority = sourcePriority
        return try Input(source).read(request)
      }
    } catch {
      throw namingPut(error)
    }
  }

  /// The error with the command that takes what `import` does not. "Only this input" would be no help to
  /// somebody who gave only one.
  private func namingPut(_ error: LedgerError) -> LedgerError {
    guard error.remedy == .input(.publishAlone) else { return error }
    var named = error
    named.remedy = .text(
      "publish it with s3health put --input \(InputFile.isFolder(source) ? "FILE" : source)")
    return named
  }

  /// Where the numbers of one day come from.
  private func explain(
    _ date: CalendarDate, _ settings: Settings
  ) throws(LedgerError) -> ExplanationReport {
    let imported = try read(from: date, to: date, explaining: date, settings)
    guard let export = imported.export else {
      throw LedgerError(
        .invalidArguments, "\(imported.name) is not an Apple Health export",
        remedy: "--explain shows samples, which Health Auto Export has already merged")
    }
    guard let explanation = export.explanation else {
      throw LedgerError(
        .dataNotFound, "\(imported.name) has nothing on \(date)",
        remedy: "list its days: s3health import \(source) --dry-run")
    }
    return ExplanationReport(explanation: explanation)
  }
}
