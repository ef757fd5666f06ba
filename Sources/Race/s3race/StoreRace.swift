import CommandLineKit
import FaultProxy
import Foundation
import HealthLedger
import Race

/// A race on a real store, from claiming the scratch folder to removing its objects, whatever
/// happens in between.
struct StoreRace {
  private let plan: LivePlan
  private let faults: RaceFaults
  private var site: RaceSite

  /// The message for a signal before the first round.
  static let interruptedEarly =
    "\(Program.name): interrupted before the race on the store began; nothing is left there"

  /// Opens the store. Sends nothing yet.
  init(
    _ plan: LivePlan, _ store: StoreOptions, _ faults: RaceFaults
  ) throws(LedgerError) {
    (self.plan, self.faults) = (plan, faults)
    site = try RaceSite(store, plan)
    if site.upstreams.isEmpty { site.faults = try faults.onFolder }
  }

  /// Claims the scratch folder and determines what the store's conditional writes guarantee.
  mutating func prepare() async throws(LedgerError) {
    let (opened, time, left) = (site, plan.time, ScratchFolders())
    let prepared = await Interruption.surviving {
      await Result.of { () async throws(LedgerError) in
        // It is printed only when signals are handled. It names the folder, because whoever ends the
        // program by force has to remove it.
        StandardStreams.remark("\(Program.name): races below \(opened.scratch.prefix)/; \(time)")
        var site = opened
        try await site.prepare(noting: left)
        return site
      }
    } cleanUp: { result in
      var site = (try? result.get()) ?? opened
      await site.look()
      let leftover = await Self.sweep(left, site)
      if let leftover { StandardStreams.say(leftover) }
      if EndSignals.first != nil, leftover == nil {
        StandardStreams.remark(Self.interruptedEarly)
      }
    } abandoned: {
      Self.sayAbandoned(
        opened, "; `s3health doctor` removes what a probe has left, an hour after it or later")
    }
    site = try prepared.get()
  }

  /// Races, cleans up, and reports. `leftover` is why scratch objects could not be removed.
  ///
  /// - Parameters:
  ///   - spent: what the command has used of its time.
  ///   - interrupted: gets what was raced, if a signal ends the program.
  func run(
    spent: Duration,
    progress: @escaping @Sendable (String) -> Void, interrupted: (LiveResult) -> Void
  ) async -> (result: Result<LiveResult, LedgerError>, leftover: LedgerError?) {
    let proxies: [FaultProxy]
    do throws(LedgerError) {
      proxies = try faults.proxies(
        to: site.upstreams, seed: plan.seed, caBundle: site.caBundle)
    } catch {
      return (.failure(error), nil)
    }
    var site = site
    site.proxies = proxies.map(\.endpoint)
    var plan = plan
    plan.duration = max(.zero, plan.duration - spent)
    let race = LiveRace(plan: plan, site: site, proxies: proxies, progress: progress)
    var leftover: LedgerError?
    let result = await Interruption.surviving {
      await Result.of { () async throws(LedgerError) in try await race.run() }
    } cleanUp: { result in
      progress("removing the scratch objects")
      for proxy in proxies { await proxy.stop(.cancelling) }
      await site.look()
      leftover = await Self.sweep(ScratchFolders([site.scratch.prefix]), site)
      if let leftover { StandardStreams.say(leftover) }
      progress("")
      if case .success(let result) = result, result.isInterrupted { interrupted(result) }
    } abandoned: { [site] in
      Self.sayAbandoned(site)
    }
    return (result, leftover)
  }

  /// Names what a program leaves that ends before it has removed its objects.
  private static func sayAbandoned(_ site: RaceSite, _ more: String = "") {
    if Terminal.standardError().isTerminal { StandardStreams.overwrite("") }
    StandardStreams.note(
      "\(Program.name): ended at once: scratch objects may be left below \(site.scratch.prefix)/; "
        + "remove all that lies there with a tool of the store\(more)")
  }

  /// Why something is left, if something is.
  private static func sweep(_ left: ScratchFolders, _ site: RaceSite) async -> LedgerError? {
    do throws(LedgerError) {
      try await left.sweep(site.scratch.store)
      return nil
    } catch {
      return error
    }
  }
}

extension Result where Success: Sendable, Failure == LedgerError {
  /// The result of work that is checked later.
  static func of(_ work: () async throws(LedgerError) -> Success) async -> Self {
    do throws(LedgerError) {
      return .success(try await work())
    } catch {
      return .failure(error)
    }
  }
}
