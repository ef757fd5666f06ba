import HealthModel
public import ObjectStore

/// A person's ledger of health days in an object store: publish, resolve, verify (SPEC.md).
///
/// A value: copies share the store. All methods may run at the same time, in any number of
/// processes on any number of machines; no order of them moves a pointer backwards (R25).
///
/// ```swift
/// let store = try DirectoryStore(path: "/home/ann/health", createsRoot: true)
/// let ledger = HealthLedger(store: store)
/// let collector = try CollectorIdentity.loadOrCreate(in: URL(filePath: "/home/ann/.config/steps"))
///
/// let date = try ReportingDay.date(at: .now, timeZoneName: "Europe/Berlin")
/// let day = try ReportingDay(date: date, timeZoneName: "Europe/Berlin")
/// let outcome = try await ledger.publish(
///   DayDraft(day: day, collector: collector, readings: [.steps: .value(8432)]))
/// print(outcome.word, outcome.revisionID)
///
/// if let latest = try await ledger.resolve(date).latest {
///   print(latest.revision.readings[.steps] ?? .noData)
/// }
/// ```
public struct HealthLedger: Sendable {
  /// Where the objects lie.
  public let store: any ObjectStore
  /// Which keys they have.
  public let layout: LedgerLayout
  let environment: LedgerEnvironment
  /// Copies that readers may be answered with; nil where every read goes to the store (R39).
  package var cache: (any ObjectCache)?

  /// The ledger below `layout` in `store`.
  public init(
    store: any ObjectStore, layout: LedgerLayout = .root,
    environment: LedgerEnvironment = .system
  ) {
    self.store = store
    self.layout = layout
    self.environment = environment
  }

  /// This machine's time, corrected by the store's clock where it has one (R21).
  func correctedNow() async -> Timestamp {
    environment.now().adding(seconds: await store.clockOffset() ?? 0)
  }

  /// - Parameter version: what a listing of this very operation has shown of the pointer, so that a
  ///   copy of it may answer (R39); publishing gives none.
  func readPointer(
    _ date: CalendarDate, listed version: ObjectVersion? = nil
  ) async throws(StoreError) -> PointerReading {
    let key = layout.pointerKey(date)
    // A second, larger read gives an oversized pointer's etag together with its bytes.
    for limit in [LatestPointer.maximumBytes, Self.oversizedPointerLimit] {
      do throws(StoreError) {
        return PointerReading(try await read(key, limit: limit, listed: version), date: date)
      } catch  where error.code == .tooLarge {
        continue
      } catch  where error.code == .unreadable {
        // The revisions beside it are all there to be listed: the answer does not depend on it.
        let violation = Violation(
          rule: "R29", code: Violation.unreadable, pointer: "", message: error.message)
        return .corrupt(nil, [violation])
      }
    }
    return try await hugePointer(key)
  }

  /// - Parameter version: as for `readPointer`.
  func readRevision(
    _ date: CalendarDate, _ id: RevisionID, listed version: ObjectVersion? = nil
  ) async throws(StoreError) -> RevisionReading {
    do throws(StoreError) {
      let key = layout.revisionKey(date, id)
      return RevisionReading(
        try await read(key, limit: DailyRevision.maximumBytes, listed: version))
    } catch  where error.code == .tooLarge {
      return .tooLarge
    }
  }

  /// Ids of the day's revisions greater than `id`, or all, in the store's order.
  func listRevisions(
    _ date: CalendarDate, after id: RevisionID?
  ) async throws(StoreError) -> [RevisionID] {
    try await listVersions(date, after: id).map(\.id)
  }

  /// The same, each with its version where the store tells one.
  func listVersions(
    _ date: CalendarDate, after id: RevisionID?
  ) async throws(StoreError) -> [ListedRevision] {
    let request = ListRequest(
      prefix: layout.revisionsPrefix(date),
      startAfter: id.map { layout.revisionKey(date, $0).rawValue })
    return try await store.listAll(request, maximum: Self.maximumRevisionsPerDay)
      .compactMap { entry in
        guard case .revision(_, let id) = layout.member(entry.key) else { return nil }
        return ListedRevision(id: id, version: ObjectVersion(entry))
      }
  }

  /// Most revisions of one day that a read will list, so that memory stays bounded.
  static let maximumRevisionsPerDay = 100_000

  /// Most bytes read of a pointer object that is over its bound, to learn its etag.
  private static let oversizedPointerLimit = 1 << 20

  /// A pointer object too large to read is corrupt; only a listing can give its etag.
  ///
  /// The object may have been replaced since it was found too large: the etag of a sound pointer
  /// must never pass for that of a corrupt one, or a write under it could move the pointer
  /// backwards (R25).
  private func hugePointer(_ key: ObjectKey) async throws(StoreError) -> PointerReading {
    let page = try await store.list(ListRequest(prefix: key.rawValue, limit: 1))
    let entry = page.entries.first {
      $0.key == key.rawValue && $0.size > LatestPointer.maximumBytes
    }
    let violation = Violation(
      rule: "R16", code: "too_large", pointer: "",
      message: "the pointer is larger than \(LatestPointer.maximumBytes) bytes",
      hidesDocument: true)
    return .corrupt(entry?.etag, [violation])
  }
}

/// A revision as a listing shows it.
struct ListedRevision: Hashable, Sendable {
  let id: RevisionID
  /// Nil where the store lists no etag that tells bytes apart.
  let version: ObjectVersion?
}
