import Foundation
import HealthCollector
import HealthExports
import HealthLedger
import HealthModel
import HealthSources
import ObjectStore
import StreamDays
import Synchronization

/// Reads what a push says: the newest numbers from the ledger, and from the configured source today's
/// samples, for the labels, and those of the days before on which a number was last measured (R57).
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

  /// The most days before today whose samples one push reads: each takes a scan of an export.
  private static let mostDatesRead = 8

  /// Reads the values of this moment. What was read is kept in `kept`.
  func read(_ kept: inout PushMemory.Kept) async throws(LedgerError) -> PushedValues {
    let now = now()
    let today = try settings.zone.date(at: now)
    let days = try await newestDays(upTo: today, &kept.months)
    if let own = days.first(where: { $0.date == today }) {
      try await readDetail(of: own, &kept)
    } else {
      (kept.detail, kept.fingerprint) = (nil, nil)
    }
    kept.cache.take(days, kept.detail)
    try await readSamples(of: days, before: today, &kept.cache)
    kept.usedAt = now.secondsSince1970
    return PushedValues(
      at: now.secondsSince1970, today: today, days: days, detail: kept.detail, cache: kept.cache,
      selection: selection, hasDateLabel: hasDateLabel)
  }

  /// The days that have the newest numbers. One listing shows which months have changed since the last
  /// push; only these are read.
  private func newestDays(
    upTo today: CalendarDate, _ months: inout [String: PushedMonth]
  ) async throws(LedgerError) -> [PushedDay] {
    let known = months
    months = try await opened.run { ledger async throws(LedgerError) in
      var months: [String: PushedMonth] = [:]
      var notes: [DayNote] = []
      for month in try await ledger.heldMonths(to: today) {
        // What another version has read may lack metrics.
        let fingerprint = "\(Program.version) \(month.fingerprint)"
        if let known = known[month.name], known.fingerprint == fingerprint {
          months[month.name] = known
          continue
        }
        var days: [PushedDay] = []
        try await ledger.resolve(month.dates) { resolution async throws(LedgerError) in
          notes += resolution.notes
          if let latest = resolution.latest { days.append(PushedDay(latest.revision)) }
        }
        months[month.name] = PushedMonth(fingerprint, of: days)
      }
      StandardStreams.remark(notes: said.news(in: notes), allIn: "verify")
      return months
    }
    return months.values.flatMap(\.days)
  }

  /// Reads the samples of earlier days whose numbers are the newest: for the sources and the heart rates.
  /// The samples of each day are read once, and again when its revision changes.
  private func readSamples(
    of days: [PushedDay], before today: CalendarDate, _ cache: inout ValueCache
  ) async throws(LedgerError) {
    for date in cache.datesToRead(before: today).prefix(Self.mostDatesRead) {
      do throws(LedgerError) {
        guard let detail = try await detail(of: date) else { return }
        cache.take(days, detail)
      } catch {
        StandardStreams.remark("note: no sources and heart rates of \(date): \(error.message)")
        // Damage in the streams is read and reported once, not with each push.
        guard error.code == .storageUnavailable, !error.isRetryable else { return }
        cache.take(days, PushedDetail(date: "\(date)"))
      }
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

/// The notes on days that were printed. Several gateways, attempts and pushes read the same days: what
/// was said is not said again.
private final class SaidNotes: Sendable {
  private let last = Mutex<Set<DayNote>>([])

  func news(in notes: [DayNote]) -> [DayNote] {
    last.withLock { last in
      let news = notes.filter { !last.contains($0) }
      last.formUnion(news)
      return news
    }
  }
}
