import Foundation
import HealthCollector
import HealthExports
import HealthLedger
import HealthModel
import HealthStreams
import Outbox
import Secrets
import SyncClients

extension PhoneService {
  /// Told while records are sent.
  public typealias RecordProgressReport = @Sendable (RecordProgress) async -> Void

  /// Sends the days of the catch-up window as records, with their sleep and workouts; those since the last
  /// time where that was longer ago; and each older day of which Health has news. Of the newest days only
  /// those that changed are sent; sent again, they are the same rows.
  public func syncRecords(progress: @escaping RecordProgressReport = { _ in }) async throws {
    let today = try today()
    let missed = settings.recordsThrough.map { today.daysSince1970 - $0.daysSince1970 } ?? 0
    let window = CollectorRun(
      today: today, catchUpDays: max(CollectorRun.defaultCatchUpDays, min(missed, Self.mostMissed))
    ).dates
    var changed = ChangedDates(file: files.changedDates)
    try await noteNews(&changed, before: window.first ?? today)
    let known = Set(window)
    let older = changed.dates.filter { !known.contains($0) }
    try await send(
      window.reversed() + older, startingAt: 0, progress, deleted: { changed.deleted(on: $0) }
    ) { dates in
      changed.remove(dates)
      changed.save()
    }
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
        settings.recordsSyncedAt = nil
      }
    }
    guard !isConnected else { return }
    for file in [files.records, files.changedDates] {
      try? FileManager.default.removeItem(atPath: file)
    }
  }

  /// Sends all days from the first sample of any type on, the newest first. A backfill that was ended goes
  /// on where it stopped, after a restart too.
  public func backfillRecords(progress: @escaping RecordProgressReport = { _ in }) async throws {
    let today = try today()
    // What comes from now on is news, also of days that will have been sent.
    var changed = ChangedDates(file: files.changedDates)
    try await noteNews(&changed, before: today)
    guard let earliest = try await earliest() else { return await progress(RecordProgress()) }
    let zone = environment.timeZoneName()
    let first = try ReportingDay.date(at: earliest, timeZoneName: zone)
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
    try await send(dates, startingAt: done, progress) { sent in
      try self.change { $0.recordsReach = sent.last }
    }
    try change { ($0.recordsReach, $0.recordsThrough) = (nil, today) }
  }

  /// When the oldest sample or workout begins. Each type is asked for its first, because a date before
  /// which there is nothing is no first.
  private func earliest() async throws -> Timestamp? {
    var earliest = try await health.first(of: nil)
    for kind in SampleKind.allCases {
      try Task.checkCancellation()
      guard let first = try await health.first(of: kind) else { continue }
      earliest = min(earliest ?? first, first)
    }
    return earliest
  }

  // MARK: - News

  /// Notes the dates before another one of which Health has news. Of a deleted sample it gives the id alone:
  /// the queue remembers when those were that went through it.
  private func noteNews(_ changed: inout ChangedDates, before end: CalendarDate) async throws {
    defer { changed.save() }
    for feed in SampleKind.allCases.map(\.identifier) + [HealthKitWorkout.feed] {
      try await changed.read(feed, from: health, before: end) { entries in
        let deleted = try outbox().filed(entries.filter(\.isDeletion))
        return Set((entries.filter { !$0.isDeletion } + deleted).flatMap { dates(of: $0) })
      }
    }
  }

  /// The dates that an entry touches. Those of days in another zone than today's may be one off.
  private func dates(of entry: StreamEntry) -> Set<CalendarDate> {
    let zone = environment.timeZoneName()
    let dates = try? TouchedDates.dates(
      from: entry.start, to: entry.end, receivedAt: environment.now()
    ) { moment throws(ReportingDay.Failure) in
      try ReportingDay.date(at: moment, timeZoneName: zone)
    }
    return Set(
      (dates ?? []).flatMap { date in
        settings.zones.zone(of: date) ?? zone == zone
          ? [date] : (-1...1).compactMap { date.adding(days: $0) }
      })
  }

  // MARK: - Sending

  private func send(
    _ dates: [CalendarDate], startingAt done: Int, _ report: RecordProgressReport,
    deleted: (CalendarDate) -> Set<String> = { _ in [] },
    sent: ([CalendarDate]) throws -> Void
  ) async throws {
    guard case .hub(let url)? = settings.receiver else {
      throw PhoneFailure("records need an endpoint; enter one in Settings > Endpoint")
    }
    let client = try RecordClient(url, token: try token(), attempts: 2)
    var memory = SentRecords(file: files.records, receiver: url)
    var progress = RecordProgress(days: done, allDays: dates.count)
    await report(progress)
    var waiting = RecordsOfDays()
    for date in dates.dropFirst(done) {
      try Task.checkCancellation()
      var found = try await records(of: date, deleted: deleted(date))
      if memory.has(found) { found = RecordsOfDays(nothingOf: date) }
      if !waiting.hasRoom(for: found) {
        progress.records += try await post(waiting, to: client, &memory)
        try sent(waiting.dates)
        progress.days += waiting.dates.count
        await report(progress)
        waiting = RecordsOfDays()
      }
      waiting.add(found)
    }
    progress.records += try await post(waiting, to: client, &memory)
    try sent(waiting.dates)
    progress.days += waiting.dates.count
    await report(progress)
  }

  /// How many records the server has taken.
  private func post(
    _ records: RecordsOfDays, to client: RecordClient, _ memory: inout SentRecords
  ) async throws -> Int {
    var count = 0
    for batch in records.batches {
      let (counts, refused) = try await client.post(whatCountsOf: batch)
      count += counts.received
      guard let first = refused.first else { continue }
      log(
        type: "records_left_out",
        "\(refused.count) \(batch.kind.rawValue) are out of bounds; the first: \(first.pointer) "
          + first.message)
    }
    memory.sent(records)
    return count
  }

  private func records(
    of date: CalendarDate, deleted: Set<String>
  ) async throws -> RecordsOfDays {
    // The zone may have skipped the date.
    guard let day = day(of: date) else { return RecordsOfDays(nothingOf: date) }
    let (start, end) = (day.start.timestamp, day.end.timestamp)
    let sleep = try await health.samples(of: .sleepAnalysis, from: start, to: end)
      .filter { start <= $0.start && $0.start < end }.compactMap(SleepSegment.init)
    return RecordsOfDays(
      day, try await readings(of: day), sleep,
      try await health.workouts(from: start, to: end), deleted: deleted)
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
