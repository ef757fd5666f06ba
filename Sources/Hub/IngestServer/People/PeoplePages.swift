import HTTPClient
import HealthLedger
import HealthReport

/// Where an administrator signs in, sees who there is, and adds and ends access (R65), without script.
struct PeoplePages: Sendable {
  private let desk: PeopleDesk
  private let visitors: Visitors

  /// None on a server without people.
  static func routes(_ hub: Hub, _ visitors: Visitors) -> [Route] {
    guard hub.people != nil else { return [] }
    let pages = PeoplePages(desk: PeopleDesk(hub: hub), visitors: visitors)
    return [
      Route(page: .get, PeoplePage.signIn) { _ in pages.signInPage(200, nil) },
      Route(page: .post, PeoplePage.signIn) { pages.signIn($0) },
      Route(page: .post, PeoplePage.signOut) { (request) async throws(RequestFailure) in
        try pages.signOut(request)
      },
      pages.page(PeoplePage.list) { (visit, request) async throws(RequestFailure) in
        try await pages.list(visit, request)
      },
      pages.page(PeoplePage.person) { (visit, request) async throws(RequestFailure) in
        .person(try await pages.row(request.query["id"]))
      },
      pages.page(PeoplePage.removal) { (visit, request) async throws(RequestFailure) in
        .removal(try await pages.row(request.query["id"]))
      },
      pages.form(PeoplePage.add) { (visit, request) async throws(RequestFailure) in
        try await pages.add(visit, request)
      },
      pages.form(PeoplePage.settings) { (visit, request) async throws(RequestFailure) in
        try await pages.set(visit, request)
      },
      pages.form(PeoplePage.removal) { (visit, request) async throws(RequestFailure) in
        let person = try Self.person(request.form["person"])
        _ = try await pages.desk.remove(person)
        return pages.redirect("\(PeoplePage.person)?id=\(person)")
      },
    ]
  }

  // MARK: - Signing in

  private func signIn(_ request: PageRequest) -> Answer {
    switch visitors.signIn(request) {
    case .foreign: return redirect(PeoplePage.signIn)
    case .refused(let status, let notice):
      var answer = signInPage(status, notice)
      answer.headers += Visitors.waiting(notice)
      return answer
    case .signedIn(let session, let token):
      var answer = redirect(PeoplePage.list)
      answer.note(token.device)
      answer.headers.append(
        SessionCookie.setting(
          session.cookie(token), isSecure: request.isSecure, for: visitors.pages))
      return answer
    }
  }

  private func signOut(_ request: PageRequest) throws(RequestFailure) -> Answer {
    guard let visit = try visitors.sender(request) else { return redirect(PeoplePage.signIn) }
    visitors.end(visit, at: request.at)
    var answer = signInPage(200, .signedOut)
    answer.note(visit.token.device)
    answer.headers.append(
      SessionCookie.clearing(isSecure: request.isSecure, for: visitors.pages))
    return answer
  }

  private func signInPage(_ status: Int, _ notice: SignInPage.Notice?) -> Answer {
    var html = HTMLWriter()
    html.element("html", ["lang": "en"]) { html in
      html.dashboardHead("Sign in", PageFrame.Paths(), hasScript: false)
      html.element("body", ["class": "sign-in"]) { html in
        html.element("main") { html in
          html.element("h1", text: "People")
          if let notice {
            html.element(
              "p", ["class": notice == .signedOut ? "notice" : "notice bad", "role": "alert"],
              text: notice.words)
          }
          html.tokenForm(to: PeoplePage.signIn, nil, for: Endpoint.people.rawValue)
        }
      }
    }
    html.newline()
    return answer(status, html.bytes)
  }

  // MARK: - Pages and forms

  /// A page for a signed-in administrator.
  private func page(
    _ path: String,
    _ content:
      @escaping @Sendable (Visitors.Visit, PageRequest) async throws(RequestFailure) ->
      PeoplePage.Content
  ) -> Route {
    Route(page: .get, path) { (request) async throws(RequestFailure) in
      guard let visit = try visitors.visit(request) else { return redirect(PeoplePage.signIn) }
      do throws(RequestFailure) {
        return shown(try await content(visit, request), to: visit)
      } catch {
        return failed(error, .nothing, to: visit)
      }
    }
  }

  /// A form of one of these pages. A refusal is shown beside what was entered.
  private func form(
    _ path: String,
    _ handle:
      @escaping @Sendable (Visitors.Visit, PageRequest) async throws(RequestFailure) ->
      Answer
  ) -> Route {
    Route(page: .post, path) { (request) async throws(RequestFailure) in
      guard let visit = try visitors.sender(request) else { return redirect(PeoplePage.signIn) }
      do throws(RequestFailure) {
        var answer = try await handle(visit, request)
        answer.note(visit.token.device)
        return answer
      } catch {
        return await again(path, error, request, visit)
      }
    }
  }

