import ObjectStore

extension People {
  /// How many people are worked on at once. Each reads up to `HealthLedger.defaultConcurrency` days
  /// at once, and all share the store's connections.
  package static let defaultWidth = 4

  /// Works on people concurrently, a few at a time, and delivers the outputs in the order of the ids.
  ///
  /// Memory does not grow with the number of people. What fails for a person is an output of that
  /// person; only an error of `deliver`, such as a full disk, ends the run.
  package func each<Output: Sendable>(
    _ ids: [PersonID], width: Int = defaultWidth,
    work: @escaping @Sendable (PersonID, HealthLedger) async -> Result<Output, LedgerError>,
    deliver: (PersonID, Result<Output, LedgerError>) async throws(LedgerError) -> Void
  ) async throws(LedgerError) {
    try await concurrentMap(ids, width: width) { id async throws(LedgerError) in
      let ledger: HealthLedger
      do throws(LedgerError) {
        ledger = try self.ledger(of: id)
      } catch {
        return .failure(error)
      }
      return await work(id, ledger)
    } deliver: { id, output async throws(LedgerError) in
      try await deliver(id, output)
    }
  }
}

extension HealthLedger {
  /// The most entries of a listing that is kept for a person: some twenty years.
  private static let mostListed = 20_000

  /// This ledger with one listing of all that it holds, which stands for the listings of all its
  /// days: for a run over many people, of whom each is small. Whatever is looked at again is listed
  /// again.
  ///
  /// It is this ledger, unchanged, if it holds too much, or something that can't be read.
  package func listedWhole() async throws(LedgerError) -> HealthLedger {
    var ledger = self
    do throws(StoreError) {
      ledger.listing = try await ListingSnapshot(
        of: layout.versionPrefix, in: store, maximum: Self.mostListed)
    } catch {
      guard error.concernsOnePlace else { throw LedgerError(error) }
    }
    return ledger
  }

  /// A page of a listing, from the one that was made before if there is one.
  func list(_ request: ListRequest) async throws(StoreError) -> ListPage {
    if let page = listing?.page(request) { return page }
    return try await store.list(request)
  }

  /// The same ledger with other keys.
  func relaid(to layout: LedgerLayout) -> HealthLedger {
    var ledger = HealthLedger(store: store, layout: layout, environment: environment)
    ledger.cache = cache
    return ledger
  }
}
