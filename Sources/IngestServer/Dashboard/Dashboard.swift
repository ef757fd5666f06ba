package import HealthLedger
package import HealthModel
import HealthReport
import Synchronization

/// The page at `/` and its events (R59): one reader of the store and one writer of markup for all
/// pages that are open.
package final class Dashboard: Sendable {
  private let book: DayBook
  private let storeName: String
  private let date: @Sendable (Timestamp) throws(ReportingDay.Failure) -> CalendarDate
  private let now: @Sendable () -> Timestamp
  let feed = EventFeed()
  private let bell = Bell()
  private let begun = ContinuousClock.now
  private let state: Mutex<State>

  /// How often today's pointer is read, a sign of life is sent, and everything is read again, in
  /// seconds, while a page is open.
  private static let (pollSeconds, beatSeconds, rereadSeconds) = (10.0, 20.0, 600.0)
  /// How long events are joined, in seconds: after the first, and after what was sent.
  private static let (joinSeconds, restSeconds) = (0.25, 1.0)
  /// More changed days than so many are read with one listing.
  private static let maximumSingleDays = 10

  private struct State {
    var activity = Activity()
    let since: Timestamp
    /// Days that were published and not yet read.
    var changed: Set<CalendarDate> = []
    var statusChanged = false
    var wantsAll = false
    var readAt: Timestamp?
    var readElapsed: Double?
    var obstacle: String?
    var parts: (date: CalendarDate, today: HTMLPart, coverage: HTMLPart, content: DashboardContent)?
    var trends: [DashboardSpan: HTMLPart] = [:]
  }

  /// - Parameters:
  ///   - date: the local date of a moment.
  ///   - now: this machine's clock.
  package init(
    _ ledger: HealthLedger, storeName: String, stepGoal: Int = 10_000,
    date: @escaping @Sendable (Timestamp) throws(ReportingDay.Failure) -> CalendarDate,
    now: @escaping @Sendable () -> Timestamp
  ) {
    book = DayBook(ledger, storeName: storeName, stepGoal: stepGoal)
    (self.storeName, self.date, self.now) = (storeName, date, now)
    state = Mutex(State(since: now()))
  }

  // MARK: - What happens

  /// A day was made again, or a sweep has ended.
  package func note(_ event: DayRecompute.Event) {
    let now = now()
    let isShown = state.withLock { state in
      if case .day(let date, .success(let day), _) = event,
        case .settled(_, let wrote) = day.outcome,
        !wrote.isEmpty
      {
        state.changed.insert(date)
      }
      let isShown = state.activity.add(event, at: now)
      state.statusChanged = state.statusChanged || isShown
      return isShown
    }
    if isShown { bell.ring() }
  }

  /// A request was answered.
  func note(_ record: RequestRecord, pages: Set<String>) {
    let isShown = state.withLock { state in
      let isShown = state.activity.add(record, pages: pages)
      state.statusChanged = state.statusChanged || isShown
      return isShown
    }
    if isShown { bell.ring() }
  }

  /// Somebody has asked for everything to be read again.
  func readAgain(asked name: String) {
    let now = now()
    state.withLock { state in
      state.activity.add("\(name) asked to sync", at: now, isFailure: false)
      (state.wantsAll, state.statusChanged) = (true, true)
    }
    bell.ring()
  }

  // MARK: - The page

  /// A page that is open from now on; `run` reads for it.
  func subscribe(_ session: String, after: String?) throws(RequestFailure) -> EventSubscription {
    let subscription = try feed.subscribe(session, after: after)
    bell.ring()
    return subscription
  }

  /// The parts of the page now.
  ///
  /// - Throws: `RequestFailure` if nothing was ever read and the store can't be read.
  func parts(
    _ span: DashboardSpan, _ hub: Hub
  ) async throws(RequestFailure) -> DashboardPage.Parts {
    do throws(LedgerError) {
      let today = try localDate()
      let isOld = state.withLock { state in
        state.parts?.date != today || feed.count == 0 && !state.changed.isEmpty
          || (state.readElapsed.map { elapsed - $0 > Self.rereadSeconds } ?? true)
      }
      // With pages open, `run` has read what has changed.
      if isOld || feed.count == 0 { try await refresh(today, all: isOld) }
    } catch {
      fail(error)
    }
    guard let kept = state.withLock(\.parts) else {
      throw .unavailable(
        "the store can't be read at the moment", cause: "the dashboard has no days")
    }
    let trends: HTMLPart? = state.withLock { state in
      if state.trends[span] == nil { state.trends[span] = TrendsPart(kept.content, span)?.part }
      return state.trends[span]
    }
    return DashboardPage.Parts(
      today: kept.today, trends: trends ?? kept.today, coverage: kept.coverage,
      status: StatusPart(status(hub)).part)
  }

  var name: String { storeName }

  private func status(_ hub: Hub) -> DashboardStatus {
    let posting = (try? hub.tokens.table())?.tokens ?? []
    return state.withLock { state in
      var status = DashboardStatus(since: state.since)
      status.senders = posting.compactMap { token in
        let endpoints = token.device.scope.endpoints.subtracting([.dashboard])
        guard !endpoints.isEmpty else { return nil }
        return DashboardStatus.Sender(
          name: token.name, endpoints: endpoints.map(\.rawValue).sorted().joined(separator: ", "),
          postedAt: state.activity.posts[token.name])
      }
      status.waiting = hub.days?.count
      status.sweptAt = state.activity.sweptAt
      (status.readAt, status.obstacle) = (state.readAt, state.obstacle)
      status.log = state.activity.lines
      return status
    }
  }

  // MARK: - Reading

  private var elapsed: Double { (ContinuousClock.now - begun) / .seconds(1) }

  private func localDate() throws(LedgerError) -> CalendarDate {
    do throws(ReportingDay.Failure) {
      return try date(now())
    } catch {
      throw LedgerError(.internal, "today’s date can’t be told: \(error)", rule: "R4")
    }
  }

  /// Reads what has changed, and writes the parts of it anew.
  ///
  /// - Returns: whether the part of today is another.
  @discardableResult
  private func refresh(_ today: CalendarDate, all: Bool) async throws(LedgerError) -> Bool {
    let (changed, wantsAll, hasParts) = state.withLock { state in
      let taken = (state.changed, state.wantsAll, state.parts?.date == today)
      (state.changed, state.wantsAll) = ([], false)
      return taken
    }
    let isWhole = all || wantsAll || !hasParts || changed.count > Self.maximumSingleDays
    guard isWhole || !changed.isEmpty else { return false }
    do throws(LedgerError) {
      if isWhole { try await book.readAll(upTo: today) } else { try await book.read(changed) }
    } catch {
      state.withLock { state in
        state.changed.formUnion(changed)
        state.wantsAll = state.wantsAll || isWhole
      }
      throw error
    }
    guard let content = try await book.content(today, at: now()) else { return false }
    let (part, coverage) = (TodayPart(content).part, CoveragePart(content)?.part)
    let moment = now()
    return state.withLock { state in
      let isOther = state.parts?.today != part
      state.parts = (today, part, coverage ?? part, content)
      state.trends = [:]
      if isWhole { state.readElapsed = elapsed }
      if state.obstacle != nil { state.statusChanged = true }
      (state.readAt, state.obstacle) = (moment, nil)
      return isOther
    }
  }

  private func fail(_ error: LedgerError) {
    state.withLock { state in
      let word = error.code.rawValue
      state.statusChanged = state.statusChanged || state.obstacle != word
      state.obstacle = word
    }
  }

  /// Reads and sends for as long as the server runs; then ends all pages. Without a page it waits.
  func run(_ hub: Hub) async {
    var (nextPoll, nextBeat) = (0.0, 0.0)
    while !Task.isCancelled {
      let isWatched = feed.count > 0
      let moment = elapsed
      if isWatched {
        if moment >= nextBeat {
          nextBeat = moment + Self.beatSeconds
          let isValid = validity(hub)
          feed.beat(isValid: isValid)
        }
        let hasSent = await look(hub, polls: moment >= nextPoll)
        if moment >= nextPoll { nextPoll = elapsed + Self.pollSeconds }
        if hasSent { try? await Task.sleep(for: .seconds(Self.restSeconds - Self.joinSeconds)) }
      }
      await pause(isWatched ? min(nextPoll, nextBeat) - elapsed : 3600)
      // Further events of the same burst are joined.
      try? await Task.sleep(for: .seconds(Self.joinSeconds))
    }
    feed.close()
  }

  /// Reads what is to be read, and sends what is other than before.
  ///
  /// - Returns: whether something was sent.
  private func look(_ hub: Hub, polls: Bool) async -> Bool {
    var hasRead = false
    do throws(LedgerError) {
      let today = try localDate()
      if polls, try await book.hasMoved(today) {
        state.withLock { _ = $0.changed.insert(today) }
      }
      let isOld = state.withLock { state in
        state.parts?.date != today
          || (state.readElapsed.map { elapsed - $0 > Self.rereadSeconds } ?? true)
      }
      hasRead = isOld || state.withLock { !$0.changed.isEmpty || $0.wantsAll }
      let isOther = try await refresh(today, all: isOld)
      if isOther, let part = state.withLock({ $0.parts?.today }) {
        feed.publish(.today, part.text)
      }
      if hasRead { feed.publish(.range) }
    } catch {
      fail(error)
    }
    let statusChanged = state.withLock { state in
      defer { state.statusChanged = false }
      return state.statusChanged
    }
    guard statusChanged || hasRead else { return false }
    feed.publish(.status, StatusPart(status(hub)).part.text)
    return true
  }

  /// Whether the session of a page still holds.
  private func validity(_ hub: Hub) -> (String) -> Bool {
    guard let table = try? hub.tokens.table() else { return { _ in false } }
    let now = now()
    return { cookie in Session.valid(cookie, table, at: now) != nil }
  }

  /// Until the time is over or something happens.
  private func pause(_ seconds: Double) async {
    guard seconds > 0 else { return }
    await withTaskGroup(of: Void.self) { group in
      group.addTask { try? await Task.sleep(for: .seconds(seconds)) }
      group.addTask { [bell] in await bell.wait() }
      await group.next()
      group.cancelAll()
    }
  }
}

extension HTMLPart {
  fileprivate var text: String { String(decoding: bytes, as: UTF8.self) }
}
