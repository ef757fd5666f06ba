import Foundation
import HealthLedger
import HealthModel
import ObjectStore
import StoreTesting

/// One writer: publishes its days one after another, each until it is acknowledged.
struct LiveWriter: Sendable {
  private let crew: LiveCrew
  private let client: Int
  private let name: String
  private let day: ReportingDay?
  private let ledger: HealthLedger
  private let recording: RecordingStore
  private let faulted: FaultInjectingStore
  /// How many requests were looked at for their faults.
  private let seen = Counter()
  private let looksOnce: LooksOnceStore?

  init(
    _ crew: LiveCrew, client: Int, _ date: CalendarDate, _ layout: LedgerLayout
  ) {
    (self.crew, self.client) = (crew, client)
    name = Self.name(client)
    let order = crew.order
    day = try? ReportingDay(date: date, timeZoneName: "UTC")
    let seed = order.seed ^ UInt64(truncatingIfNeeded: client &+ 1) &* 0x9E37_79B9_7F4A_7C15
    faulted = FaultInjectingStore(crew.store, plan: order.faults.plan(seed: seed))
    var base: any ObjectStore = faulted
    if order.assumesCompareAndSwap { base = AssumingStore(base: base) }
    let subject = order.subject.store(over: base, layout)
    looksOnce = subject as? LooksOnceStore
    recording = RecordingStore(subject, layout) { id, digest in
      crew.note(.sent(client: client, id: id.rawValue, digest: digest, at: crew.clock()))
    }
    var environment = LedgerEnvironment.system
    environment.now = crew.now
    ledger = HealthLedger(store: recording, layout: layout, environment: environment)
  }

  static func name(_ client: Int) -> String { "writer-\(client + 1)" }

  func run() async {
    let progress = crew.order.progress[client] ?? LiveProgress()
    var number = progress.next
    while number < crew.order.quota, crew.goesOn {
      let isDue = progress.isBegun && number == progress.next
      guard isDue || crew.clock() < crew.order.deadline else { break }
      guard await publish(number) else { break }
      if number % 8 == 7 { await readBack() }
      number += 1
    }
    await faulted.settle()
    noteFaults()
  }

  /// Publishes until acknowledged. Returns false if it was abandoned.
  private func publish(_ number: Int) async -> Bool {
    var attempt = 0
    while crew.goesOn {
      attempt += 1
      guard let draft = draft(number) else { return false }
      crew.note(.began(client: client, number: number, at: crew.clock()))
      _ = recording.startOver()
      looksOnce?.startOver()
      do {
        let outcome = try await ledger.publish(draft)
        end(number, outcome.revisionID, outcome.word)
        return true
      } catch {
        if let id = looksOnce?.ended {
          end(number, id, "published")
          return true
        }
        crew.note(
          .failed(
            client: client, number: number, requests: recording.startOver(),
            message: String(error.message.prefix(500))))
      }
      guard crew.clock() < crew.order.lastCall else { break }
      try? await Task.sleep(for: .milliseconds(Int.random(in: 1...min(500, 20 * attempt))))
    }
    crew.note(.gaveUp(client: client, number: number))
    return false
  }

  private func end(_ number: Int, _ id: RevisionID, _ outcome: String) {
    crew.note(
      .ended(
        client: client, number: number, id: id.rawValue, outcome: outcome,
        requests: recording.startOver(), at: crew.clock()))
    noteFaults()
  }

  /// A writer reads its own writes.
  private func readBack() async {
    guard let date = day?.date else { return }
    _ = await crew.observe(name) { .read(try await ledger.resolve(date).latest?.id) }
  }

  private func noteFaults() {
    let entries = faulted.log.entries
    var counts: [String: Int] = [:]
    for entry in entries.dropFirst(seen.exchange(entries.count)) {
      let kind = LiveFaults.Kind.allCases.first { $0.fault == entry.fault }
      if let kind { counts[kind.rawValue, default: 0] += 1 }
    }
    if !counts.isEmpty { crew.note(.struck(counts)) }
  }

  /// Data that nobody else publishes, and that is the same for every attempt of this publish.
  private func draft(_ number: Int) -> DayDraft? {
    guard let day else { return nil }
    let low = UInt8(truncatingIfNeeded: client)
    let high = UInt8(truncatingIfNeeded: client >> 8)
    let id = UUID(uuid: (0xAC, 0xE0, 0, 0, 0, 0, 0x40, 0, 0x80, 0, 0, 0, 0, 0, high, low))
    let words = Self.words(client, number)
    var readings = words.mapValues { MetricReading.value($0) }
    if client % 3 == 2 {
      (readings[.restingHeartRate], readings[.sleepAsleep]) = (.value(58), .unauthorized)
    }
    guard let source = DataSource(rawValue: Self.name(client)) else { return nil }
    return DayDraft(
      day: day, collector: Collector(collectorID: id, deviceID: id), source: source,
      readings: readings, capturedAt: day.start.timestamp)
  }

  /// What a publish says. Every third writer's source has everything, the others' steps or energy
  /// alone.
  static func words(_ client: Int, _ number: Int) -> [DailyMetric: Double] {
    let number = Double(client * 1_000_000 + number)
    return switch client % 3 {
    case 0: [.steps: number]
    case 1: [.activeEnergy: number]
    default: [.steps: number, .activeEnergy: number]
    }
  }
}

/// A store that is taken to have compare-and-swap, whatever its probe has found. A race needs this to
/// show what goes wrong on a store that the probe refuses. The writes themselves are unchanged.
private struct AssumingStore: ForwardingStore {
  let base: any ObjectStore

  func conditionalWrites() async throws(StoreError) -> ConditionalWrites { .compareAndSwap }
}
