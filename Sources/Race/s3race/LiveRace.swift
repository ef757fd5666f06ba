import CommandLineKit
import FaultProxy
import Foundation
import HealthLedger
import HealthModel
import ObjectStore
import Race

/// A race on a real store: rounds of separate processes, each checked, then the controls.
struct LiveRace: Sendable {
  let plan: LivePlan
  let site: RaceSite
  let proxies: [FaultProxy]
  let clock = MonotonicClock()
  /// Called with the progress of the race.
  let progress: @Sendable (String) -> Void

  /// Races until the time is over, the publishes are done, or a promise is broken. The controls
  /// race after the first round, so that the time for rounds is what they leave of it.
  func run() async throws(LedgerError) -> LiveResult {
    let keep = try plan.history.map { path throws(LedgerError) in try RaceFile(history: path) }
    defer { keep?.close() }
    let folder = try Self.journalFolder()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    var result = LiveResult(site: site)
    result.history = keep?.path
    do throws(LedgerError) {
      try await race(folder, keep, &result)
    } catch {
      guard Task.isCancelled else { throw error }
    }
    result.tally.faults.merge(faultsOfProxies()) { $0 + $1 }
    (result.duration, result.isInterrupted) = (elapsed, Task.isCancelled)
    return result
  }

  private func race(
    _ folder: String, _ keep: RaceFile?, _ result: inout LiveResult
  ) async throws(LedgerError) {
    var (site, emptyRounds) = (site, 0)
    // How long a round took after its last publish.
    var tail = 0
    while result.failure == nil, goesOn(result, tail) {
      result.rounds += 1
      let left = (plan.duration - elapsed).seconds
      progress(
        "racing: round \(result.rounds), \(result.tally.acknowledged.grouped) publishes, "
          + "\(result.kills) kills"
          + (plan.publishes == nil ? ", \(Int(max(0, left.rounded(.up)))) s left" : ""))
      let deadline = deadline(tail, after: emptyRounds)
      let outcome = try await play(
        .sound, quota: quota(result), until: deadline, folder, number(result), &site)
      result.kills += outcome.kills
      result.tally.add(outcome.record.tally)
      try judge(outcome.record.history, keep, &result)
      try await sweep(outcome, &site)
      // One such round may be due to the machine, on which the processes could not even start.
      emptyRounds = outcome.record.tally.acknowledged == 0 ? emptyRounds + 1 : 0
      if emptyRounds == 3 { throw Self.nothingPublished(outcome.record.tally) }
      tail = clock.now - min(deadline, outcome.ended)
      if result.failure == nil, result.controls.isEmpty, emptyRounds == 0 {
        try await raceControls(folder, &result, &site)
      }
    }
  }

  /// Each round and each control's round has a date of its own.
  private func number(_ result: LiveResult) -> Int {
    result.rounds + result.controls.reduce(0) { $0 + $1.rounds }
  }

  /// Until when publishes of a round begin that begins now and whose end takes `tail`. After rounds
  /// without a publish it gets more time, whatever is left: a busy machine starts processes slowly.
  private func deadline(_ tail: Int, after emptyRounds: Int) -> Int {
    let whole = clock.now + LivePlan.roundTime.nanoseconds << emptyRounds
    guard plan.publishes == nil, emptyRounds == 0 else { return whole }
    return max(
      clock.now + LivePlan.leastRoundTime.nanoseconds,
      min(whole, plan.duration.nanoseconds - tail))
  }

  private var elapsed: Duration { .nanoseconds(clock.now) }

  private func goesOn(_ result: LiveResult, _ tail: Int) -> Bool {
    if Task.isCancelled { return false }
    if let publishes = plan.publishes { return result.tally.acknowledged < publishes }
    let least = LivePlan.leastRoundTime.nanoseconds + tail
    return result.tally.acknowledged == 0 || clock.now + least <= plan.duration.nanoseconds
  }

  private func quota(_ result: LiveResult) -> Int {
    guard let publishes = plan.publishes else { return LivePlan.quota }
    let left = publishes - result.tally.acknowledged
    return min(LivePlan.quota, max(1, (left + plan.writers - 1) / plan.writers))
  }

