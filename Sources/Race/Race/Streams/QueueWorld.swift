import HealthModel
import HealthStreams
import Outbox

/// Two collectors and two syncs of one outbox, and a receiver, with faults (R47, R48).
///
/// The syncs are the production machine. A sync may be killed before or after any of its actions.
package struct QueueWorld: RacedWorld {
  package enum Answer: String, Hashable, Sendable {
    case confirmed, refused
    case lostAnswer = "lost answer"
    case serverError = "server error"
    case offline
    case delayed = "delayed create"
  }

  package enum Step: Hashable, CustomStringConvertible {
    case sampleArrives
    case readAnchor(Int)
    case enqueue(Int)
    case startSync(Int)
    case take(Int)
    case deliver(Int, Answer)
    case apply(Int)
    case kill(Int)
    case killCollector(Int)
    case land
    case wait
    case clockJumpsBack
    case drop

    package var description: String {
      switch self {
      case .sampleArrives: "a sample arrives"
      case .readAnchor(let collector): "collector \(collector) reads the anchor and the samples"
      case .enqueue(let collector): "collector \(collector) queues what it read"
      case .startSync(let sync): "sync \(sync) starts"
      case .take(let sync): "sync \(sync) takes a batch"
      case .deliver(let sync, let answer): "sync \(sync) delivers it: \(answer.rawValue)"
      case .apply(let sync): "sync \(sync) applies the change"
      case .kill(let sync): "sync \(sync) is killed"
      case .killCollector(let collector): "collector \(collector) is killed"
      case .land: "a delayed create arrives"
      case .wait: "five minutes pass"
      case .clockJumpsBack: "the clock is set back a year"
      case .drop: "the disk is full: the oldest row is dropped"
      }
    }
  }

  private struct Sync: Hashable {
    var machine: StreamSyncMachine
    var action: StreamSyncMachine.Action
  }

  private struct Stored: Hashable {
    let id: String
    let entries: [Int]
  }

  private struct Reading: Hashable {
    var anchor: Int
    var seen: Int
    var hasMovedAnchor = false
  }

  private let scenario: OutboxScenario
  private var arrived = 1
  private var readings: [Reading?]
  private var syncs: [Sync?]
  private var table = OutboxTable()
  private var stored: Set<Stored> = []
  private var delayed: [Stored] = []
  /// Entries whose queueing was acknowledged to their collector.
  private var acknowledged: Set<Int> = []
  private var now = Timestamp(secondsSince1970: 1_800_000_000)
  private var faults: Int
  private var crashes: Int
  private var clockJumps: Int
  private var drops: Int

  package var title: String { scenario.title }

  package init(_ scenario: OutboxScenario) {
    self.scenario = scenario
    readings = Array(repeating: nil, count: scenario.collectors)
    syncs = Array(repeating: nil, count: scenario.syncs)
    (faults, crashes) = (scenario.faults, scenario.crashes)
    (clockJumps, drops) = (scenario.clockJumps, scenario.drops)
  }

  package var steps: [Step] {
    var steps: [Step] = []
    if arrived < scenario.samples { steps.append(.sampleArrives) }
    for (collector, reading) in readings.enumerated() {
      if reading != nil {
        steps.append(.enqueue(collector))
        if crashes > 0 { steps.append(.killCollector(collector)) }
      } else if table.anchor < arrived {
        steps.append(.readAnchor(collector))
      }
    }
    for (number, sync) in syncs.enumerated() { steps += self.steps(of: number, sync) }
    if !delayed.isEmpty { steps.append(.land) }
    if clockJumps > 0, !table.batches.isEmpty { steps.append(.clockJumpsBack) }
    if drops > 0, table.rows.contains(where: { $0.state == .waiting }) { steps.append(.drop) }
    // Time passes only when nothing else can happen: that ends each wait, and no run is cut off.
    if steps.isEmpty, table.batches.contains(where: { !$0.isGivenUp }) { steps.append(.wait) }
    return steps
  }

  private func steps(of number: Int, _ sync: Sync?) -> [Step] {
    guard let sync else { return hasWork ? [.startSync(number)] : [] }
    var steps: [Step] = []
    switch sync.action {
    case .take: steps = [.take(number)]
    case .apply: steps = [.apply(number)]
    case .deliver(let batch):
      let isRefused = scenario.refused.map { entries(of: batch).contains($0) } ?? false
      steps = [.deliver(number, isRefused ? .refused : .confirmed)]
      if faults > 0 {
        let answers: [Answer] =
          isRefused
          ? [.serverError, .offline] : [.lostAnswer, .serverError, .offline, .delayed]
        steps += answers.map { .deliver(number, $0) }
      }
    case .finish: break
    }
    if crashes > 0 { steps.append(.kill(number)) }
    return steps
  }

  private var hasWork: Bool {
    table.rows.contains { $0.state == .waiting }
      || table.batches.contains {
        !$0.isGivenUp && RetryRule.isDue($0.state.nextAttempt, now: now)
      }
  }

  /// The entries of a batch as it is sent.
  private func entries(of batch: BatchState) -> [Int] {
    if scenario.flaw == .unsealed {
      return table.rows.filter { $0.state != .uploaded && $0.state != .dropped }.map(\.entry)
    }
    let names = batch.id.split(separator: ":").last?.split(separator: "+") ?? []
    return names.compactMap { Int($0) }
  }

  package mutating func take(_ step: Step) -> [String] {
    switch step {
    case .sampleArrives: arrived += 1
    case .readAnchor(let collector):
      readings[collector] = Reading(anchor: table.anchor, seen: arrived)
    case .enqueue(let collector): enqueue(collector)
    case .startSync(let number):
      var machine = StreamSyncMachine(stream: .healthKit)
      let action = machine.start()
      syncs[number] = Sync(machine: machine, action: action)
    case .take(let number): handle(number, .taken(table.take(now: now)))
    case .apply(let number):
      if case .apply(let change) = syncs[number]?.action { table.apply(change) }
      handle(number, .applied)
    case .deliver(let number, let answer): return deliver(number, answer)
    case .kill(let number):
      crashes -= 1
      syncs[number] = nil
      return ["a sync killed"]
    case .killCollector(let collector):
      crashes -= 1
      readings[collector] = nil
      return ["a collector killed"]
    case .land: stored.insert(delayed.removeFirst())
    case .wait: now = now.adding(seconds: 300)
    case .clockJumpsBack:
      clockJumps -= 1
      now = now.adding(seconds: -31_536_000)
      return ["clock set back"]
    case .drop:
      drops -= 1
      table.dropOldest(recordsGap: scenario.flaw != .dropsSilently)
      return ["row dropped"]
    }
    return []
  }

  private mutating func enqueue(_ collector: Int) {
    guard var reading = readings[collector] else { return }
    readings[collector] = nil
    if scenario.flaw == .anchorApart {
      if !reading.hasMovedAnchor {
        guard table.anchor == reading.anchor else { return }
        table.anchor = reading.seen
        reading.hasMovedAnchor = true
        readings[collector] = reading
      } else {
        table.rows += (reading.anchor..<reading.seen).map { OutboxTable.Row(entry: $0) }
        acknowledged.formUnion(reading.anchor..<reading.seen)
      }
    } else if table.enqueue(from: reading.anchor, to: reading.seen) {
      acknowledged.formUnion(reading.anchor..<reading.seen)
    }
  }

  private mutating func handle(_ number: Int, _ event: StreamSyncMachine.Event) {
    guard var sync = syncs[number] else { return }
    sync.action = sync.machine.handle(event)
    if case .finish = sync.action { syncs[number] = nil } else { syncs[number] = sync }
  }

  private mutating func deliver(_ number: Int, _ answer: Answer) -> [String] {
    guard case .deliver(let batch) = syncs[number]?.action else { return [] }
    let object = Stored(
      id: scenario.flaw == .unsealed ? "\(entries(of: batch))" : batch.id,
      entries: entries(of: batch))
    let result: DeliveryResult
    switch answer {
    case .confirmed:
      if scenario.flaw == .confirmsBeforeStoring, faults > 0 {
        // Confirmed, and then the receiver is killed before it stores.
        faults -= 1
      } else {
        stored.insert(object)
      }
      result = .confirmed(at: nil)
    case .refused: result = .failed(DeliveryFailure(.refused, "400"))
    case .lostAnswer:
      stored.insert(object)
      result = .failed(DeliveryFailure(.timeout, "no answer"))
    case .serverError: result = .failed(DeliveryFailure(.server, "503"))
    case .offline: result = .failed(DeliveryFailure(.offline, "no route"))
    case .delayed:
      delayed.append(object)
      result = .failed(DeliveryFailure(.timeout, "no answer"))
    }
    handle(number, .delivered(result, bytes: 100, now: now))
    guard answer != .confirmed, answer != .refused else { return [] }
    faults -= 1
    return [answer.rawValue]
  }

  package var breach: Breach? {
    let held = stored.reduce(into: Set<Int>()) { $0.formUnion($1.entries) }
    for row in table.rows where row.state == .uploaded && !held.contains(row.entry) {
      return Breach(
        OutboxOracle.uploaded,
        "entry \(row.entry) left the outbox as uploaded, and the receiver does not have it")
    }
    for row in table.rows where row.state == .dropped && !held.contains(row.entry) {
      guard table.gaps.contains(row.entry) else {
        return Breach(
          OutboxOracle.gaps, "entry \(row.entry) was dropped, and no gap says so")
      }
    }
    for batch in table.batches {
      for row in batch.rows where table.rows[row].state != .sealed(batch.state.id) {
        return Breach(OutboxOracle.sealed, "a row of batch \(batch.state.id) is not its own")
      }
    }
    // A batch that is split may have been stored whole before; a row that was dropped is read again.
    if scenario.refused == nil, scenario.drops == 0, scenario.flaw != .anchorApart {
      var counts: [Int: Int] = [:]
      for object in stored { for entry in object.entries { counts[entry, default: 0] += 1 } }
      if let twice = counts.filter({ $0.value > 1 }).min(by: { $0.key < $1.key }) {
        return Breach(
          OutboxOracle.once, "entry \(twice.key) is stored in \(twice.value) batches")
      }
    }
    return steps.isEmpty ? breachAtRest(held) : nil
  }

  private func breachAtRest(_ held: Set<Int>) -> Breach? {
    let kept = table.rows.filter { row in
      if case .sealed(let id) = row.state {
        return table.batches.contains { $0.state.id == id && $0.isGivenUp }
      }
      return row.state == .refused
    }
    let safe = held.union(kept.map(\.entry))
    if let lost = acknowledged.subtracting(safe).min() {
      return Breach(OutboxOracle.kept, "entry \(lost) was acknowledged, and is nowhere")
    }
    if let missed = Set(0..<arrived).subtracting(safe).min() {
      return Breach(OutboxOracle.queued, "sample \(missed) of the source was never queued")
    }
    return nil
  }
}

/// What an outbox promises.
package enum OutboxOracle: String, CaseIterable, Sendable {
  case uploaded = "uploaded is stored"
  case gaps = "what is dropped leaves a gap"
  case sealed = "a row is of one batch"
  case once = "stored once"
  case kept = "acknowledged is kept"
  case queued = "each sample is queued"
}

extension QueueWorld {
  package static func actor(of step: Step) -> Int? {
    switch step {
    case .readAnchor(let collector), .enqueue(let collector), .killCollector(let collector):
      collector
    case .startSync(let sync), .take(let sync), .deliver(let sync, _), .apply(let sync),
      .kill(let sync):
      4 + sync
    case .sampleArrives: 8
    case .land: 9
    case .wait, .clockJumpsBack, .drop: nil
    }
  }

  package static func isFault(_ step: Step) -> Bool {
    switch step {
    case .deliver(_, let answer): answer != .confirmed && answer != .refused
    case .kill, .killCollector, .clockJumpsBack, .drop: true
    case .sampleArrives, .readAnchor, .enqueue, .startSync, .take, .apply, .land, .wait: false
    }
  }
}
