package import HealthCollector
package import HealthLedger
package import HealthModel
package import HealthSources
package import HealthStreams
package import ObjectStore

/// Makes days of the samples in a store's streams: carries out what `DerivationMachine` decides
/// (R49).
package struct DayDeriver: Sendable {
  package let ledger: HealthLedger
  package let streams: StreamStore
  let zones: StreamZones
  let metrics: Set<DailyMetric>
  let cache: DayCache?
  /// What was read of payloads for one day, for the others.
  let read = PayloadCache()
  /// The same for pages that show the course of a day, by the keys of batches.
  let courses = BoundedCache<String, [PayloadReading]>(limit: 32 << 20)
  private let isDryRun: Bool
  private let maximumPasses: Int
  private let follow: (@Sendable (CalendarDate) async throws(LedgerError) -> Void)?

  /// - Parameters:
  ///   - zones: the time zones of the days, used while the store has none.
  ///   - areZonesSet: whether a person has set them. If they are only the machine's, no day is made of
  ///     payloads that were written in another zone.
  ///   - metrics: those to make.
  ///   - cache: keeps what was read between recomputes; nil to read it each time.
  ///   - isDryRun: whether nothing is written.
  ///   - maximumPasses: how many revisions one recompute may store while batches keep arriving.
  ///   - follow: what is to be done with each day that is settled, before its markers go.
  package init(
    ledger: HealthLedger, streams: StreamStore,
    zones: ReportingZones, areZonesSet: Bool = true,
    metrics: Set<DailyMetric> = Set(DailyMetric.allCases), cache: DayCache? = nil,
    isDryRun: Bool = false, maximumPasses: Int = DerivationMachine.maximumPasses,
    follow: (@Sendable (CalendarDate) async throws(LedgerError) -> Void)? = nil
  ) {
    let own = StoredZones(zones, isSet: areZonesSet)
    self.init(
      ledger: ledger, streams: streams, zonesNow: { own }, metrics: metrics, cache: cache,
      isDryRun: isDryRun, maximumPasses: maximumPasses, follow: follow)
  }

  /// A deriver whose own zones can change.
  ///
  /// - Parameter zonesNow: the current time zones of the days, used while the store has none.
  package init(
    ledger: HealthLedger, streams: StreamStore, zonesNow: @escaping @Sendable () -> StoredZones,
    metrics: Set<DailyMetric> = Set(DailyMetric.allCases), cache: DayCache? = nil,
    isDryRun: Bool = false, maximumPasses: Int = DerivationMachine.maximumPasses,
    follow: (@Sendable (CalendarDate) async throws(LedgerError) -> Void)? = nil
  ) {
    (self.ledger, self.streams) = (ledger, streams)
    zones = StreamZones(streams, own: zonesNow)
    (self.metrics, self.cache, self.isDryRun) = (metrics, cache, isDryRun)
    (self.maximumPasses, self.follow) = (maximumPasses, follow)
  }

  /// Takes the samples of a batch that was just stored, so that they need not be read.
  package func keep(_ samples: StoredSamples, of key: ObjectKey) {
    cache?.keep(samples, key.rawValue)
  }

  /// Lets go of what was read of payloads, where no other day is due that they may touch.
  package func rest() { read.clear() }

  /// The deriver's own zones, used while the store has none.
  package var ownZones: StoredZones { zones.own }

  /// The zones of the store's days, as last read.
  package var knownZones: ReportingZones { zones.current.zones }

  /// Reads the zones of the store's days.
  package func readZones() async throws(LedgerError) -> ReportingZones {
    try await zones.read().zones
  }

  /// The store's zones; nil if it has none yet.
  package func storedZones() async throws(LedgerError) -> StoredZones? {
    try await zones.stored()?.zones
  }

  /// Decides what to do if the store's zones differ from the deriver's own, and does it. A marker names
  /// the days whose moments change, and the next sweep makes them again.
  ///
  /// - Parameters:
  ///   - mayChange: whether zones that a person has set may replace others that a person has set.
  ///   - isChange: whether a person has just changed the deriver's own zones.
  package func decideZones(
    mayChange: Bool, isChange: Bool = false
  ) async throws(LedgerError) -> ZoneDecision {
    let (now, own) = (await ledger.correctedNow(), zones.own)
    return try await zones.decide(over: ledger, at: now) { stored in
      ZoneDecision(
        stored: stored, own: own, now: now, mayChange: mayChange, isChange: isChange)
    }
  }

  /// Sets the zones of the store's days. A marker names the days whose moments change, and the next sweep
  /// makes them again.
  package func setZones(_ new: ReportingZones) async throws(LedgerError) {
    let own = zones.own
    _ = try await zones.decide(over: ledger, at: await ledger.correctedNow()) { stored in
      .correct(StoredZones(new, isSet: true), before: (stored ?? own).zones)
    }
  }

  /// Has what was stored in a run count on no day, or again (R43).
  ///
  /// - Parameter dates: the days of which the run has said anything.
  /// - Returns: whether that is news. Then a marker names the days, and the next sweep makes them again.
  package func leaveOut(
    _ run: RunID, isUndone: Bool, on dates: [CalendarDate]
  ) async throws(LedgerError) -> Bool {
    try await zones.decide(run, isUndone: isUndone, on: dates, at: await ledger.correctedNow())
  }

  /// Lists the first of some ascending dates together with those that soon follow it. Nil if no other
  /// follows, or if that fails; then each day is listed by itself, and reports what is wrong.
  package func survey(of dates: [CalendarDate]) async -> StreamSurvey? {
    guard let range = StreamSurvey.range(of: dates) else { return nil }
    return try? await StreamSurvey(of: range, zones.read(), streams, ledger)
  }

  /// What became of one day.
  package struct Result: Sendable {
    package let date: CalendarDate
    /// The zones by which it was made.
    package let zones: ReportingZones
    /// What the machine found; nil in a dry run that would publish.
    package var outcome: DerivationMachine.Outcome?
    /// What a dry run would do, if it would publish.
    package var preview: (draft: DayDraft, PublishPreview)?
    /// The revision that the day had before, if one was stored.
    package var replaced: RevisionID?
    /// The outcome of the last publish that stored a revision, if there was one.
    package var published: PublishOutcome?
    /// The run by which what was published can be undone.
    package var run: RunID?
    /// What was not counted; nothing if the day was not read.
    package var leftOut = LeftOutEntries()
    /// Remarks for people.
    package var notes: [String] = []
    /// Payloads that were written in another zone than that of the day.
    package var misfit: OffsetMisfit?
    /// Whether the day waits for somebody to set the zone, because of `misfit`. Until then, it is as
    /// it was.
    package var needsZone = false
    /// Why what was to follow could not be done. The day is in the ledger all the same.
    package var followFailure: LedgerError?

    /// Whether a marker that made this recompute necessary has served its purpose.
    package var isSettled: Bool {
      (outcome?.isSettled ?? false) && followFailure == nil && !needsZone
    }
  }

  /// Makes one day again.
  ///
  /// - Parameters:
  ///   - isCovered: whether a young marker of the caller's own names the day, which nobody else
  ///     removes. Otherwise a recompute that publishes creates one.
  ///   - survey: a listing of several days, made after the markers that are to be deleted were listed. If
  ///     it shows that this day is up to date, nothing more is listed.
  ///   - run: the run of words that were made of nothing whose own run is known; nil for one of this day
  ///     alone.
  /// - Throws: `LedgerError`. Then the day is as it was, or was derived in part by this call.
  package func recompute(
    _ date: CalendarDate, isCovered: Bool = false, after survey: StreamSurvey? = nil,
    run: RunID? = nil
  ) async throws(LedgerError) -> Result {
    let run = if let run { run } else { RunID(at: await ledger.correctedNow()) }
    if let survey, survey.dates.contains(date),
      let result = try await recompute(date, isCovered: true, by: survey, run)
    {
      return result
    }
    guard let result = try await recompute(date, isCovered: isCovered, by: nil, run) else {
      throw LedgerError(.internal, "making \(date) gave no outcome")
    }
    return result
  }

  /// The same. With a survey, its listings are used, and the result is nil if the day has to be listed again.
  /// The survey may be old, because other days were made since. To leave the day as it is does no harm:
  /// whatever arrived meanwhile has markers of its own. But to publish could replace newer figures.
  private func recompute(
    _ date: CalendarDate, isCovered: Bool, by survey: StreamSurvey?, _ run: RunID
  ) async throws(LedgerError) -> Result? {
    var machine = DerivationMachine(maximumPasses: maximumPasses, isCovered: isCovered || isDryRun)
    var cover: ObjectKey?
    let stored: StoredZones
    if let survey { stored = survey.zones } else { stored = try await zones.read() }
    var result = Result(date: date, zones: stored.zones)
    var listing = StreamListing()
    var action = machine.start()
    while true {
      let event: DerivationMachine.Event
      switch action {
      case .readBasis: event = .basis(try await readBasis(date))
      case .listBatches:
        listing = try await listed(date, by: survey)
        event = .batches(
          Set(listing.batches.map(\.place.id)), zones: stored.line(of: date))
      case .listRevisions:
        if let survey {
          event = .revisions(survey.revisions[date] ?? [])
        } else {
          event = .revisions(Set(try await ledger.history(date)))
        }
      case .publish where survey != nil: return nil
      // The basis may be newer than the survey.
      case .stop where survey != nil: return nil
      case .stop(let lost): throw Self.lost(lost, of: date, basis: basisKey(date))
      case .derive(let inputs):
        event = .derived(
          try await derive(date, inputs, listing.batches, stored, run, into: &result))
      case .publish(let draft):
        result.run = draft.run
        if isDryRun {
          try await ledger.preview([draft]) { draft, preview in result.preview = (draft, preview) }
          return result
        }
        try await zones.fix(stored)
        event = .published(try await publish(draft, into: &result))
      case .createCover(let day):
        do throws(StreamError) {
          cover = try await streams.createMarker(
            of: day, receivedAt: await ledger.correctedNow())
        } catch {
          throw LedgerError(error)
        }
        event = .createdCover
      case .writeBasis(let basis):
        if !isDryRun { try await write(basis, date) }
        event = .wroteBasis
      case .finish(let outcome):
        result.outcome = outcome
        if outcome.isSettled, !isDryRun, let follow {
          do throws(LedgerError) { try await follow(date) } catch { result.followFailure = error }
        }
        // One that stays costs a sweep, no more.
        if let cover, result.isSettled { try? await streams.deleteMarker(cover) }
        return result
      }
      action = machine.handle(event)
    }
  }

  private func publish(
    _ draft: DayDraft, into result: inout Result
  ) async throws(LedgerError) -> PublishOutcome {
    var published: PublishOutcome?
    try await ledger.publish([draft]) { _, day async throws(LedgerError) in
      switch day {
      case .done(let outcome, let replaced, _):
        published = outcome
        if case .unchanged = outcome { break }
        // The first of several publishes replaced what the day had before the run.
        if result.published == nil { result.replaced = replaced }
        result.published = outcome
      case .failed(let error): throw error
      case .notAttempted: break
      }
    }
    guard let published else {
      throw LedgerError(.internal, "publishing \(draft.day.date) gave no outcome")
    }
    return published
  }

  // MARK: - The figures

  /// What the samples of one day say beyond its numbers; nil where there are none. Nothing is
  /// written.
  package func detail(of day: ReportingDay) async throws(LedgerError) -> DayDetail? {
    let batches = try await listed(day.date).batches.filter { $0.place.stream == .healthKit }
    guard !batches.isEmpty else { return nil }
    let found = FiledSamples(
      of: try await samples(of: batches, by: zones.readOnce()), on: day,
      in: ReportingZones(day.timeZoneName))
    do throws(LedgerError) {
      return try StreamDay(of: found, metrics: metrics, wantsDetail: true).detail
    } catch {
      throw LedgerError(.internal, "\(day.date) can't be counted: \(error)")
    }
  }

  /// The samples of some kinds that bear on a day and the night before it, of one feed for each kind
  /// (R49). Nothing is written.
  package func samples(
    of kinds: [SampleKind], on day: ReportingDay
  ) async throws(LedgerError) -> [TypedSample] {
    try await samples(
      of: kinds, on: day,
      in: try await listed(day.date).batches.filter { $0.place.stream == .healthKit })
  }

  func samples(
    of kinds: [SampleKind], on day: ReportingDay, in batches: [ListedBatch]
  ) async throws(LedgerError) -> [TypedSample] {
    guard !batches.isEmpty else { return [] }
    let found = FiledSamples(
      of: try await samples(of: batches, by: zones.readOnce()), on: day,
      in: ReportingZones(day.timeZoneName))
    return kinds.flatMap { found.best(of: $0)?.samples.samples ?? [] }
  }

  private func derive(
    _ date: CalendarDate, _ inputs: DerivationInputs, _ batches: [ListedBatch],
    _ stored: StoredZones, _ run: RunID, into result: inout Result
  ) async throws(LedgerError) -> DerivationMachine.Derived {
    var kept = cache?.take(date) ?? KeptDay()
    // What is in it is right also where this fails.
    defer { cache?.give(kept, date) }
    let newest = try await NewestRevision.read(
      inputs.revisions, of: date, in: ledger, known: kept.newest)
    kept.newest = newest
    guard !batches.isEmpty else {
      // Batches are never removed, and a deletion is an entry: so these were lost, not taken back.
      if newest?.hasStreamNumber == true {
        result.notes = ["the raw data of this day is no longer stored: the day stays as it is"]
      }
      return .nothing
    }
    // The numbers of other sources belong to the day in their zone.
    let name = newest?.setZone
    let zones = name.flatMap { stored.zones.with($0, on: date) } ?? stored.zones
    let day: ReportingDay
    do throws(ReportingDay.Failure) {
      day = try zones.day(date)
    } catch .skippedDate {
      return .nothing
    } catch {
      throw LedgerError(
        .invalidArguments, "the time zone database has no \"\(zones.name(on: date))\"", rule: "R4",
        remedy: "use an IANA name such as Europe/Berlin")
    }
    let samples = try await samples(
      of: batches.filter { $0.place.stream == .healthKit }, by: stored)
    let payloads = try await payloads(
      batches.filter { $0.place.stream == .healthAutoExport }, on: day, in: zones,
      without: stored.undone, into: &kept)
    result.misfit = payloads.misfit
    result.needsZone = payloads.misfit != nil && !stored.isSet
    // Without these payloads the day would be incomplete, with them it may be on wrong dates.
    if result.needsZone { return .nothing }
    let ownCapture = (samples.map(\.receivedAt) + [kept.payloads.capturedAt].compactMap(\.self))
      .max()
    let found: StreamDay
    do throws(LedgerError) {
      found = try StreamDay(
        of: FiledSamples(of: samples, on: day, in: zones), metrics: metrics)
    } catch {
      throw LedgerError(.internal, "\(date) can't be counted: \(error)")
    }
    (result.leftOut, result.notes) = (found.leftOut, found.notes + payloads.notes)
    guard
      found.saysAnything || payloads.numbers.saysAnything || newest?.hasStreamWord == true
    else { return .nothing }
    let capturedAt = ownCapture ?? day.end.timestamp
    let words = StreamWords(
      readings: found.readings, payloads: payloads.numbers, day: day,
      isZoneSet: stored.isSet && day.timeZoneName == stored.zones.name(on: date),
      capturedAt: capturedAt)
    var draft = DayDraft(
      day: day, collector: .derivation, source: .streams, words: words.words,
      capturedAt: capturedAt)
    (draft.retracts, draft.isReadNow) = (.everything, true)
    // What was stored last has made the difference: so its run is the one by which that can be undone.
    let last =
      (samples.map { ($0.order, $0.run) } + kept.payloads.counted.map { ($0.order, $0.run) })
      .max { $0.0 < $1.0 }
    draft.run = last?.1 ?? run
    // A stopped writer may not have moved the pointer. Publishing the same data again moves it (R20).
    if let newest, !newest.isObstructed, draft.adds(nothingTo: newest.revision),
      try await ledger.pointerReaches(newest.id, on: date)
    {
      return .held(newest.id)
    }
    result.notes += draft.revision(at: capturedAt).readings.implausible
    return .draft(draft)
  }
}
