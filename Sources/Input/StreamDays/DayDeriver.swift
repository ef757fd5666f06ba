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
  /// The zone of a day that no revision has fixed yet.
  private let zone: @Sendable (CalendarDate) -> String
  private let isZoneSet: Bool
  private let metrics: Set<DailyMetric>
  private let cache: DayCache?
  /// What was read of payloads for one day, for the others.
  private let read = PayloadCache()
  private let isDryRun: Bool
  private let maximumPasses: Int
  private let follow: (@Sendable (CalendarDate) async throws(LedgerError) -> Void)?

  /// - Parameters:
  ///   - zone: the zone of a day that no revision has fixed yet.
  ///   - isZoneSet: whether somebody has set that zone. If it is only the machine's, no day is made of
  ///     payloads that were written in another one.
  ///   - metrics: those to make.
  ///   - cache: keeps what was read between recomputes; nil to read it each time.
  ///   - isDryRun: whether nothing is written.
  ///   - maximumPasses: how many revisions one recompute may store while batches keep arriving.
  ///   - follow: what is to be done with each day that is settled, before its markers go.
  package init(
    ledger: HealthLedger, streams: StreamStore,
    zone: @escaping @Sendable (CalendarDate) -> String, isZoneSet: Bool = true,
    metrics: Set<DailyMetric> = Set(DailyMetric.allCases), cache: DayCache? = nil,
    isDryRun: Bool = false, maximumPasses: Int = DerivationMachine.maximumPasses,
    follow: (@Sendable (CalendarDate) async throws(LedgerError) -> Void)? = nil
  ) {
    (self.ledger, self.streams) = (ledger, streams)
    (self.zone, self.isZoneSet) = (zone, isZoneSet)
    (self.metrics, self.cache, self.isDryRun) = (metrics, cache, isDryRun)
    (self.maximumPasses, self.follow) = (maximumPasses, follow)
  }

  /// Takes the samples of a batch that was just stored, so that they need not be read.
  package func keep(_ samples: StoredSamples, of key: ObjectKey) {
    cache?.keep(samples, key.rawValue)
  }

  /// Lets go of what was read of payloads, where no other day is due that they may touch.
  package func rest() { read.clear() }

  /// Lists the first of some dates, ascending, at once with those that follow it soon; nil where it is
  /// alone, or that can't be done. Then each has to be listed for itself, and says what is wrong.
  package func survey(of dates: [CalendarDate]) async -> StreamSurvey? {
    guard let range = StreamSurvey.range(of: dates) else { return nil }
    return try? await StreamSurvey(of: range, streams, ledger)
  }

  /// What became of one day.
  package struct Result: Sendable {
    package let date: CalendarDate
    /// What the machine found; nil in a dry run that would publish.
    package var outcome: DerivationMachine.Outcome?
    /// What a dry run would do, if it would publish.
    package var preview: (draft: DayDraft, PublishPreview)?
    /// The revision that the day had before, if one was stored.
    package var replaced: RevisionID?
    /// The outcome of the last publish that stored a revision, if there was one.
    package var published: PublishOutcome?
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
  ///   - survey: what was listed of days at once, after the markers that are to go. Where it shows that
  ///     this one is as it should be, nothing more is listed.
  /// - Throws: `LedgerError`. Then the day is as it was, or was derived in part by this call.
  package func recompute(
    _ date: CalendarDate, isCovered: Bool = false, after survey: StreamSurvey? = nil
  ) async throws(LedgerError) -> Result {
    if let survey, survey.dates.contains(date),
      let result = try await recompute(date, isCovered: true, by: survey)
    {
      return result
    }
    guard let result = try await recompute(date, isCovered: isCovered, by: nil) else {
      throw LedgerError(.internal, "making \(date) gave no outcome")
    }
    return result
  }

  /// The same, of what a survey shows, if there is one; then nil if the day would be published. The
  /// others were worked on since the survey. To end with the day as it is does no harm then: what came
  /// meanwhile has markers of its own. But figures of old inputs could replace newer ones.
  private func recompute(
    _ date: CalendarDate, isCovered: Bool, by survey: StreamSurvey?
  ) async throws(LedgerError) -> Result? {
    var machine = DerivationMachine(maximumPasses: maximumPasses, isCovered: isCovered || isDryRun)
    var cover: ObjectKey?
    var result = Result(date: date)
    var listing = StreamListing()
    var action = machine.start()
    while true {
      let event: DerivationMachine.Event
      switch action {
      case .readBasis: event = .basis(try await readBasis(date))
      case .listBatches:
        listing = try await listed(date, by: survey)
        event = .batches(Set(listing.batches.map(\.place.id)))
      case .listRevisions:
        if let survey {
          event = .revisions(survey.revisions[date] ?? [])
        } else {
          event = .revisions(Set(try await ledger.history(date)))
        }
      case .publish where survey != nil: return nil
      case .derive(let inputs):
        event = .derived(
          try await derive(date, inputs, listing.batches, into: &result))
      case .publish(let draft):
        if isDryRun {
          try await ledger.preview([draft]) { draft, preview in result.preview = (draft, preview) }
          return result
        }
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
        if !isDryRun { await write(basis, date, into: &result) }
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
      case .done(let outcome, let replaced, _, _):
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
    let found = FiledSamples(of: try await samples(of: batches), on: day)
    do throws(SampleDay.Failure) {
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
    let batches = try await listed(day.date).batches.filter { $0.place.stream == .healthKit }
    guard !batches.isEmpty else { return [] }
    let found = FiledSamples(of: try await samples(of: batches), on: day)
    return kinds.flatMap { found.best(of: $0)?.samples.samples ?? [] }
  }

  private func derive(
    _ date: CalendarDate, _ inputs: DerivationInputs, _ batches: [ListedBatch],
    into result: inout Result
  ) async throws(LedgerError) -> DerivationMachine.Derived {
    var kept = cache?.take(date) ?? KeptDay()
    // What is in it is right also where this fails.
    defer { cache?.give(kept, date) }
    try await kept.revisions.read(inputs.revisions, of: date, in: ledger)
    let known = kept.revisions
    let name = known.own?.revision.day.timeZoneName ?? known.others.first?.revision.day.timeZoneName
    let day: ReportingDay
    do throws(ReportingDay.Failure) {
      day = try ReportingDay(date: date, timeZoneName: name ?? zone(date))
    } catch .skippedDate {
      return .nothing
    } catch {
      throw LedgerError(
        .invalidArguments, "the time zone database has no \"\(name ?? zone(date))\"", rule: "R4",
        remedy: "use an IANA name such as Europe/Berlin")
    }
    let samples = try await samples(of: batches.filter { $0.place.stream == .healthKit })
    let payloads = try await payloads(
      batches.filter { $0.place.stream == .healthAutoExport }, on: day, into: &kept)
    result.misfit = payloads.misfit
    result.needsZone = payloads.misfit != nil && !isZoneSet
    // Without these payloads the day would be incomplete, with them it may be on wrong dates.
    if result.needsZone { return .nothing }
    let receivedAt = (samples.map(\.receivedAt) + [kept.payloads.receivedAt].compactMap(\.self))
      .max()
    let found: StreamDay
    do throws(SampleDay.Failure) {
      found = try StreamDay(of: FiledSamples(of: samples, on: day), metrics: metrics)
    } catch {
      throw LedgerError(.internal, "\(date) can't be counted: \(error)")
    }
    (result.leftOut, result.notes) = (found.leftOut, found.notes + payloads.notes)
    guard found.saysAnything || payloads.numbers.saysAnything || known.own != nil else {
      return .nothing
    }
    let figures = DerivedFigures(
      readings: found.readings, whole: found.whole, payloads: payloads.numbers,
      others: known.others, day: day)
    let captures = known.others.map(\.capturedAt) + [receivedAt].compactMap(\.self)
    let draft = DayDraft(
      day: day, collector: .derivation, readings: figures.readings, covers: .everything,
      capturedAt: captures.max() ?? day.end.timestamp)
    if let newest = known.newest, newest.revision.hasFigures(of: draft) { return .held(newest.id) }
    return .draft(draft)
  }

  /// The samples of batches: kept ones, and those that are read.
  private func samples(of batches: [ListedBatch]) async throws(LedgerError) -> [StoredSamples] {
    var (found, unread): ([StoredSamples], [ListedBatch]) = ([], [])
    for listed in batches {
      if let batch = cache?.batch(listed.source) {
        found.append(batch)
      } else {
        unread.append(listed)
      }
    }
    for (listed, read) in await streams.samples(of: unread) {
      let result: Swift.Result<StoredSamples, BatchFault>?
      do throws(StreamError) {
        result = try read.get()
      } catch {
        throw LedgerError(error)
      }
      let batch = try Self.batch(result, of: listed)
      cache?.keep(batch, listed.source)
      found.append(batch)
    }
    return found
  }

  /// What payloads say of a day.
  private func payloads(
    _ batches: [ListedBatch], on day: ReportingDay, into kept: inout KeptDay
  ) async throws(LedgerError) -> PostedPayloads.Found {
    let ids = Set(batches.map(\.key.rawValue))
    for isFresh in [false, true] {
      if isFresh || !kept.payloads.keys.isSubset(of: ids) { kept.payloads = PostedPayloads() }
      var missing = batches.filter { !kept.payloads.keys.contains($0.key.rawValue) }
      if !isFresh {
        missing.removeAll { listed in
          guard let known = read.payloads(listed.key.rawValue) else { return false }
          kept.payloads.add(known, listed.key.rawValue)
          return true
        }
      }
      var readings = streams.readings(of: missing).makeAsyncIterator()
      while let reading = try await next(&readings) {
        let posted = PostedPayload.all(in: try Self.batch(reading.result, of: reading.listed))
        read.keep(posted, reading.listed.key.rawValue)
        kept.payloads.add(posted, reading.listed.key.rawValue)
      }
      do {
        if let found = try kept.payloads.found(on: day, metrics: metrics, read) { return found }
      } catch {
        throw LedgerError(.internal, "the payloads of \(day.date) can't be counted: \(error)")
      }
    }
    throw LedgerError(.internal, "the payloads of \(day.date) gave no numbers")
  }

  private func next(
    _ readings: inout BatchReadings.AsyncIterator
  ) async throws(LedgerError) -> BatchReading? {
    do throws(StreamError) {
      return try await readings.next(isolation: nil)
    } catch {
      throw LedgerError(error)
    }
  }

  /// The batch that was read. Without it the day would be published incomplete.
  private static func batch<Batch>(
    _ result: Swift.Result<Batch, BatchFault>?, of listed: ListedBatch
  ) throws(LedgerError) -> Batch {
    let key = listed.key.rawValue
    switch result {
    case .success(let batch): return batch
    case .failure(let fault):
      throw LedgerError(
        .storageUnavailable, "a batch can't be read, so its days are not derived: \(fault.message)",
        key: key, remedy: "restore the object from a backup, or remove it to derive without it")
    case nil:
      throw LedgerError(
        .storageUnavailable, "a batch is gone since it was listed", key: key,
        remedy: .store(.retry),
        isRetryable: true)
    }
  }

  /// The batches that can bear on a date.
  private func listed(
    _ date: CalendarDate, by survey: StreamSurvey? = nil
  ) async throws(LedgerError) -> StreamListing {
    var listing = StreamListing()
    do throws(StreamError) {
      let payloads: StreamListing
      if let survey {
        listing.batches = survey.batches(for: date)
        payloads = try await streams.payloads(named: survey.payloads, touching: date)
      } else {
        listing = try await streams.batches(of: .healthKit, on: TouchedDates.filed(for: date))
        payloads = try await streams.payloads(touching: date)
      }
      listing.batches += payloads.batches
      listing.foreign += payloads.foreign
    } catch {
      throw LedgerError(error)
    }
    for entry in listing.foreign {
      if let obstacle = entry.obstacle { throw LedgerError(obstacle) }
      guard entry.key.hidesBatch else { continue }
      throw LedgerError(
        .storageUnavailable,
        "a conflict copy may hide samples, so \(date) is not derived", key: entry.key,
        remedy: "let the folder finish synchronising, or remove the copy")
    }
    return listing
  }

  // MARK: - The basis

  private func basisKey(_ date: CalendarDate) -> ObjectKey? {
    ObjectKey(streams.layout.rootPrefix + ".derived/\(date)")
  }

  /// A basis that can't be read costs a recompute, no more.
  private func readBasis(_ date: CalendarDate) async throws(LedgerError) -> DerivationBasis? {
    guard let key = basisKey(date) else { return nil }
    do throws(StoreError) {
      return try await streams.store.get(key, limit: DerivationBasis.maximumBytes)
        .flatMap { DerivationBasis($0.body) }
    } catch  where error.code == .tooLarge || error.code == .unreadable {
      return nil
    } catch {
      throw LedgerError(error)
    }
  }

  private func write(
    _ basis: DerivationBasis, _ date: CalendarDate, into result: inout Result
  ) async {
    guard let key = basisKey(date) else { return }
    do throws(StoreError) {
      let old = try await streams.store.get(key, limit: DerivationBasis.maximumBytes)
      // Whoever else writes at this moment writes what is true, too.
      _ = try await streams.store.put(
        key, basis.encoded, if: old.map { .matches($0.etag) } ?? .absent)
    } catch {
      result.notes.append(
        "what \(date) was derived from could not be kept, so it will be read again: "
          + error.message)
    }
  }
}

extension DailyRevision {
  /// Whether the revision has a draft's figures, whoever published it.
  fileprivate func hasFigures(of draft: DayDraft) -> Bool {
    let other = draft.revision(at: draft.capturedAt)
    return day == other.day && readings == other.readings
  }
}

extension String {
  /// Whether a key that is not of the layout looks like a renamed batch or device.
  fileprivate var hidesBatch: Bool {
    utf8.split(separator: UInt8(ascii: "/")).contains { part in
      let digits = part.prefix { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
      return digits.count >= 64 || (digits.count == 8 && part.count > 36)
    }
  }
}

extension LedgerError {
  /// Streams that can't be listed or read.
  package init(_ error: StreamError) {
    if let cause = error.cause {
      self.init(cause)
    } else {
      self.init(
        .storageUnavailable, error.message, key: error.key)
    }
  }
}
