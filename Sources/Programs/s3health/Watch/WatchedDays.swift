import CommandLineKit
import Foundation
import HealthCollector
import HealthLedger
import HealthModel
import HealthSources
import HealthStreams
import ObjectStore
import StreamDays

/// What a live view reads: the days that a source has, and those that the store has (R58).
enum WatchSource: Sendable {
  /// A folder that an app fills, a payload, or an export that is replaced.
  case path(String, origin: String)
  /// The samples in the store's streams.
  case streams

  var name: String {
    switch self {
    case .path(let path, _): path
    case .streams: SourceSetting.streams
    }
  }
}

/// The days that a source has, of a few dates.
struct WatchedDays: Sendable {
  /// As they would be published.
  var drafts: [DayDraft] = []
  /// Remarks on the source.
  var notes: [String] = []

  var numbers: [CalendarDate: [DailyMetric: Double]] {
    Dictionary(
      drafts.map { ($0.day.date, $0.readings.compactMapValues(\.number)) }, uniquingKeysWith: { $1 }
    )
  }
}

extension DayDraft {
  /// Whether its figures are those of another one.
  func hasSameFigures(as other: DayDraft) -> Bool {
    day == other.day && readings == other.readings
  }
}

/// Reads a source's days and the store's. Every read gets all that it needs again, so that nothing old
/// can stay in the view; batches of streams, which never change, are kept.
struct DayReader: Sendable {
  let source: WatchSource
  /// Its zone is this machine's of the moment, where none was given.
  var settings: Settings
  let collector: Collector
  let opened: OpenedStore
  let metrics: Set<DailyMetric>
  let cache = DayCache(limit: 64_000_000)

  /// The days of a run that the source has; none if it has none.
  func days(of run: CollectorRun) async throws(LedgerError) -> WatchedDays {
    switch source {
    case .path(let path, let origin): try days(of: run, at: path, origin)
    case .streams: try await derived(run)
    }
  }

  private func days(
    of run: CollectorRun, at path: String, _ origin: String
  ) throws(LedgerError) -> WatchedDays {
    let selection = DaySelection.dates((run.dates.first ?? run.today)...run.today)
    var request = Input.Request(in: settings.zone, at: settings.now)
    request.metrics = metrics
    do throws(LedgerError) {
      let selected = try Input(configured: path, by: origin).days(selection, request)
      return WatchedDays(
        drafts: try selected.drafts(
          collector: collector, in: settings.zone.zones, at: settings.now),
        notes: selected.notes.map(\.words))
    } catch  where error.code == .dataNotFound {
      return WatchedDays()
    }
  }

  /// The days as a hub makes them, by the same function (R58), without writing anything.
  private func derived(_ run: CollectorRun) async throws(LedgerError) -> WatchedDays {
    let zones = settings.zone.zones
    let deriver = DayDeriver(
      ledger: opened.ledger, streams: try opened.streams, zones: zones,
      areZonesSet: settings.zone.isGiven, metrics: metrics, cache: cache, isDryRun: true)
    var days = WatchedDays()
    let survey = await deriver.survey(of: run.dates)
    for date in run.dates {
      let result = try await deriver.recompute(date, after: survey)
      if let error = result.zoneError(on: date) { throw error }
      if let (draft, _) = result.preview {
        days.drafts.append(draft)
      } else if case .settled? = result.outcome,
        let held = try await opened.ledger.resolve(date).latest?.revision
      {
        days.drafts.append(
          DayDraft(day: held.day, collector: collector, readings: held.readings))
      }
      days.notes += result.notes + result.leftOut.words
    }
    return days
  }

  struct StoredDays: Sendable {
    var numbers: [CalendarDate: [DailyMetric: Double]] = [:]
    /// Those that are of a part of their day (R33).
    var partial: [CalendarDate: PartialNumbers] = [:]
    /// Those that are not what was written (R60).
    var damaged: [CalendarDate] = []
  }

  /// Reads what the store has of some dates.
  func stored(_ range: ClosedRange<CalendarDate>) async throws(LedgerError) -> StoredDays {
    var days = StoredDays()
    let range = try DateRange(from: range.lowerBound, to: range.upperBound)
    try await opened.ledger.resolve(range) { resolution async throws(LedgerError) in
      guard let latest = resolution.latest else { return }
      days.numbers[resolution.date] = latest.revision.readings.numbers
      let partial = PartialNumbers(latest.revision)
      if !partial.isEmpty { days.partial[resolution.date] = partial }
      if latest.isDamaged { days.damaged.append(resolution.date) }
    }
    return days
  }

