import HTTPClient
import HealthModel
import HealthReport
import Synchronization

/// The pages of the hub (R59): sign-in, the dashboard, its events, and the one thing that it can ask
/// for.
struct DashboardRoutes: Sendable {
  let server: Dashboard.Surroundings
  let dashboard: Dashboard
  private let doors = Doors()

  static let paths = PageFrame.Paths()

  /// The paths of the pages: their requests are not what the log of the page is about.
  static let own: Set<String> = [
    paths.page, paths.signIn, paths.signOut, paths.sync, paths.events, paths.day,
    PagePlace.dayFolder, PagePlace.metricFolder, PagePlace.statusPath,
  ]

  /// What is kept of visitors, in this instance alone.
  private final class Doors: Sendable {
    let attempts = Mutex(SignInAttempts())
    let syncedAt = Mutex<ContinuousClock.Instant?>(nil)
    let begun = ContinuousClock.now
  }

  static func routes(_ dashboard: Dashboard, _ server: Dashboard.Surroundings) -> [Route] {
    let pages = DashboardRoutes(server: server, dashboard: dashboard)
    let places = [paths.page, PagePlace.statusPath, PagePlace.dayFolder, PagePlace.metricFolder]
    return places.map { path in
      Route(page: .get, path) { (request) async throws(RequestFailure) in
        try await pages.page(request)
      }
    } + [
      Route(page: .get, paths.day) { request in
        // A form asks so: the day has an address of its own.
        let date = request.query["date"].flatMap { CalendarDate($0) }
        return pages.redirect(date.map(PagePlace.day) ?? .status)
      },
      Route(page: .get, paths.events) { (request) async throws(RequestFailure) in
        try pages.events(request)
      },
      Route(page: .get, paths.signIn) { request in
        pages.html(200, SignInPage(place: Self.place(request.query), paths: paths).bytes)
      },
      Route(page: .post, paths.signIn) { pages.signIn($0) },
      Route(page: .post, paths.signOut) { (request) async throws(RequestFailure) in
        try pages.signOut(request)
      },
      Route(page: .post, paths.sync) { (request) async throws(RequestFailure) in
        try pages.sync(request)
      },
      file(paths.styles, DashboardStylesheet.text, "text/css; charset=utf-8"),
      file(paths.script, DashboardScript.text, "text/javascript; charset=utf-8"),
      file(paths.icon, DashboardIcons.drawing, "image/svg+xml"),
      file(paths.picture, DashboardIcons.picture, "image/png"),
      file(paths.manifest, DashboardIcons.manifest(paths), "application/manifest+json"),
    ]
  }

  // MARK: - Who asks

  private struct Visit {
    let session: Session
    let token: AccessToken
    let cookie: String
  }

  /// Nil if nobody is signed in.
  private func visit(_ request: PageRequest) throws(RequestFailure) -> Visit? {
    let table: TokenTable
    do throws(TokenFileError) {
      table = try server.tokens.table()
    } catch {
      throw .unavailable("the server can't check tokens at the moment", cause: error.message)
    }
    for cookie in request.cookies(SessionCookie.name(isSecure: request.isSecure)) {
      guard let found = Session.valid(cookie, table, at: request.at),
        !dashboard.ended.contains(found.session)
      else { continue }
      return Visit(session: found.session, token: found.token, cookie: cookie)
    }
    return nil
  }

  /// Who has sent a form of one of our pages.
  private func sender(_ request: PageRequest) throws(RequestFailure) -> Visit? {
    guard let visit = try visit(request) else { return nil }
    let key = Array(visit.session.formKey(visit.token).utf8)
    guard !request.isForeign, TokenTable.areEqual(key, Array((request.form["form_key"] ?? "").utf8))
    else {
      throw RequestFailure(
        403, "foreign_form", "the form was not sent by this server’s own page; load the page again")
    }
    return visit
  }

  // MARK: - The pages

