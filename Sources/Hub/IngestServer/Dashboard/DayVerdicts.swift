import HealthLedger
import HealthModel
import HealthReport
import ObjectStore
import Synchronization

/// The verdicts of the last two years, held so that a page costs the store nothing (R59).
actor DayVerdicts {
  nonisolated let ledger: HealthLedger
  private let currentSettings: @Sendable () -> DashboardSettings
  private var settings: DashboardSettings { currentSettings() }
  private var verdicts: [CalendarDate: DayVerdict] = [:]
  /// The dates that each have a verdict.
  private var held: ClosedRange<CalendarDate>?
  /// Days that were read while everything was being read. They are newer.
  private var readBeside: [CalendarDate: DayVerdict] = [:]
  /// Older days that were asked for, until everything is read again.
  private var older: [CalendarDate: ReportDay] = [:]
  private var firstHeld: CalendarDate?
  private var reading: Task<Result<Void, LedgerError>, Never>?
  /// Today's pointer as it was read last.
  private var pointer: [UInt8]?

  /// How many days are read at a time: others read, too.
  private static let concurrency = 8

  init(_ ledger: HealthLedger, _ settings: @escaping @Sendable () -> DashboardSettings) {
    var ledger = ledger
    if ledger.cache == nil { ledger.cache = RevisionCache() }
    (self.ledger, currentSettings) = (ledger, settings)
  }

  /// Reads every day. Whoever asks while it is read waits for the same reading.
  func readAll(upTo today: CalendarDate) async throws(LedgerError) {
    let task =
      reading
      ?? Task {
        do throws(LedgerError) {
          return .success(try await readEverything(upTo: today))
        } catch {
          return .failure(error)
        }
      }
    reading = task
    try await task.value.get()
  }

  /// Holds what it read before anyone who waits goes on, so that it never replaces what is read later.
  private func readEverything(upTo today: CalendarDate) async throws(LedgerError) {
    defer { (reading, readBeside) = (nil, [:]) }
    let range = try DashboardContent.range(upTo: today)
    var found: [CalendarDate: DayVerdict] = [:]
    try await ledger.verify(range, concurrency: Self.concurrency) { found[$0.date] = $0 }
    verdicts = found.merging(readBeside) { $1 }
    held = range.from...range.to
    extend()
    (older, firstHeld) = ([:], nil)
  }

  /// Reads the newest days: as many as the page of today with its month needs.
  func readRecent(upTo today: CalendarDate) async throws(LedgerError) {
    let range = try DashboardContent.range(upTo: today, Self.recentSpan)
    var found: [CalendarDate: DayVerdict] = [:]
    try await ledger.verify(range, concurrency: Self.concurrency) { found[$0.date] = $0 }
    // If everything was read in the meantime, these are included.
    guard held == nil else { return }
    verdicts.merge(found) { $1 }
    held = range.from...range.to
  }

  private static let recentSpan = DashboardSpan.month

  /// Days that directly follow the known ones are kept as well.
  private func extend() {
    while let known = held, let next = known.upperBound.adding(days: 1), verdicts[next] != nil {
      held = known.lowerBound...next
    }
  }

  /// The zone of a day that has a revision.
  func zone(of date: CalendarDate) -> String? {
    verdicts[date]?.latest?.revision.day.timeZoneName
  }

  /// Reads a day for a page of its own. Other pages then show the same of it.
  func verdict(of date: CalendarDate) async throws(LedgerError) -> DayVerdict {
    let verdict = try await ledger.verify(date, known: nil)
    if verdicts[date] != nil { verdicts[date] = verdict }
    if reading != nil { readBeside[date] = verdict }
    older[date] = nil
    return verdict
  }

  /// Reads some days again.
  func read(_ dates: Set<CalendarDate>) async throws(LedgerError) {
    for date in dates.sorted() {
      let verdict = try await ledger.verify(date, known: nil)
      verdicts[date] = verdict
      if reading != nil { readBeside[date] = verdict }
    }
    extend()
  }

  /// Whether the pointer of today is another than when this was asked last.
  func hasMoved(_ today: CalendarDate) async throws(LedgerError) -> Bool {
    let object: StoredObject?
    do throws(StoreError) {
      object = try await ledger.store.get(ledger.layout.pointerKey(today), limit: 1 << 20)
    } catch  where error.damaged != nil {
      object = error.damaged
    } catch {
      throw LedgerError(error)
    }
    defer { pointer = object?.body }
    return object?.body != pointer
  }

  /// What the dashboard shows: everything, or, if only the newest days were read and any of them has data,
  /// what can be made of these. Nil if too little was read.
  func content(
    _ today: CalendarDate, at now: Timestamp, _ pulse: Pulse?
  ) throws(LedgerError) -> DashboardContent? {
    for (spans, longest) in [(DashboardSpan.allCases, DashboardSpan.year), Self.few] {
      let range = try DashboardContent.range(upTo: today, longest)
      guard let held, held.contains(range.from), held.contains(range.to) else { continue }
      let content = try DashboardContent(
        settings, today: today, madeAt: now, spans: spans,
        verdicts: verdicts.filter { (range.from...range.to).contains($0.key) }, pulse: pulse)
      // Only all days together show whether the store is empty.
      return content.isWhole || content.first != nil ? content : nil
    }
    return nil
  }

  private static let few = ([DashboardSpan.week, .month], recentSpan)

  /// The report that the page of a span shows.
  func report(
    _ span: MetricSpan, to: CalendarDate, today: CalendarDate, at now: Timestamp
  ) async throws(LedgerError) -> RangeReport {
    var from = span.days.map { to.adding(days: 1 - $0) ?? to }
    // A year that begins before the first day would be mostly empty. The days that were read begin
    // two years ago: only the store knows what is before them.
    if span == .year, let begin = from,
      !verdicts.contains(where: { $0.key <= begin && $0.value.status != .missing }),
      let first = try await first(), (begin...to).contains(first)
    {
      from = first
    }
    return try await report(from: from, to: to, today: today, at: now)
  }

  /// The first day that the store holds.
  private func first() async throws(LedgerError) -> CalendarDate? {
    if firstHeld == nil { firstHeld = try await ledger.holdings().extent?.lowerBound }
    return firstHeld
  }

  /// A range up to a day with the days before it, of what is held and, for older days, of the store.
  ///
  /// - Parameter from: nil for the first day that the store holds.
  func report(
    from: CalendarDate?, to: CalendarDate, today: CalendarDate, at now: Timestamp
  ) async throws(LedgerError) -> RangeReport {
    var first = from
    if first == nil { first = try await self.first() }
    let week = to.adding(days: -6) ?? to
    let range = try DateRange(
      from: min(first ?? week, week), to: to, maximumDays: Self.mostDays)
    var report = RangeReport(
      storeName: settings.storeName, range: range, madeAt: now, today: today, maker: "s3healthd")
    report.units = settings.units
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
