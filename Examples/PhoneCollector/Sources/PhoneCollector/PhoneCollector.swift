import Foundation
import HealthCollector
import HealthLedger
import HealthModel
import HealthStreams
import ObjectStore

/// A whole collector: it queues each new sample once, and publishes today and the days before it
/// where they have changed. It runs twice, as a phone would in the morning and at night.
///
/// On a phone the folder would lie in iCloud Drive, `Steps` would be HealthKit, and `Queue` a
/// database.
@main
struct PhoneCollector {
  let ledger: HealthLedger
  let identity: Collector
  let steps: Steps
  let queue: Queue
  let zone = "Europe/Berlin"

  static func main() async throws {
    let home = FileManager.default.temporaryDirectory
      .appending(path: "phone-collector-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: home) }
    let store = try DirectoryStore(root: home.appending(path: "ledger"), createsRoot: true)
    let phone = PhoneCollector(
      ledger: HealthLedger(store: store),
      // Who we are: made at the first start, found again ever after.
      identity: try CollectorIdentity.loadOrCreate(in: home.appending(path: "settings")),
      steps: Steps(), queue: Queue())

    let now = Timestamp.now
    await phone.steps.walk(1250, at: now.adding(seconds: -60))
    let morning = try await phone.run(at: now)
    // The watch delivers last night's steps only now.
    await phone.steps.walk(8624, at: now.adding(seconds: -30))
    await phone.steps.walk(400, at: now.adding(seconds: -86_400))
    let night = try await phone.run(at: now)
    let again = try await phone.run(at: now)

    let queued = await phone.queue.entries.map(\.id)
    guard morning == 1, night == 2, again == 0, queued.count == 3, Set(queued).count == 3 else {
      FileHandle.standardError.write(Data("what was collected is not what there was\n".utf8))
      exit(1)
    }
  }

  /// One run: on a launch, when HealthKit wakes the app, or by a timer.
  ///
  /// - Returns: how many days were published.
  func run(at now: Timestamp) async throws -> Int {
    let moved = try await ChangeMover(from: steps, to: queue).move(feed: Steps.feed)
    let today = try ReportingDay.date(at: now, timeZoneName: zone)
    var published = 0
    for date in CollectorRun(today: today).dates {
      let day = try ReportingDay(date: date, timeZoneName: zone)
      guard let total = await steps.total(of: day) else { continue }
      let outcome = try await ledger.publish(
        DayDraft(
          day: day, collector: identity, readings: [.steps: .value(total)], capturedAt: now))
      if case .unchanged = outcome { continue }
      published += 1
      print("\(date): \(outcome.word) \(Int(total)) steps")
    }
    print("\(today): \(moved.added) samples queued, \(published) days published")
    return published
  }
}

/// What HealthKit would be: samples in the order in which they were added, and an anchor that counts
/// them. `HKAnchoredObjectQuery` has the same shape.
actor Steps: SampleSource {
  static let feed = "HKQuantityTypeIdentifierStepCount"
  private var samples: [(id: UUID, count: Int, at: Timestamp)] = []

  func walk(_ count: Int, at moment: Timestamp) { samples.append((UUID(), count, moment)) }

  func total(of day: ReportingDay) -> Double? {
    let own = samples.filter { day.start.timestamp <= $0.at && $0.at < day.end.timestamp }
    return own.isEmpty ? nil : own.reduce(0) { $0 + Double($1.count) }
  }

  func changes(of feed: String, since anchor: [UInt8]?) async throws -> SampleChanges {
    let known = anchor.flatMap { Int(String(decoding: $0, as: UTF8.self)) } ?? 0
    let added = try samples.dropFirst(known).map { sample in
      try StreamEntry(
        .object([
          "sample_type": .string(feed), "uuid": .string(sample.id.uuidString),
          "timestamp": .string("\(sample.at)"), "value": .number(Double(sample.count)),
          "unit": .string("count"),
        ]), of: .healthKit)
    }
    return SampleChanges(
      added: added, deleted: [], newAnchor: Array("\(samples.count)".utf8), isComplete: true)
  }
}

/// A queue in memory. What makes it one: entries and anchor move together, or not at all.
actor Queue: EntryQueue {
  private(set) var entries: [StreamEntry] = []
  private var anchors: [String: [UInt8]] = [:]

  func anchor(of feed: String) async throws -> [UInt8]? { anchors[feed] }

  func enqueue(
    _ entries: [StreamEntry], feed: String, movingAnchorFrom old: [UInt8]?, to new: [UInt8]
  ) async throws {
    guard anchors[feed] == old else { throw AnchorMoved(feed: feed) }
    self.entries += entries
    anchors[feed] = new
  }
}
