import CommandLineKit
import HealthCollector
import HealthLedger
import HealthModel
import HealthSources
import HealthStreams
import StreamDays

/// A run of `collect` that makes days of the store's own samples, with progress on stderr.
struct StreamRun {
  /// How many revisions of one day it may store while batches keep arriving. Each batch has a marker, so
  /// the next run, or a busy hub itself, counts the rest.
  private static let passes = 3

  let opened: OpenedStore
  let settings: Settings
  let collector: Collector
  var metrics = Set(DailyMetric.allCases)
  var isDryRun = false

  /// Recomputes today, the days before it, and the dates that markers name. Today is the date in the
  /// store's zones: on this machine, that date may not have begun yet.
  func report(catchUpDays: Int) async throws(LedgerError) -> CollectReport {
    settings.sayMissingZone()
    let zones = settings.zone.zones
    let streams = try opened.streams
    if opened.backend == .icloudDrive, !isDryRun {
      try await NamedDeriver.claim(streams, by: collector)
    }
    let deriver = DayDeriver(
      ledger: opened.ledger, streams: streams, zones: zones,
      areZonesSet: settings.zone.isGiven, metrics: metrics, cache: DayCache(limit: 64_000_000),
      isDryRun: isDryRun, maximumPasses: Self.passes)
    let decision = isDryRun ? .keep : try await deriver.decideZones(mayChange: false)
    let kept = try await deriver.readZones()
    let today = try worded { () throws(ReportingDay.Failure) in
      try kept.date(at: settings.now)
    }
    let run = CollectorRun(today: today, catchUpDays: catchUpDays)
    let sweep = MarkerSweep(
      deriver, today: today, now: LedgerEnvironment.system.now, isDryRun: isDryRun)
    var outcomes = DayOutcomes()
    if !isDryRun { outcomes.run = sweep.runID }
    var notes = [decision.words(of: settings.store.personID?.rawValue)].compactMap(\.self)
    var leftOut = LeftOutEntries()
    var misfit: OffsetMisfit?
    var progress = ProgressLine("deriving day", total: nil)
    defer { progress.clear() }
    let swept = try await opened.run { _ async throws(LedgerError) in
      try await sweep.run(Set(run.dates)) { date, result in
        if var row = DayOutcomes.Row(date, result) {
          row.run = (try? result.get())?.run
          outcomes.add(row)
        }
        if case .success(let day) = result {
          leftOut.add(day.leftOut)
          if !day.needsZone { misfit = misfit ?? day.misfit }
          notes += day.notes.map { "\(date): \($0)" }
          if case .unsettled(let wrote) = day.outcome, !wrote.isEmpty {
            notes.append(
              "\(date): more samples arrived meanwhile; the next run or the hub counts them")
          }
        }
        progress.advance()
      }
    }
    notes += leftOut.words
    guard !outcomes.rows.isEmpty else {
      let undated = await deriver.undated(receivedOn: (run.dates.first ?? today)...today)
      notes += undated
      StandardStreams.remark(notes: notes)
      let isEmpty = leftOut == LeftOutEntries() && undated.isEmpty
      let holds = isEmpty ? "hold no samples" : "hold no samples that count"
      throw LedgerError(
        .dataNotFound,
        "the streams \(holds) from \(run.dates.first ?? run.today) to \(run.today)",
        remedy:
          "upload some with `s3health raw sync`; --catch-up N looks at the N days before today")
    }
    if let misfit { notes.append(IntakeNote.rowsWrittenElsewhere(misfit).words) }
    if !swept.unreadable.isEmpty {
      notes.append("left alone, because it is not a marker of a batch: \(swept.unreadable[0])")
    }
    return CollectReport(
      opened, notes: notes, outcomes, isDryRun: isDryRun, run: run,
      source: SourceSetting.streams, at: settings.now)
  }
}

extension DayDeriver.Result {
  /// Why a day was not made that waits for a zone.
  func zoneError(on date: CalendarDate) -> LedgerError? {
    guard needsZone, let misfit else { return nil }
    return LedgerError(
      .invalidArguments,
      "\(date) is not made: no time zone is set, and \(misfit.unset())",
      rule: "R55", remedy: .input(.giveZone))
  }
}

extension DayOutcomes.Row {
  /// A day that was derived; nil if there was nothing to derive.
  fileprivate init?(_ date: CalendarDate, _ result: Result<DayDeriver.Result, LedgerError>) {
    switch result {
    case .failure(let error): self.init(date: date, outcome: .failed, error: error)
    case .success(let day):
      if let error = day.zoneError(on: date) {
        self.init(date: date, outcome: .failed, error: error)
        return
      }
      if let (_, preview) = day.preview {
        switch preview {
        case .wouldPublish(let replaced, _):
          self.init(date: date, outcome: .init(preview), replaced: replaced)
        case .wouldBeUnchanged(let id, _):
          self.init(date: date, outcome: .init(preview), id: id, latest: id)
        }
        return
      }
      switch (day.outcome, day.published) {
      case (.nothing, _), (nil, _): return nil
      case (.settled(let id, _), nil):
        self.init(date: date, outcome: .unchanged, id: id, latest: id)
      case (.settled(let id, _), let published?):
        self.init(date: date, published, replaced: day.replaced)
        latest = id
      // The next run counts what has arrived since.
      case (.unsettled, let published?):
        self.init(date: date, published, replaced: day.replaced)
      case (.newerRules(let rules), _):
        self.init(
          date: date, outcome: .failed,
          error: LedgerError(
            .invalidArguments,
            "\(date) was derived by a newer version of s3health (rules \(rules))", rule: "R49",
            remedy: "update this one; it does not replace what a newer one has derived"))
      case (.unsettled, nil):
        self.init(
          date: date, outcome: .failed,
          error: LedgerError(
            .storageUnavailable, "\(date) kept changing while it was derived", rule: "R49",
            remedy: "run the command again", isRetryable: true))
      }
    }
  }
}
