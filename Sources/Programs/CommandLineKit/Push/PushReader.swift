import Foundation
import HealthCollector
import HealthExports
import HealthLedger
import HealthModel
import HealthSources
import ObjectStore
import StreamDays
import Synchronization

/// Reads what a push says: the newest numbers from the ledger, and from the configured source the samples
/// of today and of the newest days with a heart rate, for the labels (R57).
package struct PushReader: Sendable {
  let opened: OpenedStore
  let settings: Settings
  let selection: PushSelection
  let hasDateLabel: Bool
  /// What a hub has read of its streams. Then they are the source, where none is set.
  var streams: DayCache?
  /// The clock; another one in tests.
  let now: @Sendable () -> Timestamp
  private let memory = Memory()

  /// Reads the values of this moment.
  ///
  /// - Parameter details: what an earlier push has read of the samples of days; what this one has.
  func read(_ details: inout [PushedDetail]) async throws(LedgerError) -> PushedValues {
    let now = now()
    let today = try settings.zone.date(at: now)
    var stored = try await newestValues(upTo: today)
    var read: [PushedDetail] = []
    for day in stored.daysToRead(today) {
      guard let detail = await detail(of: day, isOver: day.date < today, details) else { continue }
      read.append(detail)
      stored.name(by: detail)
    }
    details = read
    return PushedValues(
      at: now.secondsSince1970, today: today, stored, read, selection: selection,
      hasDateLabel: hasDateLabel)
  }

  /// What the days say. One listing shows which months have changed since this process read them last;
  /// only these are read.
  private func newestValues(upTo today: CalendarDate) async throws(LedgerError) -> NewestValues {
    try await opened.run { ledger async throws(LedgerError) in
      let known = memory.months
      var months: [String: Memory.Month] = [:]
      var notes: [DayNote] = []
      for month in try await ledger.heldMonths(to: today) {
        if let known = known[month.name], known.fingerprint == month.fingerprint {
          months[month.name] = known
          continue
        }
        var values = NewestValues()
        try await ledger.resolve(month.dates) { resolution async throws(LedgerError) in
          notes += resolution.notes
          if let latest = resolution.latest { values.add(PushedDay(latest.revision)) }
        }
        months[month.name] = Memory.Month(fingerprint: month.fingerprint, values: values)
      }
      StandardStreams.remark(notes: memory.keep(months, notes), allIn: "verify")
      return months.values.reduce(into: NewestValues()) { $0.add($1.values) }
    }
  }

  /// What the samples of a day say for the labels; nil if no source has samples. Those of a day that is
  /// over are read once, and again when its revision changes; an export when it has changed. A source that
  /// can't be read costs the labels and not the push.
  private func detail(
    of day: PushedDay, isOver: Bool, _ known: [PushedDetail]
  ) async -> PushedDetail? {
    let export = settings.store.source.flatMap { $0.isStreams ? nil : $0.path }
    // A folder is read each time.
    let fingerprint = export.flatMap { path in
      FileVersion(path).flatMap { $0.isFile ? "\($0.text) \(path)" : nil }
    }
    if let known = known.first(where: {
      $0.date == "\(day.date)"
        && (isOver && $0.generatedAt == day.generatedAt
          || fingerprint != nil && $0.fingerprint == fingerprint)
    }) {
      return known
    }
    var detail = PushedDetail(date: "\(day.date)")
    do throws(LedgerError) {
      if let export {
        detail = try fromExport(export, day.date)
      } else if settings.store.source != nil || streams != nil {
        detail = try await fromStreams(day.date) ?? detail
      } else {
        return nil
      }
    } catch {
      StandardStreams.remark("note: no labels by source of \(day.date): \(error.message)")
      // Damage in the streams is read and reported once, not with each push.
      guard isOver, error.code == .storageUnavailable, !error.isRetryable else { return nil }
    }
    (detail.generatedAt, detail.fingerprint) = (day.generatedAt, fingerprint)
    return detail
  }

  private func fromStreams(_ date: CalendarDate) async throws(LedgerError) -> PushedDetail? {
    let zones = settings.zone.zones
    let day = try worded { () throws(ReportingDay.Failure) in
      try ReportingDay(date: date, timeZoneName: zones.name(on: date))
    }
    let deriver = DayDeriver(
      ledger: opened.ledger, streams: try opened.streams, zones: zones,
      cache: streams, isDryRun: true)
    let found = try await opened.run { _ async throws(LedgerError) in
      try await deriver.detail(of: day)
    }
    return found.map { PushedDetail($0, on: date) }
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

/// What this process has read, and the notes on days that were printed: several gateways, attempts and
/// pushes read the same days.
private final class Memory: Sendable {
  struct Month {
    /// What the store's listing showed of the month when its days were read.
    let fingerprint: String
    let values: NewestValues
  }

  private let state = Mutex<(months: [String: Month], said: Set<DayNote>)>(([:], []))

  var months: [String: Month] { state.withLock { $0.months } }

  /// - Returns: the notes that were not printed before.
  func keep(_ months: [String: Month], _ notes: [DayNote]) -> [DayNote] {
    state.withLock { state in
      state.months = months
      let news = notes.filter { !state.said.contains($0) }
      state.said.formUnion(news)
      return news
    }
  }
}
