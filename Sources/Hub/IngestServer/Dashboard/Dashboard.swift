package import HealthLedger
package import HealthModel
package import HealthReport
import HealthSources
import Synchronization

/// The pages and their events (R59): one reader of the store and one writer of markup for all pages that
/// are open.
package final class Dashboard: Sendable {
  /// What it shows and uses of the server.
  struct Server: Sendable {
    /// Whose tokens are shown.
    let person: PersonID?
    let tokens: TokenCache
    /// Nil if another program makes the days.
    let days: DayRecompute?
    /// The posted workouts that begin on a day.
    var workouts: @Sendable (ReportingDay) async throws(LedgerError) -> [Workout] = { _ in [] }
  }

  private let verdicts: DayVerdicts
  private let waiting: RowsWithoutZone
  private let terms: TermsCache
  private let currentSettings: @Sendable () -> DashboardSettings
  /// What the person wants to see on the pages, as last read.
  var settings: DashboardSettings { currentSettings() }
  private let now: @Sendable () -> Timestamp
  private let pushes: @Sendable () -> [DashboardStatus.Push]
  let feed = EventFeed()
  let ended: EndedSessions
  private let signal = WakeSignal()
  private let elapsed = ElapsedTime()
  private let state: Mutex<DashboardMachine>

  /// How often today's pointer is read and a sign of life is sent while a page is open, in seconds.
  private static let (pollSeconds, beatSeconds) = (10.0, 20.0)
  /// How long a page waits for what is probably as it was.
  private static let patience = Duration.milliseconds(120)
  /// How long events are joined, in seconds: after the first, and after what was sent.
  private static let (joinSeconds, restSeconds) = (0.25, 0.75)

  /// - Parameters:
  ///   - settings: names; goals and units come from the terms.
  ///   - terms: also the time zone of the days.
  ///   - now: this machine's clock.
  ///   - pushes: how this user's pushes to Prometheus go, which another program makes; read every
  ///     few seconds while a page is open.
  ///   - ended: the sessions that people have ended.
  package init(
    _ ledger: HealthLedger, _ settings: DashboardSettings, terms: TermsCache,
    ended: EndedSessions = EndedSessions(),
    now: @escaping @Sendable () -> Timestamp,
    pushes: @escaping @Sendable () -> [DashboardStatus.Push] = { [] }
  ) {
    let waiting = RowsWithoutZone()
    let currentSettings: @Sendable () -> DashboardSettings = {
      var settings = settings
      guard let terms = terms.known else { return settings }
      (settings.goals, settings.units) = (terms.goals, terms.units)
      if terms.isZoneMissing {
        let misfit = waiting.misfit.withLock(\.self)
        settings.missingZone = MissingZone(
          machine: terms.currentZones.name(at: now()), rows: misfit.map { $0.unset() },
          fitting: misfit?.fitting.first)
      }
      return settings
    }
    self.waiting = waiting
    verdicts = DayVerdicts(ledger, currentSettings)
    (self.terms, self.currentSettings, self.now, self.pushes) = (
      terms, currentSettings, now, pushes
    )
    self.ended = ended
    state = Mutex(DashboardMachine(since: now()))
  }

  // MARK: - What happens

  /// A day was made again, or a sweep has ended.
  package func note(_ event: DayRecompute.Event) {
    let now = now()
    if case .day(_, .success(let day), _) = event, day.needsZone {
      waiting.misfit.withLock { $0 = day.misfit }
    }
    if state.withLock({ $0.note(event, at: now) }) { signal.raise() }
  }

  /// A request has brought data, or was to.
  func note(_ post: RequestRecord) {
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

  /// Today and the trends now.
  ///
  /// - Throws: `RequestFailure` if nothing was ever read and the store can't be read.
  func today(_ span: DashboardSpan, _ server: Server) async throws(RequestFailure)
    -> DashboardPage
  {
    await freshen(server, needsAll: span == .year)
    guard
      let (today, trends) = state.withLock({ state in
        state.trends(span).flatMap { trends in state.parts.map { ($0.today, trends) } }
      })
    else { throw Self.unread }
    return DashboardPage(span: span, today: today, trends: trends)
  }

  func status(_ server: Server) async throws(RequestFailure) -> StatusPage {
    await freshen(server)
    lookAtPushes()
    guard let coverage = state.withLock({ $0.parts?.coverage }) else { throw Self.unread }
    return StatusPage(
      storeName: settings.storeName, coverage: coverage, status: statusPart(server))
  }

  private static let unread = RequestFailure.unavailable(
    "the store can't be read at the moment", cause: "the dashboard has no days")

  /// A metric over a span of days up to one.
  func metric(
    _ metric: DailyMetric, _ span: MetricSpan, to: CalendarDate?, _ server: Server
  ) async throws(RequestFailure) -> MetricPage {
    await freshen(server, needsAll: span == .year || span == .all)
    return try await reading { [self] () async throws(LedgerError) in
      let today = try await localDate()
      let last = min(to ?? today, today)
      let report = try await verdicts.report(span, to: last, today: today, at: now())
      return try MetricPage(metric, span, to: to, report: report)
    }
  }

  func day(_ date: CalendarDate, _ server: Server) async throws(RequestFailure) -> DayPage {
    await freshen(server, needsAll: false)
    return try await reading { [self] () async throws(LedgerError) in
      let (today, ledger) = (try await localDate(), verdicts.ledger)
      var content = DayContent(
        try await verdicts.verdict(of: date), today: today, madeAt: now(), settings: settings)
      if let before = date.adding(days: -1) {
        let month = try await verdicts.report(
          from: before.adding(days: -29) ?? before, to: before, today: today, at: now())
        content.before = month.days
      }
      let ids = try await ledger.history(date)
      content.revisionCount = ids.count
      var older: JSONValue?
      for id in ids.suffix(DayContent.mostRevisions) {
        let (body, decoded) = try await ledger.revision(date, id)
        let value = try? JSONValue(parsing: body)
        let difference = older.flatMap { older in
          value.map { RevisionDifference(from: older, to: $0) }
        }
        content.revisions.insert(
          .init(
            id: id, madeAt: decoded.revision.map { "made \($0.generatedAt)" } ?? "not readable",
            difference: difference), at: 0)
        older = value
      }
      if let day = content.verdict.latest?.revision.day {
        content.course = try await course(day, server)
      }
      return DayPage(content)
    }
  }

  /// The samples and workouts of a day; nil if it has none.
  private func course(
    _ day: ReportingDay, _ server: Server
  ) async throws(LedgerError) -> DayCourse? {
    var course = DayCourse(day)
    course.add(workouts: try await server.workouts(day))
    if let days = server.days {
      course.add(try await days.deriver.course(of: [.heartRate, .sleepAnalysis], on: day))
    }
    return course.isEmpty ? nil : course
  }

  private func reading<Page>(
    _ work: () async throws(LedgerError) -> Page
  ) async throws(RequestFailure) -> Page {
    do throws(LedgerError) {
      return try await work()
    } catch {
      throw .unavailable("the store can't be read at the moment", cause: error.message)
    }
  }

  private func statusPart(_ server: Server) -> HTMLPart {
    let tokens = ((try? server.tokens.table())?.tokens ?? []).filter {
      $0.device.person == server.person
    }
    let waiting = server.days?.count
    return StatusPart(state.withLock { $0.status(tokens, waiting: waiting) }).part
  }

  private func lookAtPushes() {
    let pushes = pushes()
    state.withLock { $0.note(pushes) }
  }

  // MARK: - Reading

  /// Reads what a page needs before it can be made; anything else is read in the background. If
  /// everything was read before and only time has passed, the page waits for `patience` at most, and new
  /// data follows as an event.
  ///
  /// - Parameter needsAll: false for a page that needs only the newest days.
  private func freshen(_ server: Server, needsAll: Bool = true) async {
    if await !isOnlyOld, await refresh(server, needsAll: needsAll),
      state.withLock({ $0.isPartial })
    {
      Task { await refresh(server) }
    }
    guard await isOnlyOld else { return }
    let (end, over) = AsyncStream<Never>.makeStream()
    Task {
      _ = await refresh(server)
      over.finish()
    }
    Task {
      try? await Task.sleep(for: Self.patience)
      over.finish()
    }
    for await _ in end {}
  }

  /// Whether only time has passed since everything was read.
  private var isOnlyOld: Bool {
    get async {
      guard let today = try? await localDate() else { return false }
      let moment = elapsed.seconds
      return state.withLock { $0.isOnlyOld(today, at: moment) }
    }
  }

  /// Reads what is to be read.
  ///
  /// - Parameters:
  ///   - needsAll: false for a page that needs only the newest days.
  ///   - polls: whether to look at today's pointer before.
  /// - Returns: whether anything was read.
  @discardableResult private func refresh(
    _ server: Server, needsAll: Bool = true, polls: Bool = false
  ) async -> Bool {
    var reading: DashboardMachine.Reading?
    do throws(LedgerError) {
      let today = try await localDate()
      if polls {
        let hasMoved = try await verdicts.hasMoved(today)
        state.withLock { state in
          state.reached()
          if hasMoved { state.note(changed: today) }
        }
      }
      let moment = elapsed.seconds
      reading = state.withLock { $0.takeReading(today, at: moment, needsAll: needsAll) }
      guard let reading else { return false }
      switch reading {
      case .everything: try await verdicts.readAll(upTo: today)
      case .recent: try await verdicts.readRecent(upTo: today)
      case .days(let days): try await verdicts.read(days)
      }
      let pulse = await pulse(today, server)
      let (content, now, end) = (
        try await verdicts.content(today, at: now(), pulse), now(), elapsed.seconds
      )
      // The newest days have no data, so all days have to be read to know what to show.
      if reading == .recent, content == nil { return await refresh(server, polls: polls) }
      state.withLock { $0.done(reading, content, at: now, end) }
      signal.raise()
      return true
    } catch {
      state.withLock { $0.failed(reading, error) }
      return false
    }
  }

  /// The newest heart rate of today. Without it the page shows the mean of the day.
  private func pulse(_ today: CalendarDate, _ server: Server) async -> Pulse? {
    guard let days = server.days, let zone = await verdicts.zone(of: today),
      let day = try? ReportingDay(date: today, timeZoneName: zone),
      let samples = try? await days.deriver.samples(of: [.heartRate], on: day)
    else { return nil }
    let newest = samples.filter { $0.start >= day.start.timestamp.secondsSince1970 }
      .max { ($0.end, $0.start) < ($1.end, $1.start) }
    return newest.flatMap { sample in
      sample.unit.convert(sample.value, to: DailyMetric.heartRateMean.unit).map {
        Pulse(value: $0, at: Timestamp(secondsSince1970: sample.end))
      }
    }
  }

  /// Today in the person's zone.
  private func localDate() async throws(LedgerError) -> CalendarDate {
    let zones = try await terms.lately().currentZones
    let settings = settings
    state.withLock { $0.note(settings) }
    do throws(ReportingDay.Failure) {
      return try zones.date(at: now())
    } catch {
      throw LedgerError(.internal, "today’s date can’t be determined: \(error)", rule: "R4")
    }
  }

  /// Reads and sends for as long as the server runs; then ends all pages. Without a page it waits.
  func run(_ server: Server) async {
    var (nextPoll, nextBeat) = (0.0, 0.0)
    while !Task.isCancelled {
      let isWatched = feed.count > 0
      if isWatched {
        if elapsed.seconds >= nextBeat {
          feed.beat(isValid: validity(server))
          nextBeat = elapsed.seconds + Self.beatSeconds
        }
        let polls = elapsed.seconds >= nextPoll
        await refresh(server, polls: polls)
        if polls {
          lookAtPushes()
          nextPoll = elapsed.seconds + Self.pollSeconds
        }
        if state.withLock({ $0.takeChange() }) {
          feed.publishChange()
          try? await Task.sleep(for: .seconds(Self.restSeconds))
        }
      }
      await signal.wait(
        seconds: isWatched ? min(nextPoll, nextBeat) - elapsed.seconds : 3600)
      // Further events of the same burst are joined.
      try? await Task.sleep(for: .seconds(Self.joinSeconds))
    }
    feed.close()
  }

  /// Whether the session of a page, by its cookie, still holds.
  private func validity(_ server: Server) -> (String) -> Bool {
    guard let table = try? server.tokens.table() else { return { _ in false } }
    let now = now()
    return { cookie in Session.valid(cookie, table, at: now) != nil }
  }
}

/// The last posted rows that wait for somebody to set the time zone.
private final class RowsWithoutZone: Sendable {
  let misfit = Mutex<OffsetMisfit?>(nil)
}
