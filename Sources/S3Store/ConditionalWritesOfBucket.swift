import Foundation
package import ObjectStore
import Synchronization

extension S3Store {
  /// What the probe found, from memory, from the cache folder, or by probing one step after another.
  ///
  /// - Throws: what kept the probe from a verdict; that is never remembered.
  package func conditionalWrites() async throws(StoreError) -> ConditionalWrites {
    try await verdict().guarantee
  }

  /// Probes anew, whatever is remembered, and remembers what is found.
  ///
  /// - Parameter racing: also lets writers race, which can falsify what single steps promise.
  package func probe(racing: Bool) async throws(StoreError) -> ProbeReport {
    forgetVerdict()
    var report = await probeReport(race: racing ? .init() : nil)
    if report.verdict.error == nil { report.steps.append(await sweepScratch().step) }
    if Task.isCancelled { throw StoreError(.cancelled, "the probe was cancelled") }
    remember(report)
    return report
  }

  /// Drops the verdict, so that the next call to `conditionalWrites` probes again.
  package func forgetVerdict() {
    known.withLock { ($0.verdict, $0.denied) = (nil, nil) }
    cache?.remove(endpoint: client.endpointName, bucket: configuration.bucket)
  }

  /// The verdict, probing where there is none.
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
      // Another caller's cancelling ends the probe that all wait for, but not this caller's wish.
      if error.code != .cancelled || Task.isCancelled { throw error }
    }
  }

  /// Notes what a write says about versioning: a verdict holds for the bucket as it was.
  func observeVersioning(_ isVersioned: Bool) {
    let isChanged = known.withLock { $0.verdict.map { $0.isVersioned != isVersioned } ?? false }
    guard isChanged else { return }
    options.logger.notice(
      "the bucket's versioning has changed; its conditional writes are probed again")
    forgetVerdict()
  }

  /// What was found last, by this process; nil before.
  package var knownVerdict: ProbeVerdict? {
    options.assumedVerdict ?? known.withLock { $0.denied?.verdict ?? $0.verdict?.probeVerdict }
  }

  private func rememberedVerdict() -> ProbeVerdict? {
    let now = options.localNow()
    if let denied = known.withLock(\.denied), now < denied.until { return denied.verdict }
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
    if case .denied = report.verdict {
      // Not for long, and by this process alone: a policy is soon corrected, and asking costs little.
      known.withLock { $0.denied = (report.verdict, until: options.localNow() + 600) }
      return
    }
    known.withLock { $0.denied = nil }
    guard
      let cached = CachedVerdict(
        report, endpoint: client.endpointName, bucket: configuration.bucket,
        now: options.localNow())
    else { return }
    known.withLock { $0.verdict = cached }
    do {
      try cache?.write(cached)
    } catch {
      options.logger.debug("the probe's verdict can't be kept for the next run: \(error)")
    }
  }

  /// One probe for all who ask at the same time.
  private func sharedProbe() -> Task<ProbeReport, Never> {
    known.withLock { known in
      if let probing = known.probing { return probing }
      let task = Task { await self.reportAndSweep() }
      known.probing = task
      return task
    }
  }

  /// Leaves the sweep out where it would be denied as the probe's own cleaning up was.
  private func reportAndSweep() async -> ProbeReport {
    let report = await probeReport(race: nil)
    guard report.verdict.error == nil, report.hasCleanedUp else { return report }
    let sweep = await sweepScratch()
    if let problem = sweep.problem {
      options.logger.debug("what earlier probes left can't be removed: \(problem)")
    }
    return report
  }

  /// A transient failure is worth two more tries, each in a scratch folder of its own.
  private func probeReport(race: ConditionalWriteProbe.Race?) async -> ProbeReport {
    // The thorough probe reads what one connection wrote over another.
    let reader = race == nil ? client : client.separate()
    var tries = 0
    while true {
      let run = ProbeRun(
        client: client, reader: reader, encryption: configuration.serverSideEncryption,
        prefix: options.probePrefix)
      let report = await run.report(racing: race)
      tries += 1
      guard case .unknown(let error) = report.verdict, error.isRetryable, tries < 3 else {
        return report
      }
      do {
        try await Task.sleep(for: .milliseconds(Int.random(in: 100...500) * tries))
      } catch {
        return report
      }
    }
  }

  /// Removes what interrupted probes have left, and writes that were applied after they had cleaned
  /// up.
  private func sweepScratch() async -> ScratchSweep {
    await sweep(
      below: options.probePrefix + "/",
      writtenBefore: options.localNow() + (client.clock.offset ?? 0) - 3600)
  }

  private var cache: VerdictCache? { options.cacheFolder.map(VerdictCache.init) }
}

/// What a store knows of its bucket.
struct KnownVerdict: Sendable {
  var verdict: CachedVerdict?
  /// A denial, and when to ask again, in seconds since 1970.
  var denied: (verdict: ProbeVerdict, until: Int)?
  var probing: Task<ProbeReport, Never>?
}

extension ScratchSweep {
  /// As a step of a probe's report.
  fileprivate var step: ProbeStep {
    ProbeStep(
      name: "remove what earlier probes left", expected: "removed", seen: description,
      outcome: problem == nil ? .passed : .unclear)
  }
}

extension S3Client {
  /// What verdicts are kept under, with the bucket.
  var endpointName: String { configuration.effectiveEndpoint.description }
}
