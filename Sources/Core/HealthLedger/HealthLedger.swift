package import HealthModel
public import ObjectStore

/// A person's ledger of health days in an object store: publish, resolve, verify (SPEC.md).
///
/// It is a value; copies share the store. All methods may run at the same time, in any number of
/// processes on any number of machines. No interleaving of them moves a pointer backwards (R25).
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
  /// The store that holds the objects.
  public let store: any ObjectStore
  /// Their keys.
  public let layout: LedgerLayout
  let environment: LedgerEnvironment
  /// The cache that may answer reads; nil if every read goes to the store (R39).
  package var cache: (any ObjectCache)?
  /// A listing of all that the ledger holds, which stands for the listings of many days (R34).
  var listing: ListingSnapshot?

  /// The ledger below `layout` in `store`.
  public init(
    store: any ObjectStore, layout: LedgerLayout = .root,
    environment: LedgerEnvironment = .system
  ) {
    self.store = store
    self.layout = layout
    self.environment = environment
  }

  /// This machine's time, corrected by the store's clock if it has one (R21).
  package func correctedNow() async -> Timestamp {
    environment.now().adding(seconds: await store.clockOffset() ?? 0)
  }

  /// - Parameter version: what a listing in this same operation has reported of the pointer, so
  ///   that the cache may answer (R39). Publishing passes none.
  func readPointer(
    _ date: CalendarDate, listed version: ObjectVersion? = nil
  ) async throws(StoreError) -> PointerReading {
    let key = layout.pointerKey(date)
    // If the pointer is oversized, a second, larger read gets its etag together with its bytes.
    for limit in [LatestPointer.maximumBytes, Self.oversizedPointerLimit] {
      do throws(StoreError) {
        return PointerReading(try await read(key, limit: limit, listed: version), date: date)
      } catch  where error.code == .tooLarge {
        continue
      } catch  where error.code == .unreadable {
        // All revisions next to it can still be listed, so the answer does not depend on the
        // pointer. One of other bytes than were stored may be replaced.
        let violation = Violation(
          rule: "R29", code: Violation.unreadable, pointer: "", message: error.message)
        return .corrupt(error.damaged?.etag, [violation])
      }
    }
    return try await hugePointer(key)
  }

  /// Whether a day's pointer names this revision or a greater one.
  package func pointerReaches(
    _ id: RevisionID, on date: CalendarDate
  ) async throws(LedgerError) -> Bool {
    do throws(StoreError) {
      return try await readPointer(date).revisionID.map { $0 >= id } ?? false
    } catch {
      throw LedgerError(error)
    }
  }

  /// - Parameters:
  ///   - version: the same as for `readPointer`.
  ///   - mayBeAbsent: true if no listing and no pointer has named the revision.
  func readRevision(
    _ date: CalendarDate, _ id: RevisionID, listed version: ObjectVersion? = nil,
    mayBeAbsent: Bool = false
  ) async throws(StoreError) -> RevisionReading {
    let key = layout.revisionKey(date, id)
    do throws(StoreError) {
      var object = try await document(key, listed: version)
      if object == nil, !mayBeAbsent { object = try await readIfListed(key) }
      let reading = RevisionReading(object)
      if let object, version == nil, !reading.isSound(date, id) {
        try await compareWithListing(object, key)
      }
      return reading
    } catch  where error.code == .tooLarge {
      return .tooLarge
    }
  }

  /// Reads the object of a revision. Its own digest says whether it is damaged, and a damaged one is shown
  /// as such (R41), so that other bytes than were stored are what is read.
  func document(
    _ key: ObjectKey, listed version: ObjectVersion? = nil
  ) async throws(StoreError) -> StoredObject? {
    do throws(StoreError) {
      return try await read(key, limit: DailyRevision.maximumBytes, listed: version)
    } catch {
      guard let damaged = error.damaged else { throw error }
      return damaged
    }
  }

  /// Reads a revision again that was not found; nil if the store does not list it.
  ///
  /// - Throws: also if the store lists it and does not find it again (R34).
  func readIfListed(_ key: ObjectKey) async throws(StoreError) -> StoredObject? {
    let page = try await store.list(ListRequest(prefix: key.rawValue, limit: 1))
    guard page.entries.first?.key == key.rawValue else { return nil }
    if let object = try await document(key) { return object }
    throw StoreError(
      .unavailable, "the store lists the revision, and does not find it when it is read",
      key: key.rawValue,
      remedy: .all([
        .retryLater, "if it persists, look for damage in the store or a rule that archives objects",
      ]), isRetryable: true)
  }

  /// An answer that was cut or changed on its way looks like a damaged revision, and older numbers would
  /// take the place of its own. A revision never changes, so its listing tells the two apart.
  ///
  /// - Throws: if the store lists another number of bytes (R34).
  private func compareWithListing(_ object: StoredObject, _ key: ObjectKey) async throws(StoreError)
  {
    let page = try await store.list(ListRequest(prefix: key.rawValue, limit: 1))
    guard let entry = page.entries.first, entry.key == key.rawValue,
      entry.size != object.body.count
    else { return }
    throw Self.contradiction(of: key, answered: object.body.count, listed: entry.size)
  }

  /// Ids of the day's revisions greater than `id`, or all, in the store's order.
  func listRevisions(
    _ date: CalendarDate, after id: RevisionID?
  ) async throws(StoreError) -> [RevisionID] {
    try await listVersions(date, after: id).map(\.id)
  }

  /// The same, each with its version if the store reports one.
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

  /// The most revisions of one day that a read lists, so that memory stays bounded.
  static let maximumRevisionsPerDay = 100_000

  /// The most bytes to read of an oversized pointer object in order to get its etag.
  private static let oversizedPointerLimit = 1 << 20
  /// The same where a listing has no etag: it is read once, and only to be replaced.
  private static let largestPointerLimit = 256 << 20

  /// A pointer object that is too large to read is corrupt, and only a listing can give its etag.
  ///
  /// The object may have been replaced since it was found to be too large. The etag of a valid
  /// pointer must never be taken for that of a corrupt one, because a write under it could move the
  /// pointer backwards (R25).
  private func hugePointer(_ key: ObjectKey) async throws(StoreError) -> PointerReading {
    let page = try await store.list(ListRequest(prefix: key.rawValue, limit: 1))
    let entry = page.entries.first {
      $0.key == key.rawValue && $0.size > LatestPointer.maximumBytes
    }
    let violation = Violation(
      rule: "R16", code: "too_large", pointer: "",
      message: "the pointer is larger than \(LatestPointer.maximumBytes) bytes",
      hidesDocument: true)
    if let entry, entry.etag == nil, entry.size <= Self.largestPointerLimit {
      // A folder lists no etags: that of its bytes is needed to replace them.
      return .corrupt(try await store.get(key, limit: entry.size)?.etag, [violation])
    }
    return .corrupt(entry?.etag, [violation])
  }
}

/// A revision as a listing reports it.
struct ListedRevision: Hashable, Sendable {
  let id: RevisionID
  /// Nil if the store lists no etag that identifies the bytes.
  let version: ObjectVersion?
}