  private func again(
    _ path: String, _ failure: RequestFailure, _ request: PageRequest, _ visit: Visitors.Visit
  ) async -> Answer {
    var content = PeoplePage.Content.nothing
    if let row = try? await row(request.form["person"]) {
      content = .person(row)
    } else if path == PeoplePage.add, let found = try? await desk.list(after: nil) {
      content = .people(found.rows, next: found.next)
    }
    var entered = request.form
    entered["form_key"] = nil
    return failed(failure, content, to: visit, entered)
  }

  private func list(
    _ visit: Visitors.Visit, _ request: PageRequest
  ) async throws(RequestFailure) -> PeoplePage.Content {
    let after = try request.query["after"].map { text throws(RequestFailure) in
      try Self.person(text)
    }
    let (rows, next) = try await desk.list(after: after)
    return .people(rows, next: next)
  }

  private func row(_ text: String?) async throws(RequestFailure) -> PeopleDesk.Row {
    guard let row = try await desk.row(of: try Self.person(text)) else {
      throw PeopleDesk.nobody
    }
    return row
  }

  private func add(
    _ visit: Visitors.Visit, _ request: PageRequest
  ) async throws(RequestFailure) -> Answer {
    let form = request.form
    var wish = PeopleDesk.Wish(person: try Self.person(form["person"]))
    wish.name = "\(wish.person.rawValue.prefix(55))-\(form["end"] ?? "")"
    wish.endpoints = Set(Endpoint.allCases.filter { form[$0.rawValue] != nil })
    guard !wish.endpoints.isEmpty else {
      throw PeopleDesk.invalid("/endpoints", "choose what the token may be used for")
    }
    if let zone = form[PersonChoices.Name.timezone.rawValue], !zone.isEmpty {
      wish.choices[.timezone] = zone
    }
    let (token, secret) = try await desk.add(wish, by: visit.token.device, at: request.at)
    // Without https, this address must not be given to a phone.
    let apps =
      request.origin.map { AppSetupSection.all(of: token, secret: secret.text, at: $0) } ?? []
    return shown(.token(token, secret: secret.text, apps), to: visit, status: 201)
  }

  private func set(
    _ visit: Visitors.Visit, _ request: PageRequest
  ) async throws(RequestFailure) -> Answer {
    let person = try Self.person(request.form["person"])
    var choices: [PersonChoices.Name: String?] = [:]
    for name in PeoplePage.shown(to: visit.token.device) {
      guard let text = request.form[name.rawValue] else { continue }
      choices[name] = text.isEmpty ? .some(nil) : text
    }
    _ = try await desk.set(choices, of: person, by: visit.token.device)
    return redirect("\(PeoplePage.person)?id=\(person)")
  }

  private static func person(_ text: String?) throws(RequestFailure) -> PersonID {
    guard let person = PersonID(text ?? "") else {
      throw PeopleDesk.invalid("/person", "the id of a person must be \(PersonID.form)")
    }
    return person
  }

  // MARK: - Answers

  private func shown(
    _ content: PeoplePage.Content, to visit: Visitors.Visit, status: Int = 200,
    _ notice: PeoplePage.Notice? = nil, _ entered: [String: String] = [:]
  ) -> Answer {
    let page = PeoplePage(
      content: content, administrator: visit.token.device,
      formKey: MaskedKey.masked(visit.session.formKey(visit.token)), notice: notice,
      entered: entered)
    var answer = answer(status, page.bytes)
    answer.note(visit.token.device)
    return answer
  }

  private func failed(
    _ failure: RequestFailure, _ content: PeoplePage.Content, to visit: Visitors.Visit,
    _ entered: [String: String] = [:]
  ) -> Answer {
    let words = failure.message.prefix(1).uppercased() + failure.message.dropFirst() + "."
    var answer = shown(
      content, to: visit, status: failure.status, .init(words: words), entered)
    answer.code = failure.code
    answer.headers += failure.headers
    return answer
  }

  private func answer(_ status: Int, _ bytes: [UInt8]) -> Answer {
    var answer = Answer(status, bytes: bytes, type: "text/html; charset=utf-8")
    answer.headers.append(HeaderField("Content-Security-Policy", PeoplePage.policy))
    answer.headers += Visitors.safety
    return answer
  }

  private func redirect(_ address: String) -> Answer {
    var answer = Answer(303, bytes: [], type: "text/plain")
    answer.headers.append(HeaderField("Location", address))
    return answer
  }
}
