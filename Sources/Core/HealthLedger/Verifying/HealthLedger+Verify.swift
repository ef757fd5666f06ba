package import HealthModel
import ObjectStore

extension HealthLedger {
  /// Verifies every date of a range (R35) and delivers the verdicts, oldest first.
  ///
  /// It only reads, unless a repair is requested. A day with a fault is checked a second time with
  /// its own requests before the fault is reported, so that a publish in progress is not reported
  /// as one. Memory does not grow with the range.
  ///
  /// ```swift
  /// func report(_ range: DateRange, in ledger: HealthLedger) async throws {
  ///   let outside = try await ledger.verify(range, VerifyOptions(isDeep: true)) { verdict in
  ///     for finding in verdict.findings { print(verdict.date, finding.code, finding.message) }
  ///   }
  ///   for finding in outside { print(finding.code, finding.message) }
  /// }
  /// ```
  /// - Returns: the findings outside the days: foreign objects, sources that have fallen silent, and a newest
  ///   revision that is older than allowed.
  /// - Throws: `LedgerError` if the store failed; the verdicts delivered by then do not cover the
  ///   range.
  @discardableResult
  public nonisolated(nonsending) func verify(
    _ range: DateRange, _ options: VerifyOptions = VerifyOptions(),
    concurrency: Int = defaultConcurrency,
    each: (DayVerdict) async throws(LedgerError) -> Void
  ) async throws(LedgerError) -> [Finding] {
    var newest: RevisionID?
    var course = SourceCourse()
    try await map(
      range, concurrency: concurrency, withStrays: true
    ) { date, known async throws(LedgerError) in
      try await verify(date, known: known, options)
    } deliver: { verdict async throws(LedgerError) in
      newest = [newest, verdict.revisionID].compactMap(\.self).max { $0.timestamp < $1.timestamp }
      if let latest = verdict.latest { course.add(latest.revision) }
      try await each(verdict)
    }
    var findings = try await foreignObjectsOutsideData()
    let now = await correctedNow()
    // A range of the past does not say who speaks today.
    if range.to.adding(days: 3).map({ !$0.hasBegun(at: now) }) ?? true {
      findings += course.silences(at: now).map(silence)
    }
    if let limit = options.maximumAge {
      if let finding = age(of: newest, at: now, limit: limit) { findings.append(finding) }
    }
    return findings
  }

  /// Verifies one date, with what a listing has reported about it, or with its own requests.
  package func verify(
    _ date: CalendarDate, known: DayKnowledge?, _ options: VerifyOptions = VerifyOptions()
  ) async throws(LedgerError) -> DayVerdict {
    var known = if let known { known } else { try await surveyAlone(date, withStrays: true) }
    // MinIO on several drives may leave a pointer out of a listing while it is being replaced.
    if known?.pointer == .absent, known?.revisions.isEmpty == false { known?.pointer = nil }
    let strays = known?.strayKeys ?? []
    var verdict = try await look(
      date, known: known, try await resolve(date, known: known), options)
    if verdict.mayBeInFlight { verdict = try await uncached.lookAgain(date, strays, options) }
    guard options.repair != .no, verdict.needsPointerRepair else { return verdict }
    let repair = try await repairPointer(date, dryRun: options.repair == .dryRun)
    if repair.hasMoved { verdict = try await uncached.lookAgain(date, strays, options) }
    verdict.repair = repair
    return verdict
  }

  /// Checks the day again, with its own requests.
  private func lookAgain(
    _ date: CalendarDate, _ strayKeys: [String], _ options: VerifyOptions
  ) async throws(LedgerError) -> DayVerdict {
    // List before resolving: resolving then finds what is published in between.
    var known = try await surveyAlone(date)
    known?.strayKeys = strayKeys
    return try await look(date, known: known, try await resolve(date), options)
  }

  private func look(
    _ date: CalendarDate, known: DayKnowledge?, _ resolution: Resolution, _ options: VerifyOptions
  ) async throws(LedgerError) -> DayVerdict {
    let inspection = DayInspection(
      resolution: resolution, layout: layout, now: await correctedNow())
    var findings = inspection.findings(skipsRejected: options.isDeep)
    var revisionsRead = resolution.latest == nil ? 0 : 1
    do throws(StoreError) {
      if options.isDeep {
        for revision in try await otherRevisions(of: resolution, known) {
          guard let found = try await self.findings(of: revision, inspection) else { continue }
          findings += found
          revisionsRead += 1
        }
      } else {
        revisionsRead += resolution.rejected.count { $0.reason != .missing }
      }
      findings += try await pointerBytes(of: resolution, known, isDeep: options.isDeep)
    } catch {
      throw LedgerError(error)
    }
    findings += (known?.foreignKeys ?? []).map { inspection.foreign($0) }
    findings += (known?.strayKeys ?? []).map { inspection.stray($0) }
    return DayVerdict(
      inspection, findings: findings, revisionsRead: revisionsRead,
      revisionCount: known.map { Self.revisionCount(resolution, $0) })
  }

