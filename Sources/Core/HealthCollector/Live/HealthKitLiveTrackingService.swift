public import Foundation
package import HealthModel

/// Follows today's steps, distance and active energy (R58) over any
/// `SampleSource`, so over HealthKit on a phone, and over a list of samples in a test.
///
/// Each query keeps its own anchor and adds only what is new. At midnight in the reporting zone, on
/// days of 23 to 25 hours too, it begins the next day; after a change of the clock or the zone it is
/// right at the next question to the source.
///
/// ```swift
/// let service = HealthKitLiveTrackingService(
///   source: source, clock: LiveClock(timeZoneName: { "Europe/Berlin" }))
/// let steps = service.startStepTracking { print("Current steps: \($0)") }
/// service.stopTracking(queryID: steps)
/// ```
@MainActor
public final class HealthKitLiveTrackingService {
  private let source: any SampleSource
  private let clock: LiveClock
  private let log: @MainActor (String) -> Void
  private var queries: [UUID: Query] = [:]

  /// One metric that is followed.
  private struct Query {
    let metric: DailyMetric
    let update: @MainActor (Double) -> Void
    let failed: @MainActor (any Error) -> Void
    var totals: LiveTotals?
    var anchor: [UInt8]?
    /// What was reported last.
    var reported: Double?
    /// The latest question to the source. The next one waits for it.
    var reading: Task<Void, Never>?
    /// Asks again and again.
    var loops: [Task<Void, Never>] = []
  }

  /// A service that follows nothing yet.
  ///
  /// - Parameters:
  ///   - source: where samples come from. It is asked each second, or, if it announces news, then, at
  ///     midnight and each hour.
  ///   - clock: the time and the reporting zone.
  ///   - log: gets a line for each error, and where nothing is followed any more.
  public init(
    source: any SampleSource, clock: LiveClock,
    log: @escaping @MainActor (String) -> Void = { _ in }
  ) {
    (self.source, self.clock, self.log) = (source, clock, log)
  }

  /// Follows the steps of today.
  ///
  /// - Parameter update: called on the main actor with today's steps, at first and whenever they
  ///   change; 0 where there are no samples yet.
  /// - Returns: the id to stop it by.
  public func startStepTracking(_ update: @escaping @MainActor (Int) -> Void) -> UUID {
    start(.steps) { update(Int($0.rounded())) }
  }

  /// Follows the distance of today on foot, in kilometres.
  public func startDistanceTracking(_ update: @escaping @MainActor (Double) -> Void) -> UUID {
    start(.distance) { update($0 / 1000) }
  }

  /// Follows the active energy of today, in kilocalories.
  public func startActiveEnergyTracking(_ update: @escaping @MainActor (Double) -> Void) -> UUID {
    start(.activeEnergy, update)
  }

  /// Stops one query. Its `update` is not called any more.
  public func stopTracking(queryID: UUID) {
    guard let query = queries.removeValue(forKey: queryID) else { return }
    for loop in query.loops { loop.cancel() }
    query.reading?.cancel()
    if queries.isEmpty { log("⏹️ Stopped all live tracking") }
  }

  /// Stops every query, whoever began it.
  public func stopAllTracking() {
    for id in queries.keys { stopTracking(queryID: id) }
  }

  /// Whether anything is followed.
  public var isTracking: Bool { !queries.isEmpty }

  /// Asks the source now, for every query, and returns when all have answered.
  public func refresh() async {
    for reading in queries.keys.map(ask) { await reading.value }
  }

  // MARK: - Queries

  /// Follows any metric of a day, in its own unit.
  package func start(
    _ metric: DailyMetric, _ update: @escaping @MainActor (Double) -> Void,
    failed: @escaping @MainActor (any Error) -> Void = { _ in }
  ) -> UUID {
    let id = UUID()
    queries[id] = Query(metric: metric, update: update, failed: failed)
    let (clock, feed) = (clock, metric.kind.identifier)
    _ = ask(id)
    var loops = [
      Task { [weak self] in
        while let pause = self?.pause, (try? await clock.rest(pause)) != nil {
          await self?.ask(id).value
        }
      }
    ]
    if let source = source as? any AnnouncingSampleSource {
      loops.append(
        Task { [weak self] in
          for await _ in source.announcements(of: feed) { await self?.ask(id).value }
        })
    }
    queries[id]?.loops = loops
    return id
  }

  /// Seconds until a source is asked without a sign of news. Midnight announces nothing, nor does a clock
  /// or a zone that is changed.
  private var pause: Int {
    guard source is any AnnouncingSampleSource else { return 1 }
    let (now, zone) = (clock.now(), clock.timeZoneName())
    let day = try? ReportingDay(
      date: ReportingDay.date(at: now, timeZoneName: zone), timeZoneName: zone)
    guard let end = day?.end.timestamp.secondsSince1970 else { return 3600 }
    return min(3600, max(1, end - now.secondsSince1970))
  }

  /// Asks the source for one query, after any question that is on its way.
  private func ask(_ id: UUID) -> Task<Void, Never> {
    let earlier = queries[id]?.reading
    let task = Task {
      await earlier?.value
      await read(id)
    }
    queries[id]?.reading = task
    return task
  }

  private func read(_ id: UUID) async {
    guard let metric = queries[id]?.metric else { return }
    let feed = metric.kind.identifier
    do {
      var isComplete = false
      while !isComplete {
        try moveToToday(id)
        guard let query = queries[id] else { return }
        let changes = try await source.changes(of: feed, since: query.anchor)
        // Stopped, or begun anew, while the source was thinking.
        guard queries[id] != nil, !Task.isCancelled else { return }
        queries[id]?.totals?.apply(changes, of: feed, at: clock.now())
        queries[id]?.anchor = changes.newAnchor
        isComplete = changes.isComplete
      }
      // Midnight may have come meanwhile.
      try moveToToday(id)
    } catch {
      log("❌ \(metric.label) could not be read: \(error)")
      queries[id]?.failed(error)
      return
    }
    let number = queries[id]?.totals?.number(of: metric) ?? 0
    guard let query = queries[id], query.reported != number else { return }
    queries[id]?.reported = number
    query.update(number)
  }

  /// Begins today where the query still has another day or zone.
  private func moveToToday(_ id: UUID) throws {
    guard let query = queries[id] else { return }
    let zone = clock.timeZoneName()
    let today = try ReportingDay.date(at: clock.now(), timeZoneName: zone)
    guard let totals = query.totals else {
      queries[id]?.totals = try Self.totals(today, zone, query.metric)
      return
    }
    guard totals.date != today || totals.timeZoneName != zone else { return }
    if try queries[id]?.totals?.move(to: today, timeZoneName: zone) == false {
      queries[id]?.anchor = nil
    }
  }

  private static func totals(
    _ date: CalendarDate, _ zone: String, _ metric: DailyMetric
  ) throws -> LiveTotals {
    try LiveTotals(of: date, timeZoneName: zone, metrics: [metric])
  }
}
