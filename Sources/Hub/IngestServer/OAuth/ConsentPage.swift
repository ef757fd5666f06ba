import HealthReport

/// Where a person lets an agent in, or not (R63): a page without script.
struct ConsentPage {
  enum Content {
    /// Nobody is signed in: the form for the token.
    case signIn(AuthorizationQuestion, SignInPage.Notice?)
    /// Who asks for what.
    case consent(AuthorizationQuestion, visitor: String, formKey: String)
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

  /// The document in UTF-8.
  var bytes: [UInt8] {
    var html = HTMLWriter()
    html.element("html", ["lang": "en"]) { html in
      html.dashboardHead("Let an agent in?", PageFrame.Paths(), hasScript: false)
      html.element("body", ["class": "sign-in"]) { html in
        html.element("main") { html in
          switch content {
          case .signIn(let question, let notice): Self.signIn(&html, question, notice)
          case .consent(let question, let visitor, let key):
            Self.consent(&html, question, visitor, key)
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
    html.newline()
    return html.bytes
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
    if let notice {
      html.element("p", ["class": "notice bad", "role": "alert"], text: notice.words)
    }
    html.tokenForm(to: OAuthMetadata.signIn, ("question", question.query))
    // The cookie does not come along from another site's page, but does from this one.
    html.element("p", ["class": "hint"]) { html in
      html.element(
        "a", ["href": OAuthMetadata.authorize + "?" + question.query],
        text: "Signed in already? Go on.")
    }
  }

  private static func consent(
    _ html: inout HTMLWriter, _ question: AuthorizationQuestion, _ visitor: String, _ key: String
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
      html.element("p", ["class": "hint"], text: "You are signed in as \(visitor).")
    }
  }
}
