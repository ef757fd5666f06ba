import HealthLedger
import HealthModel
import ObjectStore

extension LiveCrew {
  /// Resolves the day repeatedly, as `get` does.
  func read(_ name: String, _ ledger: HealthLedger, _ date: CalendarDate) async {
    while goesOn {
      _ = await observe(name) { .read(try await ledger.resolve(date).latest?.id) }
      try? await Task.sleep(for: .milliseconds(1))
    }
  }

  /// Reads the raw `latest.json` repeatedly, and each revision that it names.
  func poll(_ name: String, _ look: LiveLook) async {
    var last: RevisionID?
    while goesOn {
      if case .pointer(.names(let id)) = await observe(name, { try await look.pointer() }),
        id != last, await observe(name, { try await look.revision(id) }) != nil
      {
        last = id
      }
      try? await Task.sleep(for: .milliseconds(1))
    }
  }
}

/// Reads single objects.
struct LiveLook: Sendable {
  let store: any ObjectStore
  let layout: LedgerLayout
  let date: CalendarDate

  func pointer() async throws(StoreError) -> RaceHistory.Observation {
    let object = try await store.get(layout.pointerKey(date), limit: 1 << 16)
    return switch PointerReading(object, date: date) {
    case .absent: .pointer(.absent)
    case .corrupt: .pointer(.corrupt)
    case .valid(let pointer, _): .pointer(.names(pointer.revisionID))
    }
  }

  func revision(_ id: RevisionID) async throws(StoreError) -> RaceHistory.Observation {
    let object = try await store.get(
      layout.revisionKey(date, id), limit: DailyRevision.maximumBytes)
    return .revision(id, digest: object.map { RecordingStore.digest($0.body) })
  }
}
