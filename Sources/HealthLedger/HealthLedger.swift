import HealthModel
public import ObjectStore

/// A person's ledger of health days in an object store: publish, resolve, verify (SPEC.md).
///
/// A value: copies share the store. All methods may run at the same time, in any number of
/// processes on any number of machines; no order of them moves a pointer backwards (R25).
public struct HealthLedger: Sendable {
  /// Where the objects lie.
  public let store: any ObjectStore
  /// Which keys they have.
  public let layout: LedgerLayout
  let environment: LedgerEnvironment

  /// The ledger below `layout` in `store`.
  public init(
    store: any ObjectStore, layout: LedgerLayout, environment: LedgerEnvironment = .system
  ) {
    self.store = store
    self.layout = layout
    self.environment = environment
  }

  /// This machine's time, corrected by the store's clock where it has one (R21).
  func correctedNow() async -> Timestamp {
    environment.now().adding(seconds: await store.clockOffset() ?? 0)
  }

  func readPointer(_ date: CalendarDate) async throws(StoreError) -> PointerReading {
    do throws(StoreError) {
      let key = layout.pointerKey(date)
      return PointerReading(
        try await store.get(key, limit: LatestPointer.maximumBytes), date: date)
    } catch  where error.code == .tooLarge {
      return try await oversizedPointer(date)
    }
  }

  func readRevision(
    _ date: CalendarDate, _ id: RevisionID
  ) async throws(StoreError) -> RevisionReading {
    do throws(StoreError) {
      let key = layout.revisionKey(date, id)
      return RevisionReading(try await store.get(key, limit: DailyRevision.maximumBytes))
    } catch  where error.code == .tooLarge {
      return .tooLarge
    }
  }

  /// Ids of the day's revisions greater than `id`, or all, in the store's order.
  func listRevisions(
    _ date: CalendarDate, after id: RevisionID?
  ) async throws(StoreError) -> [RevisionID] {
    let request = ListRequest(
      prefix: layout.revisionsPrefix(date),
      startAfter: id.map { layout.revisionKey(date, $0).rawValue })
    return try await store.listAll(request, maximum: Self.maximumRevisionsPerDay)
      .compactMap { entry in
        if case .revision(_, let id) = layout.member(entry.key) { id } else { nil }
      }
  }

  /// Most revisions of one day that a read will list, so that memory stays bounded.
  static let maximumRevisionsPerDay = 100_000

  /// A pointer object over its bound is corrupt; its etag comes from the listing.
  private func oversizedPointer(_ date: CalendarDate) async throws(StoreError) -> PointerReading {
    let key = layout.pointerKey(date)
    let page = try await store.list(ListRequest(prefix: key.rawValue, limit: 1))
    guard let entry = page.entries.first, entry.key == key.rawValue, let etag = entry.etag else {
      return .absent
    }
    let violation = Violation(
      rule: "R16", code: "too_large", pointer: "",
      message: "the pointer is larger than \(LatestPointer.maximumBytes) bytes")
    return .corrupt(etag, [violation])
  }
}
