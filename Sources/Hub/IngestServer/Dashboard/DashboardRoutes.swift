import HTTPClient
import HealthLedger
import HealthModel
import HealthReport
import Synchronization

/// The pages of the hub (R59): sign-in, the dashboard, its events, and the one thing that it can ask
/// for.
struct DashboardRoutes: Sendable {
  let hub: Hub
  let sessions: PageSessions
  private let syncTimes = SyncTimes()

  private typealias Paths = PageFrame.Paths

  /// The paths of the pages: their requests are not what the log of the page is about.
  static let own: Set<String> = [
    Paths.page, Paths.signIn, Paths.signOut, Paths.sync, Paths.events, Paths.day,
    PagePlace.dayFolder, PagePlace.metricFolder, PagePlace.statusPath,
  ]

  /// When somebody last asked for the newest days, in this instance alone.
  private final class SyncTimes: Sendable {
    let syncedAt = Mutex<[PersonID?: ContinuousClock.Instant]>([:])
  }

  static func routes(_ hub: Hub, _ sessions: PageSessions) -> [Route] {
    let pages = DashboardRoutes(hub: hub, sessions: sessions)
    let places = [Paths.page, PagePlace.statusPath, PagePlace.dayFolder, PagePlace.metricFolder]
    return places.map { Route(page: .get, $0, pages.page) } + [
      Route(page: .get, Paths.day) { request in
        // A form asks so: the day has an address of its own.
        let date = request.query["date"].flatMap { CalendarDate($0) }
        return Answer(to: (date.map(PagePlace.day) ?? .status).address)
      },
      Route(page: .get, Paths.events, pages.events),
      Route(page: .get, Paths.signIn) { request in
        html(200, SignInPage(place: Self.place(request.query)).bytes)
      },
      Route(page: .post, Paths.signIn, pages.signIn),
      Route(page: .post, Paths.signOut, pages.signOut),
      Route(page: .post, Paths.sync, pages.sync),
    ]
      + PageFiles.served.map { file in
        Route(open: file.path) { Answer(file: file.bytes, type: file.type) }
      }
  }

  // MARK: - The pages

  /// The pages of whoever has signed in: of one person, and nobody else.
  private func pages(
    of current: PageSessions.Current
  ) throws(RequestFailure) -> (dashboard: Dashboard, server: Dashboard.Server) {
    let part = try hub.part(of: current.token.device)
    guard let dashboard = part.dashboard else {
      throw RequestFailure(404, "not_found", "this server has no pages")
    }
    return (dashboard, part.server(hub))
  }

  private func page(_ request: PageRequest) async throws(RequestFailure) -> Answer {
    guard let place = PagePlace(request.path, request.query) else {
      throw RequestFailure(404, "not_found", "this server has no page at this path")
    }
    guard let current = try sessions.current(request) else { return signInFirst(for: place) }
    let (dashboard, server) = try pages(of: current)
    // Taken before the parts: an event that comes in between is sent again.
    let event = dashboard.feed.last
    let key = MaskedKey.masked(current.session.formKey(current.token))
    func frame(_ event: String? = nil) -> PageFrame {
      PageFrame(
        user: .init(name: current.session.name, formKey: key),
        title: dashboard.settings.title, event: event)
    }
    let bytes =
      switch place {
      case .today(let span):
        try await dashboard.today(span ?? .month, server).bytes(in: frame(event))
      case .status: try await dashboard.status(server).bytes(in: frame(event))
      case .day(let date): try await dashboard.day(date, server).bytes(in: frame())
      case .metric(let metric, let span, let to):
        try await dashboard.metric(metric, span, to: to, server).bytes(in: frame())
      }
    var answer = Self.html(200, bytes)
    answer.mayBePacked = true
    answer.note(current.token.device)
    return answer
  }

  private func events(_ request: PageRequest) throws(RequestFailure) -> Answer {
    guard let current = try sessions.current(request) else {
      throw RequestFailure(401, "not_signed_in", "sign in first")
    }
    var answer = Answer(200, bytes: [], type: "text/event-stream")
    answer.note(current.token.device)
    // A proxy must not hold events back.
    answer.headers.append(HeaderField("X-Accel-Buffering", "no"))
    answer.events = try pages(of: current).dashboard.subscribe(
      current.cookie, after: request.lastEvent ?? request.query["after"])
    return answer
  }

  private func signIn(_ request: PageRequest) -> Answer {
    let place = Self.place(request.form)
    switch sessions.signIn(request) {
    case .foreign: return signInFirst(for: place)
    case .refused(let status, let notice): return signInPage(status, notice, place)
    case .signedIn(let session, let token):
      var answer = Answer(to: (place ?? .today()).address)
      answer.note(token.device)
      answer.headers.append(
        SessionCookie.setting(session.cookie(token), isSecure: request.isSecure))
      return answer
    }
  }

  private func signOut(_ request: PageRequest) throws(RequestFailure) -> Answer {
    guard let current = try sessions.sender(request) else { return signInFirst() }
    sessions.end(current, at: request.at)
    hub.known(current.token.device.person)?.dashboard?.feed.end(current.cookie)
    var answer = signInPage(200, .signedOut)
    answer.note(current.token.device)
    answer.headers.append(SessionCookie.clearing(isSecure: request.isSecure))
    return answer
  }

  /// Makes today and yesterday again, and all that waits in the store, and reads everything.
  private func sync(_ request: PageRequest) throws(RequestFailure) -> Answer {
    guard let current = try sessions.sender(request) else { return signInFirst() }
    let isTooSoon = syncTimes.syncedAt.withLock { syncedAt in
      let now = ContinuousClock.now
      if syncedAt.count > 1000 { syncedAt = syncedAt.filter { now - $0.value < .seconds(2) } }
      let last = syncedAt.updateValue(now, forKey: current.token.device.person)
      return last.map { now - $0 < .seconds(2) } ?? false
    }
    var answer = Answer(to: PagePlace.today().address)
    answer.note(current.token.device)
    guard !isTooSoon else { return answer }
    let (dashboard, server) = try pages(of: current)
    server.days?.workNow()
    dashboard.readAgain(asked: current.session.name)
    return answer
  }

  // MARK: - Answers

  /// The page that a user asked for before signing in; nil if this server has no such page.
  private static func place(_ members: [String: String]) -> PagePlace? {
    members["to"].flatMap { text in
      let parts = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
      return PagePlace(
        String(parts[0]), parts.count > 1 ? FormText.fields(parts[1].utf8) : [:])
    }
  }

  private func signInPage(
    _ status: Int, _ notice: SignInPage.Notice, _ place: PagePlace? = nil
  ) -> Answer {
    var answer = Self.html(status, SignInPage(notice, place: place).bytes)
    answer.headers += PageSessions.waiting(notice)
    return answer
  }

  private static func html(_ status: Int, _ bytes: [UInt8]) -> Answer {
    Answer(status, page: bytes, policy: PageFrame.policy)
  }

  /// The way in, which leads back to what was asked for.
  private func signInFirst(for place: PagePlace? = nil) -> Answer {
    guard let place, place != .today() else { return Answer(to: Paths.signIn) }
    return Answer(to: "\(Paths.signIn)?to=\(PercentCoding.encode(place.address))")
  }
}
