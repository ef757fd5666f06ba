import Foundation
import HealthCollector
import HealthLedger
import HealthModel
import HealthStreams
import Secrets
import SyncClients

extension PhoneService {
  /// Sends the days of the catch-up window as records, with their sleep and workouts, and those since
  /// the last time where that was longer ago. Only days that changed are sent; sent again, they are the
  /// same rows.
  ///
  /// - Parameter progress: called with the days that are sent and those that there are.
  public func syncRecords(
    progress: @escaping @Sendable (_ days: Int, _ all: Int) async -> Void = { _, _ in }
  ) async throws {
    try health.check()
    let today = try today()
    let missed = settings.recordsThrough.map { today.daysSince1970 - $0.daysSince1970 } ?? 0
    let dates = CollectorRun(
      today: today, catchUpDays: max(CollectorRun.defaultCatchUpDays, min(missed, Self.mostMissed))
    ).dates
    try await send(dates.reversed(), startingAt: 0, progress)
    try change { $0.recordsThrough = today }
  }

  /// Ten years. A longer time means that the clock was wrong.
  private static let mostMissed = 3660

  /// Stops sending. Connecting again fills in the past, including the time in between.
  func connectRecords(_ isConnected: Bool) throws {
    try change { settings in
      settings.sendsRecords = isConnected
      if !isConnected {
        (settings.isFilled, settings.recordsReach, settings.recordsThrough) = (false, nil, nil)
      }
    }
    if !isConnected { try? FileManager.default.removeItem(atPath: files.records) }
  }

  /// Sends all days that HealthKit has, the newest first. A backfill that was ended goes on where it
  /// stopped, after a restart too.
  ///
  /// - Parameter progress: called with the days that are sent and those that there are.
  public func backfillRecords(
    progress: @escaping @Sendable (_ days: Int, _ all: Int) async -> Void = { _, _ in }
  ) async throws {
    guard let earliest = try await health.earliest() else {
      return await progress(0, 0)
    }
    let zone = environment.timeZoneName()
    let first = try ReportingDay.date(at: earliest, timeZoneName: zone)
    let today = try today()
    var dates: [CalendarDate] = []
    var date: CalendarDate? = today
    while let next = date, next >= first {
      dates.append(next)
      date = next.adding(days: -1)
    }
    // The days since the checkpoint was made are new, and are sent first.
    let kept = settings.recordsReach
    let done = kept.flatMap { dates.firstIndex(of: $0) }.map { $0 + 1 } ?? 0
    if done > 0 { try await syncRecords() }
    try await send(dates, startingAt: done, progress) { date in
      try self.change { $0.recordsReach = date }
    }
    try change { ($0.recordsReach, $0.recordsThrough) = (nil, today) }
  }

  private func send(
    _ dates: [CalendarDate], startingAt done: Int,
    _ progress: @Sendable (_ days: Int, _ all: Int) async -> Void,
    sent: (CalendarDate) throws -> Void = { _ in }
  ) async throws {
    guard case .hub(let url)? = settings.receiver else {
      throw PhoneFailure("records need an endpoint; enter one in Settings > Endpoint")
    }
    let client = try RecordClient(url, token: try token(), attempts: 2)
    var memory = SentRecords(file: files.records, receiver: url)
    await progress(done, dates.count)
    for (number, date) in dates.enumerated().dropFirst(done) {
      try Task.checkCancellation()
      // The zone may have skipped the date.
      if let day = day(of: date) { try await send(day, to: client, &memory) }
      try sent(date)
      await progress(number + 1, dates.count)
    }
  }

  private func send(
    _ day: ReportingDay, to client: RecordClient, _ memory: inout SentRecords
  ) async throws {
    let (start, end) = (day.start.timestamp, day.end.timestamp)
    let readings = try await readings(of: day)
    let sleep = try await health.samples(of: .sleepAnalysis, from: start, to: end)
      .filter { start <= $0.start && $0.start < end }.compactMap(SleepSegment.init)
    let workouts = try await health.workouts(from: start, to: end)
    let content = SentRecords.content(day, readings, sleep, workouts)
    guard !memory.has(content, day.date) else { return }
    if !readings.isEmpty {
      let revision = DailyRevision(
        day: day, generatedAt: environment.now(), collector: identity, readings: readings)
      _ = try await client.post([revision])
    }
    if !sleep.isEmpty { _ = try await client.post(sleep) }
    if !workouts.isEmpty {
      _ = try await client.post(workouts, timeZoneName: day.timeZoneName)
    }
    memory.sent(content, day.date)
  }
}

extension SleepSegment {
  /// A sample of sleep as a period; nil for an unknown value.
  fileprivate init?(_ entry: StreamEntry) {
    guard let members = try? JSONValue(parsing: entry.bytes),
      let value = members["value"]?.numberValue.flatMap({ Int(exactly: $0) })
        .flatMap(SleepValue.init)
    else { return nil }
    self.init(
      id: entry.id, value: value, start: Int64(entry.start.secondsSince1970),
      end: Int64(entry.end.secondsSince1970), source: members["source"]?.stringValue ?? "")
  }
}
