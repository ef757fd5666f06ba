import HealthLedger
import HealthModel
import HealthReport
import ObjectStore
import Synchronization

/// The verdicts of the last two years, held so that a page costs the store nothing (R59).
actor DayVerdicts {
  nonisolated let ledger: HealthLedger
  private let wishesNow: @Sendable () -> DashboardWishes
  private var wishes: DashboardWishes { wishesNow() }
  private var verdicts: [CalendarDate: DayVerdict] = [:]
  /// Older days that were asked for, until everything is read again.
  private var older: [CalendarDate: ReportDay] = [:]
  private var firstHeld: CalendarDate?
  private var reading: Task<Result<[CalendarDate: DayVerdict], LedgerError>, Never>?
  /// Today's pointer as it was read last.
  private var pointer: [UInt8]?

  /// How many days are read at a time: others read, too.
  private static let concurrency = 8

  init(_ ledger: HealthLedger, _ wishes: @escaping @Sendable () -> DashboardWishes) {
    var ledger = ledger
    if ledger.cache == nil { ledger.cache = RevisionCache() }
    (self.ledger, wishesNow) = (ledger, wishes)
  }

  /// Reads every day. Who asks while it is read gets the same.
  func readAll(upTo today: CalendarDate) async throws(LedgerError) {
    let task =
      reading
      ?? Task { [ledger] in
        do throws(LedgerError) {
          var found: [CalendarDate: DayVerdict] = [:]
          let range = try DashboardContent.range(upTo: today)
          try await ledger.verify(range, concurrency: Self.concurrency) { found[$0.date] = $0 }
          return .success(found)
        } catch {
          return .failure(error)
        }
      }
    reading = task
    let result = await task.value
    reading = nil
    verdicts = try result.get()
    (older, firstHeld) = ([:], nil)
  }

  /// The zone of a day that has a revision.
  func zone(of date: CalendarDate) -> String? {
    verdicts[date]?.latest?.revision.day.timeZoneName
  }

  /// Reads some days again.
  func read(_ dates: Set<CalendarDate>) async throws(LedgerError) {
    for date in dates.sorted() { verdicts[date] = try await ledger.verify(date, known: nil) }
  }

  /// Whether the pointer of today is another than when this was asked last.
  func hasMoved(_ today: CalendarDate) async throws(LedgerError) -> Bool {
    let object: StoredObject?
    do throws(StoreError) {
      object = try await ledger.store.get(ledger.layout.pointerKey(today), limit: 1 << 20)
    } catch {
      throw LedgerError(error)
    }
    defer { pointer = object?.body }
    return object?.body != pointer
  }

  /// What the dashboard shows; nil before everything was read, and after midnight before it was read
  /// again.
  func content(
    _ today: CalendarDate, at now: Timestamp, _ pulse: Pulse?
  ) throws(LedgerError) -> DashboardContent? {
    let range = try DashboardContent.range(upTo: today)
    guard verdicts[range.from] != nil, verdicts[range.to] != nil else { return nil }
    return try DashboardContent(
      wishes, today: today, madeAt: now, verdicts: verdicts, pulse: pulse)
  }

  /// A range up to a day with the days before it, of what is held and, for older days, of the store.
  ///
  /// - Parameter from: nil for the first day that the store holds.
  func report(
    from: CalendarDate?, to: CalendarDate, today: CalendarDate, at now: Timestamp
  ) async throws(LedgerError) -> RangeReport {
    var first = from
    if first == nil {
      if firstHeld == nil { firstHeld = try await ledger.holdings().extent?.lowerBound }
      first = firstHeld
    }
    let week = to.adding(days: -6) ?? to
    let range = try DateRange(
      from: min(first ?? week, week), to: to, maximumDays: Self.mostDays)
    var report = RangeReport(
      storeName: wishes.storeName, range: range, madeAt: now, today: today, maker: "s3healthd")
    report.units = wishes.units
    // Nothing is before the first day.
    let span = from == nil ? range : RangeReport.span(of: range)
    let unread = span.dates.filter { verdicts[$0] == nil && older[$0] == nil }
    if let oldest = unread.first, let newest = unread.last {
      let missing = try DateRange(from: oldest, to: newest, maximumDays: .max)
      older.merge(try await days(of: missing, at: now)) { $1 }
    }
    for date in span.dates {
      if let verdict = verdicts[date] {
        report.add(verdict)
      } else if let day = older[date] {
        report.add(day)
      }
    }
    return report
  }

  private nonisolated func days(
    of range: DateRange, at now: Timestamp
  ) async throws(LedgerError) -> [CalendarDate: ReportDay] {
    var found: [CalendarDate: ReportDay] = [:]
    try await ledger.verify(range, concurrency: Self.concurrency) { verdict in
      found[verdict.date] = ReportDay(verdict, at: now)
    }
    return found
  }

  /// The most days of a page: a mistyped date may be the first in the store.
  private static let mostDays = 40_000
}

/// The newest version of each object that was read: a day that has not changed is not read again.
/// Bounded by the days of the dashboard, each with its revision and its pointer.
final class RevisionCache: ObjectCache {
  private static let (maximumObjects, maximumBytes) = (2000, 65_536)
  private let state = Mutex<[ObjectKey: (version: ObjectVersion, body: [UInt8])]>([:])

  func body(of key: ObjectKey, _ version: ObjectVersion) -> [UInt8]? {
    state.withLock { objects in
      objects[key].flatMap { $0.version.isSame(as: version) ? $0.body : nil }
    }
  }

  func keep(_ body: [UInt8], of key: ObjectKey, _ version: ObjectVersion) {
    guard body.count <= Self.maximumBytes else { return }
    state.withLock { objects in
      if objects.count >= Self.maximumObjects, objects[key] == nil { objects = [:] }
      objects[key] = (version, body)
    }
  }

  func finish() async {}
}

extension ObjectVersion {
  /// The same bytes: the moment of writing is not part of it.
  fileprivate func isSame(as other: ObjectVersion) -> Bool {
    etag == other.etag && size == other.size
  }
}
