import Foundation
public import ObjectStore
import Synchronization

extension S3Store {
  /// The probe's verdict: from memory, from the cache folder, or from a new probe.
  ///
  /// - Throws: the error that prevented a verdict. It is never remembered.
  public func conditionalWrites() async throws(StoreError) -> ConditionalWrites {
    let verdict = try await verdict()
    notePromise(verdict)
    return verdict.guarantee
  }

  /// Notes that somebody relies on the bucket's conditions.
  func notePromise(_ verdict: ProbeVerdict) {
    if verdict.guarantee != .unsafe { known.withLock { $0.hasPromised = true } }
  }

  /// Whether anybody in this process relies on the bucket's conditions.
  var hasPromised: Bool { known.withLock(\.hasPromised) }

  /// Probes again, even if a verdict is remembered, and remembers the new one.
  ///
  /// - Parameter racing: lets many writers race, which can disprove what single steps seem to show.
  ///   Otherwise only as many as for publishing.
  package func probe(racing: Bool) async -> ProbeReport {
    forgetVerdict()
    var report = await probeReport(race: racing ? .thorough : .publishing)
    if report.verdict.error == nil { report.steps.append(await sweepScratch().step) }
    if !Task.isCancelled { remember(report) }
    return report
  }

  /// Forgets the verdict, so that the next call to `conditionalWrites` probes again.
  package func forgetVerdict() {
    known.withLock { ($0.verdict, $0.unseen) = (nil, nil) }
    cache?.remove(endpoint: client.endpointName, bucket: configuration.bucket)
  }

  /// The verdict; probes if there is none.
  func verdict() async throws(StoreError) -> ProbeVerdict {
    if let assumed = options.assumedVerdict { return assumed }
    while true {
      if let verdict = rememberedVerdict() { return verdict }
      let task = sharedProbe()
      let report = await withTaskCancellationHandler {
        await task.value
      } onCancel: {
        task.cancel()
      }
      known.withLock { if $0.probing == task { $0.probing = nil } }
      guard case .unknown(let error) = report.verdict else {
        remember(report)
        return report.verdict
      }
      // If another caller was cancelled, the shared probe ends, but this caller still wants a
      // verdict.
      if error.code != .cancelled || Task.isCancelled { throw error }
    }
  }

  /// Records what a write reports about versioning. A verdict holds for the bucket as it was.
  func observeVersioning(_ isVersioned: Bool) {
    let isChanged = known.withLock { $0.verdict.map { $0.isVersioned != isVersioned } ?? false }
    guard isChanged else { return }
    options.logger.notice(
      "the bucket's versioning has changed; its conditional writes are probed again")
    forgetVerdict()
  }

  /// The last verdict of this process; nil before the first.
  package var knownVerdict: ProbeVerdict? {
    options.assumedVerdict ?? known.withLock { $0.unseen?.verdict ?? $0.verdict?.probeVerdict }
  }

  /// Whether the bucket keeps the SHA-256 of what is written, as the probe has seen. Never probes.
  var keepsChecksums: Bool {
    guard options.assumedVerdict == nil, rememberedVerdict() != nil else { return false }
    return known.withLock { $0.verdict?.keepsChecksums ?? false }
  }

  /// Why the last probe could see nothing, such as a right that is missing.
  public func unobserved() -> StoreError? { knownVerdict?.error }

  func rememberedVerdict() -> ProbeVerdict? {
    let now = options.localNow()
    if let unseen = known.withLock(\.unseen), now < unseen.until { return unseen.verdict }
    if let cached = known.withLock(\.verdict), cached.isFresh(at: now) {
      return cached.probeVerdict
    }
    guard
      let cached = cache?.read(
        endpoint: client.endpointName, bucket: configuration.bucket, now: now)
    else { return nil }
    known.withLock { $0.verdict = cached }
    return cached.probeVerdict
  }

  private func remember(_ report: ProbeReport) {
    switch report.verdict {
    case .denied, .unmet, .crowded:
      // Only for a short time and only in this process: a policy or a limit is soon corrected, and
      // asking again is cheap.
      known.withLock { $0.unseen = (report.verdict, until: options.localNow() + 600) }
      return
    default: break
    }
    known.withLock { $0.unseen = nil }
    guard
      let cached = CachedVerdict(
        report, endpoint: client.endpointName, bucket: configuration.bucket,
        now: options.localNow())
    else { return }
    known.withLock { $0.verdict = cached }
    guard let cache else { return }
    do {
      try cache.write(cached)
    } catch {
      let reason = SystemFailure.reason(of: error)
      options.logger.debug(
        "the probe's verdict can't be kept for the next run in \(cache.folder.path): \(reason)")
    }
  }

  /// One probe for all callers at the same time.
  private func sharedProbe() -> Task<ProbeReport, Never> {
    known.withLock { known in
      if let probing = known.probing { return probing }
      let task = Task { await self.reportAndSweep() }
      known.probing = task
      return task
    }
  }

  /// Skips the sweep if it would be denied, as the probe's own cleanup was.
  private func reportAndSweep() async -> ProbeReport {
    let report = await probeReport(race: .publishing)
    guard report.verdict.error == nil, report.left.isEmpty else { return report }
    let sweep = await sweepScratch()
    if let problem = sweep.problem {
      options.logger.debug("what earlier probes left can't be removed: \(problem)")
    }
    return report
  }

  /// A verdict that rests on a refusal alone counts only if a second probe, in another scratch
  /// folder, comes to the same: the refusal may have had a cause that passes.
  private func probeReport(race: ConditionalWriteProbe.Race) async -> ProbeReport {
    // It reads over other connections than it writes. The race needs one for each writer, whatever
    // else is under way.
    let second = client.separate()
    var (earlier, left): (ProbeReport?, [String]) = (nil, [])
    for _ in 0..<3 {
      let run = ProbeRun(
        client: client, second: second, encryption: configuration.serverSideEncryption,
        prefix: options.probePrefix)
      var report = await run.report(racing: race)
      left += report.left
      report.left = left
      guard report.verdict.restsOnRefusal, earlier?.verdict != report.verdict else { return report }
      earlier = report
    }
    return ProbeReport(
      steps: earlier?.steps ?? [],
      verdict: .unknown(
        StoreError(
          .unavailable, "the store refused other conditional writes each time", remedy: .retryLater,
          isRetryable: true)),
      isVersioned: earlier?.isVersioned ?? false, isRaced: false, left: left)
  }

  /// Removes what interrupted probes left behind, including writes that were applied after their
  /// cleanup.
  private func sweepScratch() async -> ScratchSweep {
    await sweep(
      below: options.probePrefix + "/",
      writtenBefore: options.localNow() + (client.clock.offset ?? 0) - 3600)
  }

  private var cache: VerdictCache? { options.cacheFolder.map(VerdictCache.init) }
}

/// What a store knows about its bucket.
struct KnownVerdict: Sendable {
  var verdict: CachedVerdict?
  /// Why nothing could be observed (denied, unmet or crowded), and when to try again, in seconds since 1970.
  var unseen: (verdict: ProbeVerdict, until: Int)?
  var probing: Task<ProbeReport, Never>?
  /// Whether anybody was told that conditions hold.
  var hasPromised = false
}

extension ScratchSweep {
  /// The sweep as a step of a probe's report.
  fileprivate var step: ProbeStep {
    ProbeStep(
      name: "remove what earlier probes left", expected: "removed", seen: description,
      outcome: problem == nil ? .passed : .unclear)
  }
}

extension S3Client {
  /// The name, next to the bucket, under which verdicts are kept.
  var endpointName: String { configuration.effectiveEndpoint.description }
}
