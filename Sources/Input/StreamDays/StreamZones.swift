import HealthCollector
package import HealthLedger
import HealthModel
package import HealthSources
import HealthStreams
import ObjectStore
import Synchronization

/// The object `streams/v0/.zones`: the zones that a store keeps, and the runs that are undone (R43).
package struct ZonesObject: Sendable {
  fileprivate let store: any ObjectStore
  fileprivate let key: ObjectKey

  /// That of a ledger's store; nil if the store can't hold streams.
  package init?(of ledger: HealthLedger) {
    guard let layout = StreamLayout(prefix: ledger.layout.prefix) else { return nil }
    self.init(in: ledger.store, layout)
  }

  fileprivate init?(in store: any ObjectStore, _ layout: StreamLayout) {
    guard let key = ObjectKey(layout.rootPrefix + ".zones") else { return nil }
    (self.store, self.key) = (store, key)
  }

  /// The store's zones; nil if it has none.
  package func read() async throws(LedgerError) -> StoredZones? { try await found()?.zones }

  fileprivate func found() async throws(LedgerError) -> (zones: StoredZones, etag: ETag)? {
    do throws(StoreError) {
      guard let found = try await store.get(key, limit: StoredZones.maximumBytes) else {
        return nil
      }
      if let zones = StoredZones(found.body) { return (zones, found.etag) }
    } catch {
      guard error.code == .tooLarge || error.code == .unreadable else { throw LedgerError(error) }
    }
    throw LedgerError(
      .storageUnavailable, "the time zones that the store keeps can't be read", key: key.rawValue,
      rule: "R43",
      remedy: "restore the object from a backup; or remove it, and set the zones again")
  }

  /// Keeps the zones that an input names, unless the store has some: of two programs at once, one does.
  ///
  /// - Returns: what the store has then.
  package func keep(named zones: ReportingZones) async throws(LedgerError) -> StoredZones {
    var named = StoredZones(zones, isSet: false, isNamed: true)
    if named.encoded.count > StoredZones.maximumBytes, let newest = zones.periods.last {
      named = StoredZones(ReportingZones(newest.name), isSet: false, isNamed: true)
    }
    do throws(StoreError) {
      if case .stored = try await store.put(key, named.encoded, if: .absent) { return named }
    } catch {
      throw LedgerError(error)
    }
    guard let found = try await read() else { throw changed }
    return found
  }

  fileprivate var changed: LedgerError {
    LedgerError(
      .storageUnavailable, "another program has just changed the time zones that the store keeps",
      key: key.rawValue, rule: "R43", remedy: .store(.retry), isRetryable: true)
  }
}

/// The zones of a store's derived days, as a deriver reads and writes them (R49).
final class StreamZones: Sendable {
  private let streams: StreamStore
  /// The deriver's zones. They apply while the store has none.
  var own: StoredZones { ownNow() }
  private let ownNow: @Sendable () -> StoredZones
  private let known: Mutex<StoredZones?>

  init(_ streams: StreamStore, own: @escaping @Sendable () -> StoredZones) {
    (self.streams, ownNow) = (streams, own)
    known = Mutex(nil)
  }

  /// The zones as last read.
  var current: StoredZones { known.withLock { $0 } ?? own }

  /// The zones as last read, if they ever were.
  func readOnce() async throws(LedgerError) -> StoredZones {
    if let known = known.withLock(\.self) { return known }
    return try await read()
  }

  private var object: ZonesObject? { ZonesObject(in: streams.store, streams.layout) }

  /// Reads the store's zones; returns the deriver's if the store has none.
  func read() async throws(LedgerError) -> StoredZones {
    let found = try await stored()?.zones
    known.withLock { $0 = found }
    return found ?? own
  }

  /// The store's zones; nil if it has none.
  func stored() async throws(LedgerError) -> (zones: StoredZones, etag: ETag)? {
    try await object?.found()
  }