  /// One round with its final checks.
  private func play(
    _ subject: LiveSubject, quota: Int, until deadline: Int, _ folder: String, _ number: Int,
    _ site: inout RaceSite
  ) async throws(LedgerError) -> RaceRound.Outcome {
    guard let date = CalendarDate(daysSince1970: 18_262 + number) else {
      throw LedgerError(.internal, "a race has more rounds than there are days")
    }
    await site.look()
    // A control is raced without other faults.
    site.proxies = subject == .sound ? proxies.map(\.endpoint) : []
    let prefix = site.scratch.prefix
    let round = RaceRound(
      number: number, plan: plan, site: site, subject: subject, date: date, clock: clock,
      quota: quota, deadline: deadline, folder: folder)
    var outcome = try await round.play()
    for proxy in proxies { await proxy.settle() }
    let check = { (store: any ObjectStore) throws(LedgerError) in
      LiveCheck(
        store: store, layout: try LedgerLayout(prefix: prefix), date: date,
        clock: { clock.now })
    }
    // In groups: if an endpoint fails for a while, only the current group is read again.
    let acknowledged = outcome.record.acknowledged.sorted()
    for start in stride(from: 0, to: acknowledged.count, by: 16) {
      let some = acknowledged[start..<min(start + 16, acknowledged.count)]
      let looks = try await persistently(&site) { store async throws(LedgerError) in
        try await check(store).revisions(some)
      }
      for look in looks { outcome.record.add(look) }
    }
    let looks = try await persistently(&site) { store async throws(LedgerError) in
      try await check(store).answers()
    }
    for look in looks { outcome.record.add(look) }
    return outcome
  }

  /// Removes a round's objects, so that a long race does not fill the disk.
  private func sweep(
    _ outcome: RaceRound.Outcome, _ site: inout RaceSite
  ) async throws(LedgerError) {
    let prefix = site.scratch.prefix
    let layout = try LedgerLayout(prefix: prefix)
    let day = layout.dayPrefix(outcome.record.history.date)
    _ = try await persistently(&site) { store async throws(LedgerError) in
      try await ScratchSpace(store: store, prefix: prefix).sweep(below: day)
    }
  }

  private func judge(
    _ history: RaceHistory, _ keep: RaceFile?, _ result: inout LiveResult
  ) throws(LedgerError) {
    let findings = history.findings()
    if let first = findings.first {
      result.failure = .init(
        round: result.rounds, findings: findings,
        counterexample: history.counterexample(to: first))
    }
    if let keep {
      try keep.append(history)
    } else if !findings.isEmpty {
      let name = site.scratch.prefix.split(separator: "/").last.map(String.init) ?? "history"
      result.history = RaceFile.keep(history, "s3health-race-\(name).jsonl")
    }
  }

  /// The same checks must catch what is broken on purpose, on this store.
  private func raceControls(
    _ folder: String, _ result: inout LiveResult, _ site: inout RaceSite
  ) async throws(LedgerError) {
    let subjects: [LiveSubject] =
      (site.movesPointer ? [.checkThenPut] : []) + [.losesRevisions, .looksOnce]
    for subject in subjects {
      let before = number(result)
      var control = LiveResult.Control(subject: subject, rounds: 0)
      while control.finding == nil, control.rounds < LivePlan.controlRounds, !Task.isCancelled {
        control.rounds += 1
        progress("negative control: \(subject.rawValue), round \(control.rounds)")
        // Of a day that is published again and again, the last publish would find what was lost.
        let quota = subject == .looksOnce ? 1 : 12
        let outcome = try await play(
          subject, quota: quota, until: clock.now + LivePlan.roundTime.nanoseconds, folder,
          before + control.rounds, &site)
        control.finding = outcome.record.history.findings().first
        try await sweep(outcome, &site)
      }
      result.controls.append(control)
    }
  }

  private func faultsOfProxies() -> [String: Int] {
    proxies.reduce(into: [:]) { $0.merge($1.tally.faults) { $0 + $1 } }
  }

  /// Rounds without any publish prove nothing.
  private static func nothingPublished(_ tally: LiveTally) -> LedgerError {
    let said = tally.errors.max { $0.value < $1.value }.map { ": \($0.key)" } ?? ""
    return LedgerError(
      .storageUnavailable, "nothing could be published in three rounds\(said)",
      remedy: "run `s3health doctor` on this store, or lower the rate of --faults",
      isRetryable: true)
  }

  /// Retries for a while, over an endpoint that answers, because one or all may be restarting.
  private func persistently<Value>(
    _ site: inout RaceSite, _ work: (any ObjectStore) async throws(LedgerError) -> Value
  ) async throws(LedgerError) -> Value {
    let left = plan.publishes == nil ? plan.duration - elapsed : LivePlan.restart
    let giveUp = elapsed + min(LivePlan.restart, max(LivePlan.lastRestart, left))
    while true {
      do throws(LedgerError) {
        return try await work(site.scratch.store)
      } catch {
        guard error.isRetryable, elapsed < giveUp, !Task.isCancelled else { throw error }
        try? await Task.sleep(for: .milliseconds(500))
        await site.look()
      }
    }
  }

  /// This race's own folder for journals. Only its owner can read it.
  private static func journalFolder() throws(LedgerError) -> String {
    let path = FileManager.default.temporaryDirectory
      .appending(path: "s3health-race-\(UInt64.random(in: .min ... .max))").path
    guard mkdir(path, 0o700) == 0 else {
      throw LedgerError(
        .internal, "the folder \(path) can't be created: \(String(cString: strerror(errno)))",
        remedy: "check the temporary folder (TMPDIR)")
    }
    return path
  }
}
