public import HealthModel
import Synchronization

extension HealthLedger {
  /// The result for one day of a bulk publish.
  public enum DayResult: Sendable {
    /// Published, or already up to date. If a new revision was stored: with the readable revision
    /// that the day had before, and what became of its numbers.
    case done(PublishOutcome, replaced: RevisionID?, EarlierNumbers)
    /// Failed, and why.
    case failed(LedgerError)
    /// Not attempted, because an earlier day failed for a reason that affects this day as well.
    case notAttempted
  }

  /// Publishes many days concurrently and delivers each result in the drafts' order.
  ///
  /// One listing replaces the survey of each day. A day that fails does not stop the others. But
  /// after a failure of the store itself, no further day is begun. A date that is given twice is
  /// published in the order of the drafts.
  ///
  /// ```swift
  /// func publish(_ drafts: [DayDraft], to ledger: HealthLedger) async throws {
  ///   try await ledger.publish(drafts) { draft, result in
  ///     switch result {
  ///     case .done(let outcome, _, _): print(draft.day.date, outcome.word)
  ///     case .failed(let error): print(draft.day.date, error)
  ///     case .notAttempted: print(draft.day.date, "not tried: the store failed before")
  ///     }
  ///   }
  /// }
  /// ```
  /// - Throws: only what `each` throws. Failures of days and of the store are results.
  public nonisolated(nonsending) func publish(
    _ drafts: [DayDraft], concurrency: Int = defaultConcurrency,
    each: (DayDraft, DayResult) async throws(LedgerError) -> Void
  ) async throws(LedgerError) {
    let others = OtherWriters(mostAtOnce: concurrency)
    try await surveyed(drafts, concurrency: concurrency, beside: others) {
      draft, known async throws(LedgerError) in
      let known = others.areSeen ? try await survey([draft])[draft.day.date] : known
      let published = try await publish(draft, known: known)
      others.note(met: published.metOthers)
      return published
    } deliver: { draft, result async throws(LedgerError) in
      switch result {
      case .done(let done):
        try await each(draft, .done(done.outcome, replaced: done.replaced, done.earlier))
      case .failed(let error): try await each(draft, .failed(error))
      case .notAttempted: try await each(draft, .notAttempted)
      }
    }
  }

  /// Reports what publishing many days would do now, in the order of the drafts. It writes nothing.
  ///
  /// A date that is given twice is reported twice, each time as if the other were not published.
  /// - Throws: the failure of the first day that can't be read, and what `each` throws.
  public nonisolated(nonsending) func preview(
    _ drafts: [DayDraft], concurrency: Int = defaultConcurrency,
    each: (DayDraft, PublishPreview) async throws(LedgerError) -> Void
  ) async throws(LedgerError) {
    try await surveyed(drafts, concurrency: concurrency) {
      draft, known async throws(LedgerError) in
      try await preview(draft, known: known)
    } deliver: { draft, result async throws(LedgerError) in
      switch result {
      case .done(let preview): try await each(draft, preview)
      case .failed(let error): throw error
      // The failure that prevented the attempt is delivered later and ends everything.
      case .notAttempted: break
      }
    }
  }

  /// What drafts would make of their days now, in their order; nil where a day would stay as it is. It writes
  /// nothing.
  package nonisolated(nonsending) func changes(
    _ drafts: [DayDraft], concurrency: Int = defaultConcurrency,
    each: (DayDraft, DayChange?) async throws(LedgerError) -> Void
  ) async throws(LedgerError) {
    try await surveyed(drafts, concurrency: concurrency) {
      draft, known async throws(LedgerError) in
      try await joined(draft, known: known)
    } deliver: { draft, result async throws(LedgerError) in
      switch result {
      case .done(let change): try await each(draft, change)
      case .failed(let error): throw error
      case .notAttempted: break
      }
    }
  }

