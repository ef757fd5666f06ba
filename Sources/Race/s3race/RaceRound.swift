import Foundation
import HealthCollector
import HealthLedger
import HealthModel
import Race
import StoreTesting

/// One round: every process races for one day until its writers are done.
struct RaceRound: Sendable {
  let number: Int
  let plan: LivePlan
  let site: RaceSite
  let subject: LiveSubject
  let date: CalendarDate
  let clock: MonotonicClock
  /// The number of publishes of each writer.
  let quota: Int
  /// Until when new publishes begin.
  let deadline: Int
  /// The folder of the processes' journals.
  let folder: String

  /// The result of a round.
  struct Outcome: Sendable {
    var record: LiveRecord
    var kills = 0
    /// When its last writer was done.
    var ended = 0
  }

  func play() async throws(LedgerError) -> Outcome {
    let stop = RaceProcess.Flag()
    let watch = observers
    let watching = Task { () async -> Result<Bool, LedgerError> in
      await Result.of { () async throws(LedgerError) in
        try await RaceProcess.run(watch, .signal(stop))
      }
    }
    let results = await withTaskCancellationHandler {
      await ready()
      return await withTaskGroup(of: Result<Int, LedgerError>.self) { group in
        for process in 0..<processes {
          group.addTask {
            await Result.of { () async throws(LedgerError) in try await runWriters(process) }
          }
        }
        return await group.reduce(into: []) { $0.append($1) }
      }
    } onCancel: {
      watching.cancel()
    }
    stop.raise()
    let ended = clock.now
    let watched = await watching.value
    var outcome = Outcome(record: record(0..<processes), ended: ended)
    for result in results { outcome.kills += try result.get() }
    _ = try watched.get()
    outcome.record.add(journal: RaceFile.read(journal(processes)))
    for process in 0...processes { try? FileManager.default.removeItem(atPath: journal(process)) }
    return outcome
  }

  /// Waits a moment for readers and pollers to start, so that they see the first publishes too.
  private func ready() async {
    for _ in 0..<2000 where !Task.isCancelled {
      if RaceFile.size(journal(processes)) > 0 { return }
      try? await Task.sleep(for: .milliseconds(2))
    }
  }

  /// Runs a writer process, kills it and restarts it as planned. Returns the number of kills.
  private func runWriters(_ process: Int) async throws(LedgerError) -> Int {
    var order = order(.writers, journal: journal(process))
    order.field.clients = Array(stride(from: process, to: writers, by: processes))
    order.field.skew = ClockSkew.allCases[(process + number) % ClockSkew.allCases.count]
    order.endpoint = site.endpoint(process)
    var chance = SplitMix64(seed: plan.seed &+ UInt64(number) << 20 &+ UInt64(process))
    let planned = subject == .sound ? plan.kills : 0
    // A publish writes about 400 bytes.
    let span = max(1000, quota * order.field.clients.count * 400 / max(1, planned + 1))
    var kills = 0
    while true {
      order.field.seed = chance.next()
      let size = RaceFile.size(order.journal)
      let condition: RaceProcess.KillCondition =
        kills < planned ? .journal(size + 100 + chance.below(span)) : .never
      guard try await RaceProcess.run(order, condition) else { return kills }
      kills += 1
      order.field.progress = record(process..<process + 1).progress
    }
  }

  private var observers: WorkerOrder {
    var order = order(.observers, journal: journal(processes))
    order.field.clients = Array(0..<plan.readers)
    order.endpoint = site.endpoint(0)
    order.direct = site.directEndpoints
    return order
  }

  private func order(_ role: LiveOrder.Role, journal: String) -> WorkerOrder {
    var field = LiveOrder(role: role, date: date.description, scratch: site.scratch.prefix)
    field.subject = subject
    field.quota = quota
    if plan.publishes == nil {
      field.deadline = deadline
      let end = max(plan.duration.nanoseconds, field.deadline) + LivePlan.lastPatience.nanoseconds
      field.lastCall = min(field.deadline + LivePlan.patience.nanoseconds, end)
    } else {
      field.lastCall = clock.now + 10 * LivePlan.patience.nanoseconds
    }
    if subject == .sound { field.faults = site.faults }
    field.assumesCompareAndSwap = site.assumesCompareAndSwap
    return WorkerOrder(site, field, clock, journal: journal)
  }

  private var writers: Int { subject == .sound ? plan.writers : max(4, min(plan.writers, 8)) }
  /// In one process, writers begin at once.
  private var processes: Int { subject == .looksOnce ? 1 : min(plan.processes, writers) }

  private func journal(_ process: Int) -> String { "\(folder)/\(number)-\(process).jsonl" }

  private func record(_ processes: Range<Int>) -> LiveRecord {
    var record = LiveRecord(date, movesPointer: site.movesPointer)
    for process in processes { record.add(journal: RaceFile.read(journal(process))) }
    return record
  }
}

extension Duration {
  /// Whole nanoseconds.
  var nanoseconds: Int {
    Int(components.seconds) * 1_000_000_000 + Int(components.attoseconds / 1_000_000_000)
  }

  /// In seconds.
  var seconds: Double { Double(nanoseconds) / 1e9 }
}

extension Double {
  /// With exactly this many decimals.
  func fixed(_ places: Int) -> String {
    DashboardFormat(groupingSeparator: "").decimal(self, places: places)
  }

  /// With two digits and an exponent, such as `1.2e+07`; of one or more.
  var exponential: String {
    guard isFinite else { return "\(self)" }
    var (mantissa, exponent) = (self, 0)
    while mantissa >= 9.95 { (mantissa, exponent) = (mantissa / 10, exponent + 1) }
    return "\(mantissa.fixed(1))e+\(exponent < 10 ? "0" : "")\(exponent)"
  }
}