  private func page(_ request: PageRequest) async throws(RequestFailure) -> Answer {
    guard let place = PagePlace(request.path, request.query) else {
      throw RequestFailure(404, "not_found", "there is nothing at this path")
    }
    guard let visit = try visit(request) else { return signInFirst(for: place) }
    // Taken before the parts: an event that comes in between is sent again.
    let event = dashboard.feed.last
    func frame(_ event: String? = nil) -> PageFrame {
      PageFrame(
        visitor: .init(name: visit.session.name, formKey: visit.session.formKey(visit.token)),
        title: dashboard.wishes.title, event: event, paths: Self.paths)
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
    var answer = html(200, bytes)
    answer.device = visit.session.name
    return answer
  }

  private func events(_ request: PageRequest) throws(RequestFailure) -> Answer {
    guard let visit = try visit(request) else {
      throw RequestFailure(401, "not_signed_in", "sign in first")
    }
    var answer = Answer(200, bytes: [], type: "text/event-stream")
    answer.device = visit.session.name
    // A proxy must not hold events back.
    answer.headers.append(HeaderField("X-Accel-Buffering", "no"))
    answer.events = try dashboard.subscribe(
      visit.cookie, after: request.lastEvent ?? request.query["after"])
    return answer
  }

  private func signIn(_ request: PageRequest) -> Answer {
    let place = Self.place(request.form)
    let moment = (ContinuousClock.now - doors.begun) / .seconds(1)
    if let seconds = doors.attempts.withLock({ $0.wait(request.peer, at: moment) }) {
      var answer = signInPage(429, .tooManyAttempts(seconds: seconds), place)
      answer.headers.append(HeaderField("Retry-After", "\(seconds)"))
      return answer
    }
    guard !request.isForeign else { return signInFirst(for: place) }
    guard let table = try? server.tokens.table() else {
      return signInPage(503, .unavailable, place)
    }
    let secret = Array((request.form["token"] ?? "").utf8)
    guard let device = table.device(sending: secret), let token = table[device.name] else {
      doors.attempts.withLock { $0.failed(request.peer, at: moment) }
      return signInPage(403, .unknownToken, place)
    }
    guard device.scope.endpoints.contains(.dashboard) else {
      return signInPage(403, .wrongScope, place)
    }
    let session = Session(of: token.name, at: request.at)
    var answer = redirect(place ?? .today())
    answer.device = token.name
    answer.headers.append(
      SessionCookie.setting(session.cookie(token), isSecure: request.isSecure))
    return answer
  }

  private func signOut(_ request: PageRequest) throws(RequestFailure) -> Answer {
    guard let visit = try sender(request) else { return signInFirst() }
    dashboard.ended.end(visit.session, at: request.at)
    dashboard.feed.end(visit.cookie)
    var answer = signInPage(200, .signedOut)
    answer.device = visit.session.name
    answer.headers.append(SessionCookie.clearing(isSecure: request.isSecure))
    return answer
  }

  /// Makes today and yesterday again, and all that waits in the store, and reads everything.
  private func sync(_ request: PageRequest) throws(RequestFailure) -> Answer {
    guard let visit = try sender(request) else { return signInFirst() }
    let isTooSoon = doors.syncedAt.withLock { syncedAt in
      if let syncedAt, ContinuousClock.now - syncedAt < .seconds(2) { return true }
      syncedAt = .now
      return false
    }
    var answer = redirect(PagePlace.today())
    answer.device = visit.session.name
    guard !isTooSoon else { return answer }
    server.days?.workNow()
    dashboard.readAgain(asked: visit.session.name)
    return answer
  }

  // MARK: - Answers

  /// What a visitor asked to see before signing in; nil if it is nothing that there is.
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
    html(status, SignInPage(notice, place: place, paths: Self.paths).bytes)
  }

  private func html(_ status: Int, _ bytes: [UInt8]) -> Answer {
    var answer = Answer(status, bytes: bytes, type: "text/html; charset=utf-8")
    answer.headers += Self.safety
    return answer
  }

  private func redirect(_ place: PagePlace) -> Answer { redirect(place.address) }

  /// The way in, which leads back to what was asked for.
  private func signInFirst(for place: PagePlace? = nil) -> Answer {
    guard let place, place != .today() else { return redirect(Self.paths.signIn) }
    return redirect("\(Self.paths.signIn)?to=\(PercentCoding.encode(place.address))")
  }

  private func redirect(_ address: String) -> Answer {
    var answer = Answer(303, bytes: [], type: "text/plain")
    answer.headers.append(HeaderField("Location", address))
    return answer
  }

  private static let safety = [
    HeaderField("Content-Security-Policy", PageFrame.policy),
    // Without a referrer, the forms of the page would have no origin either.
    HeaderField("Referrer-Policy", "same-origin"),
    HeaderField("X-Frame-Options", "DENY"),
    HeaderField("Cross-Origin-Opener-Policy", "same-origin"),
    HeaderField("Cross-Origin-Resource-Policy", "same-origin"),
  ]

  /// A file of the page.
  private static func file(_ path: String, _ text: String, _ type: String) -> Route {
    file(path, Array(text.utf8), type)
  }

  private static func file(_ path: String, _ bytes: [UInt8], _ type: String) -> Route {
    Route(open: path) { Answer(file: bytes, type: type) }
  }
}