  /// Works on drafts concurrently, with what one listing has reported about their dates.
  private nonisolated(nonsending) func surveyed<Output: Sendable>(
    _ drafts: [DayDraft], concurrency: Int, beside others: OtherWriters? = nil,
    work: @escaping @Sendable (DayDraft, DayKnowledge?) async throws(LedgerError) -> Output,
    deliver: (DayDraft, StoreFailureGate.Result<Output>) async throws(LedgerError) -> Void
  ) async throws(LedgerError) {
    let gate = StoreFailureGate()
    for piece in piecesOfDistinctDates(drafts) {
      let survey = await gate.run { () async throws(LedgerError) in try await self.survey(piece) }
      try await concurrentMap(
        Array(piece.enumerated()), width: concurrency,
        widthNow: others.map { others in { others.width } },
        isShuffled: { others?.areSeen ?? false }
      ) { index, draft async throws(LedgerError) in
        switch survey {
        case .done(let known):
          let date = draft.day.date
          return await gate.run { () async throws(LedgerError) in
            try await work(draft, known[date])
          }
        case .failed(let error): return index == 0 ? .failed(error) : .notAttempted
        case .notAttempted: return .notAttempted
        }
      } deliver: { numbered, result async throws(LedgerError) in
        try await deliver(numbered.element, result)
      }
    }
  }

  /// What one listing reports about the drafts' dates, so that a new day needs no further read.
  private func survey(
    _ drafts: [DayDraft]
  ) async throws(LedgerError) -> [CalendarDate: DayKnowledge] {
    let dates = drafts.map(\.day.date)
    guard let draft = drafts.first, let first = dates.min(), let last = dates.max()
    else { return [:] }
    do {
      return try await survey(
        (first.daysSince1970...last.daysSince1970).compactMap(CalendarDate.init(daysSince1970:)))
    } catch {
      throw LedgerError(error, during: PublishMachine(draft, movesPointer: false))
    }
  }

  /// Splits the drafts, in their order, into pieces whose dates are distinct and close enough for
  /// one survey.
  private func piecesOfDistinctDates(_ drafts: [DayDraft]) -> [[DayDraft]] {
    var pieces: [[DayDraft]] = []
    var dates: ClosedRange<CalendarDate>?
    var seen: Set<CalendarDate> = []
    for draft in drafts {
      let date = draft.day.date
      let reach = dates.map { min($0.lowerBound, date)...max($0.upperBound, date) } ?? date...date
      let isNear = reach.lowerBound.days(until: reach.upperBound) < Self.datesPerSurvey
      if isNear, seen.insert(date).inserted, !pieces.isEmpty {
        pieces[pieces.count - 1].append(draft)
        dates = reach
      } else {
        pieces.append([draft])
        seen = [date]
        dates = date...date
      }
    }
    return pieces
  }
}

/// Whether a run has met another writer that publishes the same days, and how many days it may publish
/// at once.
///
/// Once it has met one, the first listing is out of date, so each day is surveyed again before it is
/// stored. The days are also taken in random order: two writers that go through equal days in step would
/// each store every day before they see the other's (R20). And the more days they work on at a time, the
/// more they store twice. So a run begins with one day at a time. The number grows by one for each day that
/// it published alone, and halves each time that it meets another writer.
private final class OtherWriters: Sendable {
  private struct State {
    var areSeen = false
    var width = 1
  }

  private let state = Mutex(State())
  private let mostAtOnce: Int

  init(mostAtOnce: Int) { self.mostAtOnce = mostAtOnce }

  var areSeen: Bool { state.withLock(\.areSeen) }
  var width: Int { state.withLock(\.width) }

  func note(met: Bool) {
    state.withLock { state in
      state.areSeen = state.areSeen || met
      state.width = met ? max(1, state.width / 2) : min(mostAtOnce, state.width + 1)
    }
  }
}

/// Closes permanently at the first failure that concerns the store and not only a day.
private actor StoreFailureGate {
  enum Result<Output: Sendable>: Sendable {
    case done(Output)
    case failed(LedgerError)
    case notAttempted
  }

  private var isClosed = false

  nonisolated func run<Output: Sendable>(
    _ work: @Sendable () async throws(LedgerError) -> Output
  ) async -> Result<Output> {
    guard await !isClosed else { return .notAttempted }
    do throws(LedgerError) {
      return .done(try await work())
    } catch {
      if error.concernsWholeStore { await close() }
      return .failed(error)
    }
  }

  private func close() { isClosed = true }
}