  /// Revisions that were listed or resolved, without those that do not exist.
  private static func revisionCount(_ resolution: Resolution, _ known: DayKnowledge) -> Int {
    var ids = Set(known.revisions)
    for rejected in resolution.rejected {
      if rejected.reason == .missing { ids.remove(rejected.id) } else { ids.insert(rejected.id) }
    }
    if let latest = resolution.latest { ids.insert(latest.id) }
    return ids.count
  }

  /// Every revision of the day except the resolved one, newest first.
  private func otherRevisions(
    of resolution: Resolution, _ known: DayKnowledge?
  ) async throws(StoreError) -> [ListedRevision] {
    var versions: [RevisionID: ObjectVersion] = known?.versions ?? [:]
    let listed: [RevisionID]
    if let known {
      listed = known.revisions
    } else {
      let day = DayKnowledge(listed: try await listVersions(resolution.date, after: nil))
      (listed, versions) = (day.revisions, day.versions)
    }
    var ids = Set(listed)
    ids.formUnion(resolution.rejected.filter { $0.reason != .missing }.map(\.id))
    if let latest = resolution.latest { ids.remove(latest.id) }
    return ids.sorted(by: >).map { ListedRevision(id: $0, version: versions[$0]) }
  }

  /// Reads one revision and checks it; nil if it no longer exists.
  private func findings(
    of revision: ListedRevision, _ inspection: DayInspection
  ) async throws(StoreError) -> [Finding]? {
    let (id, version) = (revision.id, revision.version)
    switch try await readRevision(inspection.resolution.date, id, listed: version) {
    case .object(let object):
      return inspection.inspection(id).findings(of: object.body, lastModified: object.lastModified)
    case .tooLarge: return inspection.inspection(id).findings(ofInvalid: [.revisionTooLarge])
    case .absent: return nil
    }
  }

  /// Findings in the pointer's bytes. They are read only if the etag does not show that they are
  /// the canonical ones. If etags can't show that, only a deep check reads them.
  private func pointerBytes(
    of resolution: Resolution, _ known: DayKnowledge?, isDeep: Bool
  ) async throws(StoreError) -> [Finding] {
    guard case .valid(let pointer, let etag) = resolution.pointer else { return [] }
    let predicted = store.predictedETag(of: pointer.encoded)
    guard predicted != etag, predicted != nil || isDeep else { return [] }
    let key = layout.pointerKey(resolution.date)
    let listed = known?.pointerVersion
    let version = listed?.etag == etag ? listed : nil
    guard let object = try await read(key, limit: LatestPointer.maximumBytes, listed: version)
    else { return [] }
    return PointerInspection(resolution: resolution, key: key.rawValue).findings(of: object.body)
  }

  private func silence(_ silence: SourceCourse.Silence) -> Finding {
    Finding(
      .sourceSilent, date: nil, key: layout.dataPrefix, silence.words,
      remedy: """
        find out why it sends nothing: the app, its permissions, its network; or allow missing dates, if it \
        is to stay silent
        """)
  }

  private func age(of newest: RevisionID?, at now: Timestamp, limit: Int) -> Finding? {
    let age = newest.map { now.secondsSince1970 - $0.timestamp.secondsSince1970 }
    if let age, age <= limit { return nil }
    return Finding(
      .newestTooOld, date: nil, key: layout.dataPrefix,
      newest.map { "the newest readable revision of the range was made at \($0.timestamp)" }
        ?? "the range has no readable revision",
      remedy: "find out why nothing is published: the collector, its permissions, its network")
  }

  /// The listing of one day, for a range with too many objects for a single listing.
  private func surveyAlone(
    _ date: CalendarDate, withStrays: Bool = false
  ) async throws(LedgerError) -> DayKnowledge? {
    do {
      return try await survey([date], withStrays: withStrays)[date]
    } catch {
      throw LedgerError(error)
    }
  }
}
