import CommandLineKit
import HealthExports
import HealthLedger
import HealthModel
import HealthSources
import IngestServer
import ObjectStore
import PostgresTables

/// Fills the tables, and counts what comes of it.
struct RowsLoad {
  let tables: PostgresTables
  private(set) var counts: [RecordKind: RowCounts] = [:]
  /// Days of the ledger.
  private(set) var days = 0
  /// Batches of the bucket.
  private(set) var batches = 0

  init(_ tables: PostgresTables) { self.tables = tables }

  // MARK: - The ledger

  /// The days of the ledger between two dates; of all, where none are given.
  mutating func loadDays(
    _ ledger: HealthLedger, from: CalendarDate?, to: CalendarDate?
  ) async throws(LedgerError) {
    guard let held = try await ledger.holdings().extent else {
      return StandardStreams.remark("note: the store holds no days")
    }
    let first = max(from ?? held.lowerBound, held.lowerBound)
    let last = min(to ?? held.upperBound, held.upperBound)
    guard first <= last else {
      return StandardStreams.remark(
        "note: the store holds \(held.lowerBound) to \(held.upperBound), but none of the requested dates"
      )
    }
    let total = first.days(until: last) + 1
    var start = first
    var progress = ProgressLine("reading", total: total)
    defer { progress.clear() }
    while start <= last {
      let end = min(start.adding(days: 365) ?? last, last)
      var changes: [MetricChange] = []
      var beside: [StoredRevision] = []
      var notes: [DayNote] = []
      let range = try DateRange(from: start, to: end, maximumDays: 366)
      let posted = try await posted(range)
      let datesPosted = Set(posted.keys.map { String($0.prefix(10)) })
      try await ledger.resolve(range) {
        resolution throws(LedgerError) in
        notes += resolution.notes
        if let latest = resolution.latest {
          if datesPosted.contains("\(latest.revision.date)") {
            beside.append(latest)
          } else {
            changes += MetricChange.changes(latest.revision, id: latest.id)
          }
          days += 1
        }
        progress.advance()
      }
      progress.clear()
      StandardStreams.remark(notes: notes, allIn: nil)
      for latest in beside {
        changes += MetricChange.changes(
          latest.revision, id: latest.id,
          since: try await ledger.sameNumberSince(latest, beside: posted))
      }
      try await count(.metrics) { [changes] tables async throws(PostgresError) in
        try await tables.load(changes) { piece async throws(PostgresError) in
          try await tables.store(piece, from: .revision)
        }
      }
      guard let next = end.adding(days: 1) else { break }
      start = next
    }
  }

  private func posted(_ range: DateRange) async throws(LedgerError) -> [String: PostedNumber] {
    try await worded { () async throws(PostgresError) in
      try await tables.posted(on: Array(range.dates))
    }
  }

  private mutating func count(
    _ kind: RecordKind,
    _ work: (PostgresTables) async throws(PostgresError) -> RowCounts
  ) async throws(LedgerError) {
    let tables = tables
    counts[kind, default: RowCounts()] += try await worded { () async throws(PostgresError) in
      try await work(tables)
    }
  }

  // MARK: - A source

  /// The workouts and the sleep of a source.
  mutating func loadRecords(
    _ path: String, _ settings: Settings, from: CalendarDate?, to: CalendarDate?
  ) async throws(LedgerError) {
    var (workouts, sleep): ([WorkoutRecord], [SleepRecord]) = ([], [])
    let imported = try reading(settings) { request throws(LedgerError) in
      var request = request
      (request.from, request.to) = (from, to)
      request.records = { day in
        workouts += day.workouts.map { WorkoutRecord($0, timeZoneName: day.timeZoneName) }
        sleep += day.sleep.map(SleepRecord.init)
      }
      return try Input(path).read(request)
    }
    StandardStreams.remark(notes: imported.notes.map(\.words), allIn: nil)
    if !workouts.isEmpty {
      try await count(.workouts) { [workouts] tables async throws(PostgresError) in
        try await tables.load(workouts, tables.store)
      }
    }
    if !sleep.isEmpty {
      try await count(.sleep) { [sleep] tables async throws(PostgresError) in
        try await tables.load(sleep, tables.store)
      }
    }
  }

  // MARK: - The bucket

