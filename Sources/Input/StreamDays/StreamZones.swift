import HealthCollector
import HealthLedger
import HealthModel
import HealthSources
import HealthStreams
import ObjectStore
import Synchronization

/// Reads and writes `streams/v0/.zones`, the zones of a store's derived days (R49).
final class StreamZones: Sendable {
  private let streams: StreamStore
  /// Those that hold where the store has none.
  var own: StoredZones { ownNow() }
  private let ownNow: @Sendable () -> StoredZones
  private let known: Mutex<StoredZones?>

  init(_ streams: StreamStore, own: @escaping @Sendable () -> StoredZones) {
    (self.streams, ownNow) = (streams, own)
    known = Mutex(nil)
  }

  /// As they were read last.
  var current: StoredZones { known.withLock { $0 } ?? own }

  private var key: ObjectKey? { ObjectKey(streams.layout.rootPrefix + ".zones") }

  /// Reads them; the own ones if the store has none.
  func read() async throws(LedgerError) -> StoredZones {
    let found = try await stored()?.zones
    known.withLock { $0 = found }
    return found ?? own
  }

  /// Those that the store names; nil if it names none.
  func stored() async throws(LedgerError) -> (zones: StoredZones, etag: ETag)? {
    guard let key else { return nil }
    do throws(StoreError) {
      guard let found = try await streams.store.get(key, limit: StoredZones.maximumBytes) else {
        return nil
      }
      if let zones = StoredZones(found.body) { return (zones, found.etag) }
    } catch {
      guard error.code == .tooLarge || error.code == .unreadable else { throw LedgerError(error) }
    }
    throw LedgerError(
      .storageUnavailable, "the zones of the derived days can't be read", key: key.rawValue,
      rule: "R49",
      remedy: "restore the object from a backup; or remove it, and set the zones again")
  }

  /// Writes down by which zones days are made, before the first is published.
  ///
  /// - Throws: `LedgerError` if somebody else has set others meanwhile. A later recompute goes by those.
  func fix(_ zones: StoredZones) async throws(LedgerError) {
    guard known.withLock({ $0 == nil }), let key else { return }
    do throws(StoreError) {
      if case .stored = try await streams.store.put(key, zones.encoded, if: .absent) {
        known.withLock { $0 = zones }
        return
      }
    } catch {
      throw LedgerError(error)
    }
    guard try await read() == zones else { throw Self.changed(key) }
  }

  /// What becomes of the store's zones; carried out.
  ///
  /// The days whose moments change are named by a marker before the zones are written: whoever sweeps
  /// next makes them again, also if this machine dies.
  func decide(
    over ledger: HealthLedger, at now: Timestamp, _ decision: (StoredZones?) -> ZoneDecision
  ) async throws(LedgerError) -> ZoneDecision {
    let found = try await stored()
    known.withLock { $0 = found?.zones }
    let due = decision(found?.zones)
    let zones: StoredZones
    switch due {
    case .keep, .differ: return due
    case .correct(let new, _), .move(let new, _): zones = new
    }
    guard let key else { return due }
    let before = (found?.zones ?? own).zones
    if let held = try await Self.dates(ledger),
      let touched = zones.zones.difference(from: before, in: held)
    {
      do throws(StreamError) {
        try await streams.createMarker(of: touched, receivedAt: now)
      } catch {
        throw LedgerError(error)
      }
    }
    do throws(StoreError) {
      let outcome = try await streams.store.put(
        key, zones.encoded, if: found.map { .matches($0.etag) } ?? .absent)
      if case .stored = outcome {
        known.withLock { $0 = zones }
        return due
      }
    } catch {
      throw LedgerError(error)
    }
    throw Self.changed(key)
  }

  /// The dates that may have other moments in other zones: those held, and one beside them at each end,
  /// which may get some. No date before 2000 is derived.
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

  private static func changed(_ key: ObjectKey) -> LedgerError {
    LedgerError(
      .storageUnavailable, "the zones of the derived days were changed by somebody else just now",
      key: key.rawValue, rule: "R49", remedy: .store(.retry), isRetryable: true)
  }
}