  /// Stores the zones before the first day is published in them.
  ///
  /// - Throws: `LedgerError` if another program has stored different zones since. A later recompute uses
  ///   those.
  func fix(_ zones: StoredZones) async throws(LedgerError) {
    guard known.withLock({ $0 == nil }), let object else { return }
    do throws(StoreError) {
      if case .stored = try await object.store.put(object.key, zones.encoded, if: .absent) {
        known.withLock { $0 = zones }
        return
      }
    } catch {
      throw LedgerError(error)
    }
    guard try await read() == zones else { throw object.changed }
  }

  /// Decides what to do with the store's zones, and does it.
  ///
  /// Before the zones are written, a marker names the days whose moments change. So the next sweep of any
  /// machine makes these days again, even if this machine dies.
  func decide(
    over ledger: HealthLedger, at now: Timestamp, _ decision: (StoredZones?) -> ZoneDecision
  ) async throws(LedgerError) -> ZoneDecision {
    let found = try await stored()
    known.withLock { $0 = found?.zones }
    let due = decision(found?.zones)
    var zones: StoredZones
    switch due {
    case .keep, .differ: return due
    case .correct(let new, _), .move(let new, _): zones = new
    }
    let before = found?.zones ?? own
    zones.undone = before.undone
    let touched = try await Self.dates(ledger).flatMap {
      zones.zones.difference(from: before.zones, in: $0)
    }
    try await replace(found, by: zones, touching: touched.map { [$0] } ?? [], at: now)
    return due
  }

  /// Has what was stored in a run count on no day, or again.
  ///
  /// - Parameter dates: the days of which the run has said anything.
  /// - Returns: whether that is news. Then a marker names the days, and the next sweep makes them again.
  func decide(
    _ run: RunID, isUndone: Bool, on dates: [CalendarDate], at now: Timestamp
  ) async throws(LedgerError) -> Bool {
    let found = try await stored()
    var zones = found?.zones ?? own
    guard zones.counts(run) == isUndone else { return false }
    if isUndone { zones.undone.insert(run) } else { zones.undone.remove(run) }
    // What was stored in it may also bear on the nights and the other zone's days beside them.
    let near = Set(dates.flatMap { date in (-1...1).compactMap { date.adding(days: $0) } })
    let runs = DateRuns(near.sorted()).runs.map { $0.first...$0.last }
    try await replace(found, by: zones, touching: runs, at: now)
    return true
  }

  /// Replaces the object, after a marker of the days that this changes.
  private func replace(
    _ found: (zones: StoredZones, etag: ETag)?, by zones: StoredZones,
    touching dates: [ClosedRange<CalendarDate>], at now: Timestamp
  ) async throws(LedgerError) {
    guard let object else { return }
    let body = zones.encoded
    guard body.count <= StoredZones.maximumBytes else {
      throw LedgerError(
        .invalidArguments, "these are too many time zones or undone runs for one store",
        key: object.key.rawValue, rule: "R49", remedy: "name fewer moves, or restore old runs")
    }
    if !dates.isEmpty {
      do throws(StreamError) {
        try await streams.createMarker(of: dates, receivedAt: now)
      } catch {
        throw LedgerError(error)
      }
    }
    do throws(StoreError) {
      let outcome = try await object.store.put(
        object.key, body, if: found.map { .matches($0.etag) } ?? .absent)
      if case .stored = outcome {
        known.withLock { $0 = zones }
        return
      }
    } catch {
      throw LedgerError(error)
    }
    throw object.changed
  }

  /// The dates whose moments may change: those with revisions, and one more at each end. No date before
  /// 2000 is derived.
  private static func dates(
    _ ledger: HealthLedger
  ) async throws(LedgerError) -> ClosedRange<CalendarDate>? {
    guard let held = try await ledger.holdings().extent else { return nil }
    let derived = try? ReportingZones("UTC").date(at: TouchedDates.firstMoment)
    let first = max(
      held.lowerBound.adding(days: -1) ?? held.lowerBound, derived ?? held.lowerBound)
    let last = held.upperBound.adding(days: 1) ?? held.upperBound
    return first <= last ? first...last : nil
  }
}