  /// The batches that were posted, in the order in which they were received first.
  mutating func loadPosted(_ archive: RecordArchive) async throws(LedgerError) {
    let listing = try await worded { () async throws(StoreError) in try await archive.list() }
    if let first = listing.foreign.first {
      StandardStreams.remark(
        "note: \(listing.foreign.count) objects are not batches of records: \(first)")
    }
    var posted: [PostedRecords] = []
    var progress = ProgressLine("reading", total: listing.batches.count, unit: .entries)
    defer { progress.clear() }
    for piece in listing.batches.pieces(of: 16) {
      let read = await withTaskGroup(of: Result<PostedRecords?, StoreError>.self) { group in
        for listed in piece {
          group.addTask {
            await Result.of { () async throws(StoreError) in try await archive.read(listed) }
          }
        }
        return await group.reduce(into: []) { $0.append($1) }
      }
      for result in read {
        switch result {
        case .success(let found?): posted.append(found)
        case .success(nil):
          throw LedgerError(
            .storageUnavailable, "an object of posted records is damaged or gone",
            remedy: "restore it, or move it out of streams/v0/health_records")
        case .failure(let error): throw LedgerError(error)
        }
      }
      progress.advance(to: posted.count)
    }
    posted.sort { ($0.receivedAt, $0.id) < ($1.receivedAt, $1.id) }
    if let last = posted.last?.receivedAt {
      let tables = tables
      try await worded { () async throws(PostgresError) in try await tables.pass(last) }
    }
    for batch in posted {
      try await count(batch.batch.kind) { tables async throws(PostgresError) in
        try await tables.store(
          batch.batch, order: MetricOrder(moment: batch.receivedAt, id: batch.id))
      }
      batches += 1
    }
  }
}

extension RowsLoad: CommandResult {
  var document: any Encodable {
    var members: Document = ["days": days, "batches": batches]
    for kind in RecordKind.allCases { members[kind.rawValue] = counts[kind].map(Counts.init) }
    return members
  }

  private struct Counts: Encodable {
    let received, inserted, duplicates, updated, deleted: Int

    init(_ counts: RowCounts) {
      (received, inserted, duplicates) = (counts.received, counts.inserted, counts.duplicates)
      (updated, deleted) = (counts.updated, counts.deleted)
    }
  }

  func lines(_ terminal: Terminal) -> [String] {
    let lines = RecordKind.allCases.compactMap { kind in
      counts[kind].map { counts in
        kind.rawValue.padded(to: 9)
          + "\(counts.received.grouped) received, \(counts.inserted.grouped) inserted, "
          + "\(counts.duplicates.grouped) duplicates"
          + (counts.updated > 0 ? ", \(counts.updated.grouped) updated" : "")
          + (counts.deleted > 0 ? ", \(counts.deleted.grouped) deleted" : "")
      }
    }
    return lines.isEmpty ? ["nothing to load"] : lines
  }
}

extension Array {
  fileprivate func pieces(of size: Int) -> [[Element]] {
    stride(from: 0, to: count, by: size).map { Array(self[$0..<Swift.min($0 + size, count)]) }
  }
}

/// The tables of records in PostgreSQL, for the routes of the server (R56).
struct PostgresRecords: RecordTables {
  let tables: PostgresTables

  func of(_ person: PersonID) -> any RecordTables {
    PostgresRecords(tables: tables.of(person.rawValue))
  }

  func state() async -> TablesState {
    do throws(PostgresError) {
      try await tables.check()
      return .ok
    } catch {
      return error.code == .tablesMissing ? .missing : .unreachable
    }
  }

  func order(from moment: PreciseMoment) async throws(LedgerError) -> PreciseMoment {
    try await worded { () async throws(PostgresError) in try await tables.order(from: moment) }
  }

  func store(
    _ batch: RecordBatch, of receipt: RecordReceipt
  ) async throws(LedgerError) -> RowCounts {
    try await worded { () async throws(PostgresError) in
      try await tables.store(
        batch, order: MetricOrder(moment: receipt.receivedAt, id: receipt.batchID))
    }
  }

  func posted(on date: CalendarDate) async throws(LedgerError) -> [String: PostedNumber] {
    try await worded { () async throws(PostgresError) in try await tables.posted(on: [date]) }
  }

  func store(
    _ revision: DailyRevision, _ id: RevisionID, since: [String: PreciseMoment]
  ) async throws(LedgerError) {
    _ = try await worded { () async throws(PostgresError) in
      try await tables.store(
        MetricChange.changes(revision, id: id, since: since), from: .revision)
    }
  }
}
