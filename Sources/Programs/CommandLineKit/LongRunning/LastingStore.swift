package import HealthLedger

/// The store of a server that may run for weeks. It is opened when it is first needed. If that
/// fails, it is tried again later, because a disk may be mounted later.
package actor LastingStore {
  package nonisolated let settings: Settings
  private var opened: OpenedStore?
  /// The settings with the zone that the store keeps, as it was first read.
  private var zoned: Settings?

  package init(_ settings: Settings) { self.settings = settings }

  /// The store.
  ///
  /// - Throws: `LedgerError`; INVALID_ARGUMENTS if no later attempt could succeed.
  package func open() throws(LedgerError) -> OpenedStore {
    if let opened { return opened }
    let store = try OpenedStore(settings)
    opened = store
    return store
  }

  /// The zone that decides what today is; once it is known that there is none, that is said. A store that
  /// can't be read is reported by whoever reads it.
  package func timeZoneName() async -> String {
    if zoned == nil, settings.zone.isMissing, let store = try? open() {
      zoned = try? await settings.withKeptZone(of: store.ledger)
      zoned?.sayMissingZone()
    }
    return (zoned ?? settings).timeZoneName
  }

  /// Runs `work` on its ledger.
  package nonisolated func run<Output>(
    _ work: (HealthLedger) async throws(LedgerError) -> Output
  ) async throws(LedgerError) -> Output {
    let store = try await open()
    return try await store.run(work)
  }
}
