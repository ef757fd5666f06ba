import Foundation
import HealthCollector
import HealthExports
import HealthLedger
import HealthModel
import HealthSources
import ObjectStore
import StreamDays
import Synchronization

/// Reads what a push says: the last days from the ledger, and from the configured source today's
/// samples, for the labels, and the newest sample of what was last measured before today (R57).
package struct PushReader: Sendable {
  let opened: OpenedStore
  let settings: Settings
  let selection: PushSelection
  let hasDateLabel: Bool
  /// What a hub has read of its streams. Then they are the source, where none is set.
  var streams: DayCache?
  /// The clock; another one in tests.
  let now: @Sendable () -> Timestamp
  private let said = SaidNotes()

  /// How many days before today are read, when there are older values from pushes before.
  private static let usualDays = 7
  /// The same for the first push.
  private static let firstDays = 60
  /// The most days before today whose samples one push reads: each takes a scan of an export.
  private static let mostDatesRead = 8

  /// Reads the values of this moment. What was read is kept in `kept`.
  func read(_ kept: inout PushMemory.Kept) async throws(LedgerError) -> PushedValues {
    let now = now()
    let today = try settings.zone.date(at: now)
    let back = kept.cache.isEmpty ? Self.firstDays : Self.usualDays
    let days = try await opened.run { ledger async throws(LedgerError) in
      let first = today.adding(days: -back) ?? today
      let days = try await read(ledger, from: first, to: today)
      guard days.isEmpty, let newest = try await newest(ledger, upTo: first) else { return days }
      return try await read(ledger, from: newest, to: newest)
    }
    if let own = days.first(where: { $0.date == today }) {
      try await readDetail(of: own, &kept)
    } else if kept.detail?.date != "\(today)" {
      (kept.detail, kept.fingerprint) = (nil, nil)
    }
    kept.cache.take(days, kept.detail)
    try await readLatest(of: days, before: today, &kept.cache)
    kept.usedAt = now.secondsSince1970
    return PushedValues(
      at: now.secondsSince1970, today: today, days: days, detail: kept.detail, cache: kept.cache,
      selection: selection, hasDateLabel: hasDateLabel)
  }

  private func read(
    _ ledger: HealthLedger, from first: CalendarDate, to last: CalendarDate
  ) async throws(LedgerError) -> [PushedDay] {
    let range = try DateRange(from: first, to: last, maximumDays: DateRange.mostDays)
    var days: [PushedDay] = []
    var notes: [DayNote] = []
    try await ledger.resolve(range) { resolution async throws(LedgerError) in
      notes += resolution.notes
      if let latest = resolution.latest { days.append(PushedDay(latest.revision)) }
    }
    StandardStreams.remark(notes: said.news(in: notes), allIn: "verify")
    return days
  }

  /// The newest date that the store holds up to one before the days that are read: how long nothing
  /// has come must not be forgotten with them. The latest years are listed first.
  private func newest(
    _ ledger: HealthLedger, upTo last: CalendarDate
  ) async throws(LedgerError) -> CalendarDate? {
    for from in [last.adding(days: -366), nil] {
      if let held = try await ledger.holdings(from: from, to: last).extent {
        return held.upperBound
      }
    }
    return nil
  }

  /// Replaces the mean of an earlier day by its newest sample: the day may have come after the last
  /// push. The samples of each day are read once, and again when its revision changes.
  private func readLatest(
    of days: [PushedDay], before today: CalendarDate, _ cache: inout ValueCache
  ) async throws(LedgerError) {
    for date in cache.datesToRead(before: today).prefix(Self.mostDatesRead) {
      if let day = days.first(where: { $0.date == date }) {
        do throws(LedgerError) {
          guard let detail = try await detail(of: date) else { return }
          cache.take([day], detail)
        } catch {
          StandardStreams.remark("note: no newest samples of \(date): \(error.message)")
          // Damage in the streams is read and reported once, not with each push.
          guard error.code == .storageUnavailable, !error.isRetryable else { return }
        }
      }
      cache.markRead(date)
    }
  }

  /// What the samples of a day show; nil if no source has samples.
  private func detail(of date: CalendarDate) async throws(LedgerError) -> PushedDetail? {
    if let source = settings.store.source, !source.isStreams {
      return try fromExport(source.path, date)
    }
    guard settings.store.source != nil || streams != nil else { return nil }
    return try await fromStreams(date) ?? PushedDetail(date: "\(date)")
  }

  /// What the samples of a day say for the labels. A source that can't be read costs the labels and
  /// not the push.
  private func readDetail(of day: PushedDay, _ kept: inout PushMemory.Kept)
    async
    throws(LedgerError)
  {
    let source = settings.store.source
    do throws(LedgerError) {
      if let source, !source.isStreams {
        try readExport(source.path, day.date, &kept)
      } else {
        (kept.detail, kept.fingerprint) = (try await detail(of: day.date), nil)
      }
    } catch {
      StandardStreams.remark("note: no labels by source: \(error.message)")
      (kept.detail, kept.fingerprint) = (nil, nil)
    }
  }

  private func fromStreams(_ date: CalendarDate) async throws(LedgerError) -> PushedDetail? {
    let zones = settings.zone.zones
    let day: ReportingDay
    do throws(ReportingDay.Failure) {
      day = try ReportingDay(date: date, timeZoneName: zones.name(on: date))
    } catch {
      throw LedgerError(error)
    }
    let deriver = DayDeriver(
      ledger: opened.ledger, streams: try opened.streams, zones: zones,
      cache: streams, isDryRun: true)
    let found = try await opened.run { _ async throws(LedgerError) in
      try await deriver.detail(of: day)
    }
    return found.map { PushedDetail($0, on: date) }
  }

  /// An export is read again only when it has changed.
  private func readExport(
    _ path: String, _ date: CalendarDate, _ kept: inout PushMemory.Kept
  ) throws(LedgerError) {
    // A folder is read each time.
    let fingerprint = FileVersion(path).flatMap { $0.isFile ? "\($0.text) \(path)" : nil }
    if let fingerprint, fingerprint == kept.fingerprint, kept.detail?.date == "\(date)" { return }
    (kept.detail, kept.fingerprint) = (nil, nil)
    (kept.detail, kept.fingerprint) = (try fromExport(path, date), fingerprint)
  }

  private func fromExport(
    _ path: String, _ date: CalendarDate
  ) throws(LedgerError) -> PushedDetail {
    var workouts: [Workout] = []
    let imported = try reading(settings) { request throws(LedgerError) -> ImportedSource? in
      let source = try Input(configured: path)
      var request = request
      (request.from, request.to) = (date, date)
      if case .export = source.kind { request.explained = date }
      request.records = { day in if day.date == date { workouts += day.workouts } }
      return try source.read(request)
    }
    var detail =
      imported?.export?.explanation.map { PushedDetail($0.detail, on: date) }
      ?? PushedDetail(date: "\(date)")
    for workout in workouts { detail.add(workout) }
    return detail
  }
}

extension PushedDetail {
  /// What a day's samples say.
  init(_ detail: DayDetail, on date: CalendarDate) {
    self.init(date: "\(date)")
    func keyed<Value>(_ values: [DailyMetric: Value]) -> [String: Value] {
      Dictionary(uniqueKeysWithValues: values.map { ($0.key.rawValue, $0.value) })
    }
    func newest(_ sample: DayDetail.Newest) -> Newest {
      Newest(source: sample.source, value: sample.value, at: sample.end)
    }
    (numbers, totals) = (keyed(detail.numbers), keyed(detail.totals))
    latest = keyed(detail.latest).mapValues(newest)
    for metric in DailyMetric.allCases { sources[metric.rawValue] = detail.sources[metric.kind] }
    for (hour, rate) in detail.heartRates { add(newest(rate), hour: hour) }
  }
}

/// The notes on days that were printed last. Several gateways, attempts and pushes read the same days:
/// what has not changed since is not said again.
private final class SaidNotes: Sendable {
  private let last = Mutex<Set<DayNote>>([])

  func news(in notes: [DayNote]) -> [DayNote] {
    last.withLock { last in
      let known = last
      last = Set(notes)
      return notes.filter { !known.contains($0) }
    }
  }
}
