package import HealthModel

/// A run of a program that published days, as its words in the store's revisions show it (R20).
package struct PublishedRun: Hashable, Sendable {
  /// What it said of one day.
  package struct Day: Hashable, Sendable {
    package let date: CalendarDate
    /// A revision of the day, for its zone.
    package var day: ReportingDay
    /// Whether the run is undone there.
    package var isUndone: Bool
  }

  package let id: RunID
  package internal(set) var sources: Set<DataSource> = []
  /// Ascending.
  package internal(set) var days: [Day] = []
  /// The moment of the last of its revisions that was read.
  package internal(set) var lastPublished: Timestamp

  /// When it began, by its machine's clock; else when it last published.
  package var moment: Timestamp { id.moment ?? lastPublished }
  package var undoneDays: Int { days.count(where: \.isUndone) }
  package var isUndone: Bool { undoneDays == days.count }
}

extension HealthLedger {
  /// The runs that published since a moment, the last one first: found in the store alone, so every machine
  /// finds the same. It lists the store, and reads each revision that is not older.
  ///
  /// - Parameters:
  ///   - moment: nil for all runs that the store knows.
  ///   - progress: called with the number of revisions read, and of how many.
  package func runs(
    since moment: Timestamp?, concurrency: Int = defaultConcurrency,
    progress: (Int, Int) -> Void = { _, _ in }
  ) async throws(LedgerError) -> [PublishedRun] {
    try await runs(
      inRevisionsSince: moment, of: nil, concurrency: concurrency, progress: progress
    ).filter { run in moment.map { run.moment >= $0 } ?? true }
  }

  /// One run, with every day of which it has said anything; nil if the store does not know it.
  package func run(
    _ id: RunID, concurrency: Int = defaultConcurrency,
    progress: (Int, Int) -> Void = { _, _ in }
  ) async throws(LedgerError) -> PublishedRun? {
    // Its revisions are not older than it. Its machine's clock may have been ahead; then all are read.
    for since in [id.moment?.adding(seconds: -86_400), nil] {
      let found = try await runs(
        inRevisionsSince: since, of: id, concurrency: concurrency, progress: progress)
      if let run = found.first { return run }
      if since == nil { break }
    }
    return nil
  }

  private func runs(
    inRevisionsSince moment: Timestamp?, of only: RunID?, concurrency: Int,
    progress: (Int, Int) -> Void
  ) async throws(LedgerError) -> [PublishedRun] {
    var listed: [(date: CalendarDate, id: RevisionID)] = []
    try await list(from: nil, to: nil) { member, _ in
      guard case .revision(let date, let id) = member else { return }
      if moment.map({ id.timestamp >= $0 }) ?? true { listed.append((date, id)) }
    }
    var (found, count) = (FoundRuns(only: only), 0)
    try await concurrentMap(listed, width: concurrency) {
      revision async throws(LedgerError) in
      try await decodedRevision(revision.date, revision.id)
    } deliver: { revision, decoded in
      count += 1
      progress(count, listed.count)
      guard let decoded, !decoded.isDamaged, let read = decoded.revision else { return }
      found.add(read, revision.id)
    }
    return found.runs
  }
}

/// What the revisions of a store say of runs, gathered one revision at a time.
private struct FoundRuns {
  let only: RunID?
  private var found: [RunID: (sources: Set<DataSource>, days: Set<CalendarDate>, last: Timestamp)] =
    [:]
  /// What the newest revision of each date says of undone runs.
  private var newest: [CalendarDate: (id: RevisionID, day: ReportingDay, words: DayWords)] = [:]

  init(only: RunID?) { self.only = only }

  mutating func add(_ revision: DailyRevision, _ id: RevisionID) {
    let words = revision.allWords
    if newest[revision.date].map({ $0.id < id }) ?? true {
      newest[revision.date] = (id, revision.day, DayWords([], undone: words.undone))
    }
    func note(_ word: Word) {
      guard let run = word.run, only.map({ $0 == run }) ?? true else { return }
      var known = found[run] ?? ([], [], id.timestamp)
      known.sources.insert(word.source)
      known.days.insert(revision.date)
      known.last = max(known.last, id.timestamp)
      found[run] = known
    }
    for word in words.all { note(word) }
    for word in words.withdrawn { note(word) }
  }

  /// The last one first.
  var runs: [PublishedRun] {
    found.map { run, said in
      PublishedRun(
        id: run, sources: said.sources,
        days: said.days.sorted().compactMap { date in
          newest[date].map { .init(date: date, day: $0.day, isUndone: $0.words.isUndone(run)) }
        }, lastPublished: said.last)
    }.sorted { ($0.moment, $0.id) > ($1.moment, $1.id) }
  }
}