  /// Publishes days, each if it differs from what the store has (R20).
  ///
  /// - Returns: how many revisions were stored, and notes on what a corrected zone changed.
  func publish(
    _ drafts: [DayDraft], of run: CollectorRun
  ) async throws(LedgerError) -> (stored: Int, notes: [String]) {
    guard case .path = source else {
      return (try await derive(drafts.map(\.day.date)), [])
    }
    let outcomes = try await PublishRun(opened: opened, interruption: nil).outcomes(
      of: drafts, within: (run.dates.first ?? run.today)...run.today, zones: settings.zone.zones)
    if let failure = outcomes.firstError { throw failure }
    return (outcomes.storedCount, outcomes.dayNotes)
  }

  /// Publishes the days of streams.
  ///
  /// - Returns: how many revisions were stored.
  private func derive(_ dates: [CalendarDate]) async throws(LedgerError) -> Int {
    if opened.backend == .icloudDrive {
      try await NamedDeriver.claim(try opened.streams, by: collector)
    }
    let zones = settings.zone.zones
    let deriver = DayDeriver(
      ledger: opened.ledger, streams: try opened.streams, zones: zones,
      areZonesSet: settings.zone.isGiven, metrics: metrics, cache: cache)
    var stored = 0
    let survey = await deriver.survey(of: dates)
    for date in dates {
      if try await deriver.recompute(date, after: survey).published != nil { stored += 1 }
    }
    return stored
  }
}

/// Looks again and again whether what a live view reads has changed (R58).
struct SourceChanges: Sendable {
  private let reader: DayReader

  init(_ reader: DayReader) { self.reader = reader }

  /// Calls `changed` after each change, until the task is cancelled.
  func run(_ changed: () async -> Void) async {
    switch reader.source {
    case .path(let path, _): await look(at: path, changed)
    case .streams: await lookAtStreams(changed)
    }
  }

  // MARK: - A file or folder

  /// A kernel's notices are not used: it reports neither what another machine writes to a shared folder
  /// nor a folder that was replaced as a whole.
  private func look(at path: String, _ changed: () async -> Void) async {
    var last = Self.files(path)
    var wait = Duration.milliseconds(400)
    while !Task.isCancelled {
      try? await Task.sleep(for: wait)
      let begun = ContinuousClock.now
      let now = Self.files(path)
      // Folders of very many files are looked at less often.
      wait = max(.milliseconds(400), (ContinuousClock.now - begun) * 20)
      if now != last { await changed() }
      last = now
    }
  }

  /// What distinguishes two states of a file or folder without reading it: the versions of its files and
  /// folders, by name.
  private static func files(_ path: String) -> [String: FileVersion] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    var files = ["": FileVersion(path)].compactMapValues(\.self)
    for name in names where !name.hasPrefix(".") { files[name] = FileVersion(path + "/" + name) }
    return files
  }

  // MARK: - Streams

  /// A folder and a server of the person's own are asked each second. AWS charges for each request.
  private var interval: Duration { reader.opened.hasPricedRequests ? .seconds(5) : .seconds(1) }
  /// How many times only today is listed before everything is. What arrives is nearly always of this hour.
  private static let turnsOfToday = 9

  private func lookAtStreams(_ changed: () async -> Void) async {
    var known: Set<String>?
    var (devices, turn): ([String], Int) = ([], 0)
    while !Task.isCancelled {
      do {
        let isWhole = known == nil || turn >= Self.turnsOfToday
        turn = isWhole ? 0 : turn + 1
        if isWhole { devices = try await reader.opened.streams.devices(of: .healthKit) }
        let found = try await batches(of: isWhole ? nil : devices)
        if isWhole ? found != known : !found.isSubset(of: known ?? []) { await changed() }
        known = isWhole ? found : known?.union(found)
        try? await Task.sleep(for: interval)
      } catch {
        // What fails here fails in the reading, too, which says so.
        known = nil
        await changed()
        try? await Task.sleep(for: .seconds(30))
      }
    }
  }

  /// The batches that bear on today: all, or those of some devices that begin today.
  private func batches(of devices: [String]?) async throws -> Set<String> {
    let (streams, today) = (try reader.opened.streams, try reader.settings.today)
    var found = try await streams.payloads(touching: today).batches
    if let devices {
      let date = reader.settings.now.utcDate
      for device in devices {
        found += try await streams.batches(of: .healthKit, device: device, on: date...date).batches
      }
    } else {
      let dates = (today.adding(days: -3) ?? today)...(today.adding(days: 1) ?? today)
      found += try await streams.batches(of: .healthKit, on: dates).batches
    }
    return Set(found.map(\.key.rawValue))
  }
}
