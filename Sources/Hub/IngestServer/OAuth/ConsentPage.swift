import HealthModel
import HealthReport

/// Where a person is asked whether an agent may read (R63): the sign-in, the question and the answer.
struct ConsentRoutes: Sendable {
  let tokens: TokenCache
  let sessions: PageSessions

  var routes: [Route] {
    [
      route(.get, OAuthMetadata.authorize, ask), route(.post, OAuthMetadata.signIn, signIn),
      route(.post, OAuthMetadata.authorize, answer),
    ]
  }

  /// A route that gets the question, which stands in the address, or in the form that was sent.
  private func route(
    _ method: Route.Method, _ path: String,
    _ handle:
      @escaping @Sendable (
        AuthorizationQuestion, PageRequest, ServerOrigin
      ) async throws(RequestFailure) -> Answer
  ) -> Route {
    Route(page: method, path) { (request) async throws(RequestFailure) in
      guard let origin = request.origin else { return page(400, .fault(Self.needsHTTPS)) }
      let text = method == .get ? request.queryText : request.form["question"] ?? ""
      let question: AuthorizationQuestion
      do throws(InvalidText) {
        question = try AuthorizationQuestion(text.utf8, for: origin)
      } catch {
        return page(400, .fault(error.message))
      }
      return try await handle(question, request, origin)
    }
  }

  private func ask(
    _ question: AuthorizationQuestion, _ request: PageRequest, _ origin: ServerOrigin
  ) throws(RequestFailure) -> Answer {
    guard let current = try sessions.current(request) else {
      return page(200, .signIn(question, nil))
    }
    let key = current.session.consentKey(current.token, for: question.query)
    var answer = page(200, .consent(question, user: current.session.name, formKey: key))
    answer.note(current.token.device)
    return answer
  }

  private func signIn(
    _ question: AuthorizationQuestion, _ request: PageRequest, _ origin: ServerOrigin
  ) -> Answer {
    switch sessions.signIn(request) {
    case .foreign: return redirect(OAuthMetadata.authorize + "?" + question.query)
    case .refused(let status, let notice):
      var answer = page(status, .signIn(question, notice))
      answer.headers += PageSessions.waiting(notice)
      return answer
    case .signedIn(let session, let token):
      var answer = redirect(OAuthMetadata.authorize + "?" + question.query)
      answer.note(token.device)
      answer.headers.append(
        SessionCookie.setting(session.cookie(token), isSecure: request.isSecure))
      return answer
    }
  }

  private func answer(
    _ question: AuthorizationQuestion, _ request: PageRequest, _ origin: ServerOrigin
  ) async throws(RequestFailure) -> Answer {
    guard let current = try sessions.current(request) else {
      return redirect(OAuthMetadata.authorize + "?" + question.query)
    }
    // This form's page is never compressed, so its key is not masked.
    try PageSessions.check(
      request, current.session.consentKey(current.token, for: question.query),
      sent: request.form["form_key"] ?? "")
    var answer: Answer
    if request.form["answer"] == "allow" {
      let (offer, fresh, person, now) = (question.offer, FreshKeys(), current.token, request.at)
      let code = try await tokens.change { $0.offer(offer, by: person, fresh, at: now) }
      guard let code else {
        return page(503, .fault("too many agents have access already; revoke some"))
      }
      answer = redirect(question.address(("code", code.text), of: origin))
    } else {
      answer = redirect(question.address(("error", "access_denied"), of: origin))
      answer.code = "access_denied"
    }
    answer.note(current.token.device)
    return answer
  }

  // MARK: - Answers

  private static let needsHTTPS =
    "this server is reached over plain http, so others could read the answer; a proxy in front of it "
    + "must say X-Forwarded-Proto: https, and run on this machine or be one that the server is told to believe"

