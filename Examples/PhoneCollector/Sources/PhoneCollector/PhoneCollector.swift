import Foundation
import HealthCollector
import HealthLedger
import HealthModel
import HealthStreams
import Outbox
import SyncClients

/// A whole collector: it queues each new sample once, uploads the queues, publishes the days that have
/// changed, and pushes their newest values. Kill it whenever you like: what it has is on the disk.
struct PhoneCollector: Sendable {
  /// Where samples come from: HealthKit, the location manager, the microphone.
  let source: any DailySource
  /// A durable queue for each receiver: a hub, a bucket.
  let queues: [(outbox: Outbox, receiver: any BatchReceiver)]
  /// Where daily revisions are published.
  let ledger: HealthLedger
  /// Who we are: made at the first start, found again ever after.
  let identity: Collector
  /// Where the newest values are pushed; nil for nowhere.
  let gateway: GatewayClient?
  /// The zone of the person's days.
  let zone: String
  /// What the last piece left of a run.
  let budget: URL

  /// Does a piece of a background task, of 30 s at most. The next call goes on with what is left.
  ///
  /// - Returns: what failed, for people.
  func run(_ task: BackgroundTask, within limit: Duration = .seconds(30)) async throws -> [String] {
    let saved = try? Data(contentsOf: budget)
    var budget = RunBudget(task.steps, resuming: saved.map { [UInt8]($0) })
    let report = try await budget.perform(within: limit) { saved in
      try Data(saved).write(to: self.budget, options: .atomic)
    } _: { step in
      switch step {
      case .collect: try await collect()
      case .sync: try await sync()
      case .recompute: try await recompute()
      case .push: try await push()
      }
      return false
    }
    return report.failures.map { "\($0.step): \($0.error)" }
  }

  /// Moves what is new in each feed into each queue, together with the feed's anchor.
  func collect() async throws {
    for (outbox, _) in queues {
      for feed in source.feeds {
        _ = try await ChangeMover(from: source, to: outbox).move(feed: feed) { _ in
          // Time is up. What was moved stays moved.
          try Task.checkCancellation()
        }
      }
    }
  }

  /// Uploads what is queued, one request for each stream that has something.
  func sync() async throws {
    var failures: [DeliveryFailure] = []
    for (outbox, receiver) in queues { failures += try await outbox.sync(to: receiver).failures }
    // One receiver does not wait for another. What failed is tried again when its time has come.
    if let failure = failures.first { throw Refused(why: "\(failure.code): \(failure.message)") }
  }

  /// Publishes today and the days before it where they have changed.
  func recompute() async throws {
    for (day, total) in try await days() {
      try Task.checkCancellation()
      _ = try await ledger.publish(
        DayDraft(
          day: day, collector: identity, readings: [.steps: .value(total)], capturedAt: .now))
    }
  }

  /// Pushes what the ledger says of these days.
  func push() async throws {
    guard let gateway else { return }
    var revisions: [DailyRevision] = []
    for (day, _) in try await days() {
      let found = try await ledger.resolve(day.date)
      if let latest = found.latest { revisions.append(latest.revision) }
    }
    let today = try ReportingDay.date(at: .now, timeZoneName: zone)
    _ = try await gateway.push(revisions, today: today)
  }

  /// The days that a run looks at and that have data. A day without is left out, and is never a zero.
  private func days() async throws -> [(ReportingDay, total: Double)] {
    var days: [(ReportingDay, Double)] = []
    let today = try ReportingDay.date(at: .now, timeZoneName: zone)
    for date in CollectorRun(today: today).dates {
      let day = try ReportingDay(date: date, timeZoneName: zone)
      if let total = try await source.steps(on: day) { days.append((day, total)) }
    }
    return days
  }

  /// What an app shows, counted in the queues' tables.
  func status() throws -> String {
    try queues.map { outbox, _ in
      let status = try outbox.status()
      let streams = StreamName.collected.map { stream in
        "\(stream.shortName) \(status.streamCounts[stream]?.pending ?? 0)"
      }
      let last = status.lastSuccessfulSyncDate.map { "\($0)" } ?? "never"
      return "waiting: \(streams.joined(separator: ", ")); last synced \(last)"
    }.joined(separator: "\n")
  }
}

/// A source of samples that also knows a day's steps, as HealthKit's statistics query does.
protocol DailySource: SampleSource {
  var feeds: [String] { get }
  func steps(on day: ReportingDay) async throws -> Double?
}
