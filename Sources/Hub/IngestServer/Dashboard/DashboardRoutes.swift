import HealthModel
import HealthReport
import Synchronization

/// The pages of the hub (R59): sign-in, the dashboard, its events, and the one thing that it can ask
/// for.
struct DashboardRoutes: Sendable {
  let server: Dashboard.Surroundings
  let dashboard: Dashboard
  let visitors: Visitors
  private let doors = Doors()

  static let paths = DashboardPage.Paths()

  /// The paths of the pages: their requests are not what the log of the page is about.
  static let own: Set<String> = [paths.page, paths.signIn, paths.signOut, paths.sync, paths.events]

  /// What is kept of visitors, in this instance alone.
  private final class Doors: Sendable {
    let syncedAt = Mutex<ContinuousClock.Instant?>(nil)
  }

  static func routes(
    _ dashboard: Dashboard, _ server: Dashboard.Surroundings, _ visitors: Visitors
  ) -> [Route] {
    let pages = DashboardRoutes(server: server, dashboard: dashboard, visitors: visitors)
    return [
      Route(page: .get, paths.page) { (request) async throws(RequestFailure) in
        try await pages.page(request)
      },
      Route(page: .get, paths.events) { (request) async throws(RequestFailure) in
        try pages.events(request)
      },
      Route(page: .get, paths.signIn) { request in
        pages.html(200, SignInPage(span: Self.span(request.query), paths: paths).bytes)
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
      file(paths.icon, DashboardStylesheet.icon, "image/svg+xml"),
    ]
  }

  // MARK: - The pages

  private func page(_ request: PageRequest) async throws(RequestFailure) -> Answer {
    let asked = Self.span(request.query)
    guard let visit = try visitors.visit(request) else { return redirect(Self.paths.signIn, asked) }
    let span = asked ?? .month
    // Taken before the parts: an event that comes in between is sent again.
    let event = dashboard.feed.last
    let parts = try await dashboard.parts(span, server)
    let page = DashboardPage(
      storeName: dashboard.storeName, span: span, parts: parts,
      visitor: .init(name: visit.session.name, formKey: visit.session.formKey(visit.token)),
      event: event, paths: Self.paths)
    var answer = html(200, page.bytes)
    answer.device = visit.session.name
    return answer
  }

  private func events(_ request: PageRequest) throws(RequestFailure) -> Answer {
    guard let visit = try visitors.visit(request) else {
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
    let span = Self.span(request.form)
    switch visitors.signIn(request) {
    case .foreign: return redirect(Self.paths.signIn, span)
    case .refused(let status, let notice): return signInPage(status, notice, span)
    case .signedIn(let session, let token):
      var answer = redirect(Self.paths.page, span)
      answer.device = token.name
      answer.headers.append(
        SessionCookie.setting(session.cookie(token), isSecure: request.isSecure))
      return answer
    }
  }

  private func signOut(_ request: PageRequest) throws(RequestFailure) -> Answer {
    guard let visit = try visitors.sender(request) else { return redirect(Self.paths.signIn) }
    dashboard.ended.end(visit.session, at: request.at)
    dashboard.feed.end(visit.cookie)
    var answer = signInPage(200, .signedOut)
    answer.device = visit.session.name
    answer.headers.append(SessionCookie.clearing(isSecure: request.isSecure))
    return answer
  }

  /// Makes today and yesterday again, and all that waits in the store, and reads everything.
  private func sync(_ request: PageRequest) throws(RequestFailure) -> Answer {
    guard let visit = try visitors.sender(request) else { return redirect(Self.paths.signIn) }
    let isTooSoon = doors.syncedAt.withLock { syncedAt in
      if let syncedAt, ContinuousClock.now - syncedAt < .seconds(2) { return true }
      syncedAt = .now
      return false
    }
    var answer = redirect(Self.paths.page)
    answer.device = visit.session.name
    guard !isTooSoon else { return answer }
    server.days?.workNow()
    dashboard.readAgain(asked: visit.session.name)
    return answer
  }

  // MARK: - Answers

  /// What a visitor asks to see; nil if it is nothing that there is.
  private static func span(_ members: [String: String]) -> DashboardSpan? {
    members["span"].flatMap(DashboardSpan.init(rawValue:))
  }

  private func signInPage(
    _ status: Int, _ notice: SignInPage.Notice, _ span: DashboardSpan? = nil
  ) -> Answer {
    var answer = html(status, SignInPage(notice, span: span, paths: Self.paths).bytes)
    answer.headers += Visitors.waiting(notice)
    return answer
  }

  private func html(_ status: Int, _ bytes: [UInt8]) -> Answer {
    var answer = Answer(status, bytes: bytes, type: "text/html; charset=utf-8")
    answer.headers += Self.safety
    return answer
  }

  private func redirect(_ path: String, _ span: DashboardSpan? = nil) -> Answer {
    var answer = Answer(303, bytes: [], type: "text/plain")
    let query = span.map { "?span=\($0.rawValue)" } ?? ""
    answer.headers.append(HeaderField("Location", path + query))
    return answer
  }

  private static let safety =
    [
      HeaderField("Content-Security-Policy", DashboardPage.policy)
    ] + Visitors.safety

  /// A file of the page.
  private static func file(_ path: String, _ text: String, _ type: String) -> Route {
    let bytes = Array(text.utf8)
    return Route(open: path) { Answer(file: bytes, type: type) }
  }
}