  private func page(_ status: Int, _ content: ConsentPage.Content) -> Answer {
    let page = ConsentPage(content)
    var answer = Answer(status, page: page.bytes, policy: page.policy)
    // A program may wait in the window that has opened this one, so it keeps its opener.
    answer.headers.removeAll { $0.name == "Cross-Origin-Opener-Policy" }
    if case .fault = content { answer.code = "not_asked" }
    return answer
  }

  private func redirect(_ address: String) -> Answer {
    var answer = Answer(to: address)
    // The address of the next page must not say what was asked here.
    answer.headers.append(HeaderField("Referrer-Policy", "no-referrer"))
    return answer
  }
}

/// Where a person lets an agent in, or not (R63): a page without script.
struct ConsentPage {
  enum Content {
    /// Nobody is signed in: the form for the token.
    case signIn(AuthorizationQuestion, SignInPage.Notice?)
    /// Who asks for what.
    case consent(AuthorizationQuestion, user: String, formKey: String)
    /// The question can't be answered.
    case fault(String)
  }

  let content: Content

  init(_ content: Content) { self.content = content }

  /// What the browser may do: as on the dashboard, and its form may lead to the program.
  var policy: String {
    let more: String
    switch content {
    case .consent(let question, _, _): more = " " + question.redirect.source
    case .signIn, .fault: more = ""
    }
    return "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'\(more); "
      + "base-uri 'none'; frame-ancestors 'none'"
  }

  var bytes: [UInt8] {
    HTMLWriter.page("Let an agent in?", "sign-in") { html in
      html.element("main") { html in
        switch content {
        case .signIn(let question, let notice): Self.signIn(&html, question, notice)
        case .consent(let question, let user, let key):
          Self.consent(&html, question, user, key)
        case .fault(let message):
          html.element("h1", text: "This can’t be allowed")
          html.element(
            "p", ["class": "notice bad", "role": "alert"],
            text: "A program has asked to read your health days, but \(message). Nothing was "
              + "allowed. You can close this page.")
        }
      }
    }
  }

  private static func signIn(
    _ html: inout HTMLWriter, _ question: AuthorizationQuestion, _ notice: SignInPage.Notice?
  ) {
    html.element("h1", text: "Sign in")
    html.element("p") { html in
      html.text("A program that calls itself ")
      html.element("strong", text: question.client.name)
      html.text(
        " asks to read your health days. Sign in to see what it asks for; nothing is allowed yet.")
    }
    html.notice(notice)
    html.tokenForm(to: OAuthMetadata.signIn, ("question", question.query))
    // The cookie does not come along from another site's page, but does from this one.
    html.element("p", ["class": "hint"]) { html in
      html.element(
        "a", ["href": OAuthMetadata.authorize + "?" + question.query],
        text: "Signed in already? Go on.")
    }
  }

  private static func consent(
    _ html: inout HTMLWriter, _ question: AuthorizationQuestion, _ user: String, _ key: String
  ) {
    html.element("h1", text: "Let an agent in?")
    html.element("p") { html in
      html.text("A program that calls itself ")
      html.element("strong", text: question.client.name)
      html.text(" asks for this server. The answer goes to ")
      html.element("strong", text: question.redirect.place)
      html.text(
        ". Anybody can choose a name: go on only if you have just asked a program to connect.")
    }
    html.element("ul") { html in
      html.element("li", text: "It may read all your days: every metric of every date.")
      html.element("li", text: "It can’t change, add or delete anything, nor see raw data.")
      html.element(
        "li",
        text:
          "It keeps this access until you revoke it on the server with s3healthd token revoke, or "
          + "until it has not been used for 30 days.")
    }
    html.element("form", ["method": "post", "action": OAuthMetadata.authorize]) { html in
      html.void("input", ["type": "hidden", "name": "question", "value": question.query])
      html.void("input", ["type": "hidden", "name": "form_key", "value": key])
      html.element("button", ["type": "submit", "name": "answer", "value": "allow"], text: "Allow")
      html.element("button", ["type": "submit", "name": "answer", "value": "deny"], text: "Refuse")
      html.element("p", ["class": "hint"], text: "You are signed in as \(user).")
    }
  }
}
