package import HealthLedger
package import HealthModel
package import HealthReport
import Synchronization

/// The page at `/` and its events (R59): one reader of the store and one writer of markup for all
/// pages that are open.
package final class Dashboard: Sendable {
  /// What it shows and uses of the server.
  struct Surroundings: Sendable {
    let tokens: TokenKeeper
    /// Nil if another program makes the days.
    let days: DayRecompute?
  }

  private let verdicts: DayVerdicts
  /// As a person names the store.
  let storeName: String
  private let date: @Sendable (Timestamp) throws(ReportingDay.Failure) -> CalendarDate
  private let now: @Sendable () -> Timestamp
  private let pushes: @Sendable () -> [DashboardStatus.Push]
  let feed = EventFeed()
  let ended: EndedSessions
  private let signal = WakeSignal()
  private let begun = ContinuousClock.now
  private let state: Mutex<DashboardMachine>

  /// How often today's pointer is read and a sign of life is sent while a page is open, in seconds.
  private static let (pollSeconds, beatSeconds) = (10.0, 20.0)
  /// How long events are joined, in seconds: after the first, and after what was sent.
  private static let (joinSeconds, restSeconds) = (0.25, 0.75)

  /// - Parameters:
  ///   - stepGoal: the steps to reach in a day.
  ///   - date: the local date of a moment.
  ///   - now: this machine's clock.
  ///   - pushes: how this user's pushes to Prometheus go, which another program makes; read every
  ///     few seconds while a page is open.
  ///   - ended: the sessions that people have ended.
  package init(
    _ ledger: HealthLedger, storeName: String, stepGoal: Int,
    ended: EndedSessions = EndedSessions(),
    date: @escaping @Sendable (Timestamp) throws(ReportingDay.Failure) -> CalendarDate,
    now: @escaping @Sendable () -> Timestamp,
    pushes: @escaping @Sendable () -> [DashboardStatus.Push] = { [] }
  ) {
    verdicts = DayVerdicts(ledger, storeName: storeName, stepGoal: stepGoal)
    (self.storeName, self.date, self.now, self.pushes) = (storeName, date, now, pushes)
    self.ended = ended
    state = Mutex(DashboardMachine(since: now()))
  }

  // MARK: - What happens

  /// A day was made again, or a sweep has ended.
  package func note(_ event: DayRecompute.Event) {
    let now = now()
    if state.withLock({ $0.note(event, at: now) }) { signal.raise() }
  }

  /// A request has brought data, or was to.
  func note(_ post: Activity.Post) {
    state.withLock { $0.note(post) }
    signal.raise()
  }

  /// Somebody has asked for everything to be read again.
  func readAgain(asked name: String) {
    let now = now()
    state.withLock { $0.ask(name, at: now) }
    signal.raise()
  }

  // MARK: - The page

  /// A page that is open from now on; `run` reads for it.
  func subscribe(_ session: String, after: String?) throws(RequestFailure) -> EventSubscription {
    let subscription = try feed.subscribe(session, after: after)
    signal.raise()
    return subscription
  }

  /// The parts of the page now.
  ///
  /// - Throws: `RequestFailure` if nothing was ever read and the store can't be read.
  func parts(
    _ span: DashboardSpan, _ server: Surroundings
  ) async throws(RequestFailure) -> DashboardPage.Parts {
    _ = await refresh()
    lookAtPushes()
    let (parts, trends) = state.withLock { ($0.parts, $0.trends(span)) }
    guard let parts, let trends else {
      throw .unavailable(
        "the store can't be read at the moment", cause: "the dashboard has no days")
    }
    return DashboardPage.Parts(
      today: parts.today, trends: trends, coverage: parts.coverage, status: statusPart(server))
  }

  private func statusPart(_ server: Surroundings) -> HTMLPart {
    let tokens = (try? server.tokens.table())?.tokens ?? []
    let waiting = server.days?.count
    return StatusPart(state.withLock { $0.status(tokens, waiting: waiting) }).part
  }

  private func lookAtPushes() {
    let pushes = pushes()
    state.withLock { $0.note(pushes) }
  }

  // MARK: - Reading

  private var elapsed: Double { (ContinuousClock.now - begun) / .seconds(1) }

  /// Reads what is to be read, and sends the part of today if it is another.
  ///
  /// - Parameter polls: whether to look at today's pointer before.
  /// - Returns: whether anything was read.
  private func refresh(polls: Bool = false) async -> Bool {
    var reading: DashboardMachine.Reading?
    do throws(LedgerError) {
      let today = try localDate()
      if polls {
        let hasMoved = try await verdicts.hasMoved(today)
        state.withLock { state in
          state.reached()
          if hasMoved { state.note(changed: today) }
        }
      }
      let moment = elapsed
      reading = state.withLock { $0.takeReading(today, at: moment) }
      guard let reading else { return false }
      switch reading {
      case .everything: try await verdicts.readAll(upTo: today)
      case .days(let days): try await verdicts.read(days)
      }
      let (content, now, end) = (try await verdicts.content(today, at: now()), now(), elapsed)
      let part = state.withLock { state in
        state.done(reading, content, at: now, end) ? state.parts?.today : nil
      }
      if let part { feed.publish(.today, part.text) }
      feed.publish(.range)
      return true
    } catch {
      state.withLock { $0.failed(reading, error) }
      return false
    }
  }

  private func localDate() throws(LedgerError) -> CalendarDate {
    do throws(ReportingDay.Failure) {
      return try date(now())
    } catch {
      throw LedgerError(.internal, "today’s date can’t be determined: \(error)", rule: "R4")
    }
  }

  /// Reads and sends for as long as the server runs; then ends all pages. Without a page it waits.
  func run(_ server: Surroundings) async {
    var (nextPoll, nextBeat) = (0.0, 0.0)
    while !Task.isCancelled {
      let isWatched = feed.count > 0
      if isWatched {
        if elapsed >= nextBeat {
          feed.beat(isValid: validity(server))
          nextBeat = elapsed + Self.beatSeconds
        }
        let polls = elapsed >= nextPoll
        let hasRead = await refresh(polls: polls)
        if polls { lookAtPushes() }
        if polls { nextPoll = elapsed + Self.pollSeconds }
        if state.withLock({ $0.takeStatusChange() }) || hasRead {
          feed.publish(.status, statusPart(server).text)
          try? await Task.sleep(for: .seconds(Self.restSeconds))
        }
      }
      await pause(isWatched ? min(nextPoll, nextBeat) - elapsed : 3600)
      // Further events of the same burst are joined.
      try? await Task.sleep(for: .seconds(Self.joinSeconds))
    }
    feed.close()
  }

  /// Whether the session of a page, by its cookie, still holds.
  private func validity(_ server: Surroundings) -> (String) -> Bool {
    guard let table = try? server.tokens.table() else { return { _ in false } }
    let now = now()
    return { cookie in Session.valid(cookie, table, at: now) != nil }
  }

  /// Until the time is over or something happens.
  private func pause(_ seconds: Double) async {
    guard seconds > 0 else { return }
    await withTaskGroup(of: Void.self) { group in
      group.addTask { try? await Task.sleep(for: .seconds(seconds)) }
      group.addTask { [signal] in await signal.wait() }
      await group.next()
      group.cancelAll()
    }
  }
}

extension HTMLPart {
  fileprivate var text: String { String(decoding: bytes, as: UTF8.self) }
}
