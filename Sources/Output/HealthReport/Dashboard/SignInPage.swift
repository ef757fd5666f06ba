/// Where a user signs in with a device token (R59).
package struct SignInPage {
  /// What is said above the form.
  package enum Notice: Hashable, Sendable {
    case unknownToken
    case wrongScope
    case tooManyAttempts(seconds: Int)
    case unavailable
    case signedOut

    /// As a user reads it.
    package var words: String {
      switch self {
      case .unknownToken: "The server does not know this token, or it was revoked."
      case .wrongScope: "This token may not be used for the dashboard."
      case .tooManyAttempts(let seconds):
        "Too many attempts. Try again in \(PageWords.count(seconds, "second"))."
      case .unavailable: "The server can’t check tokens at the moment. Try again later."
      case .signedOut: "You are signed out."
      }
    }
  }

  let notice: Notice?
  /// What the user asked to see, and gets after signing in.
  let place: PagePlace?

  package init(_ notice: Notice? = nil, place: PagePlace? = nil) {
    (self.notice, self.place) = (notice, place)
  }

  /// The document in UTF-8.
  package var bytes: [UInt8] {
    HTMLWriter.page("Sign in", "sign-in") { html in
      html.element("main") { html in
        html.element("h1", text: "Health")
        html.notice(notice)
        html.tokenForm(to: PageFrame.Paths.signIn, place.map { ("to", $0.address) })
      }
    }
  }
}

extension HTMLWriter {
  /// What is said above the form.
  package mutating func notice(_ notice: SignInPage.Notice?) {
    guard let notice else { return }
    element(
      "p", ["class": notice == .signedOut ? "notice" : "notice bad", "role": "alert"],
      text: notice.words)
  }

  /// The form that a token is entered in.
  ///
  /// - Parameters:
  ///   - path: where it is sent.
  ///   - carried: a name and a text that are sent along.
  package mutating func tokenForm(to path: String, _ carried: (name: String, text: String)?) {
    element("form", ["method": "post", "action": path]) { html in
      // By it a password manager distinguishes this token from others.
      html.void(
        "input",
        [
          "type": "text", "name": "user", "value": "s3healthd", "autocomplete": "username",
          "hidden": "",
        ])
      if let carried {
        html.void("input", ["type": "hidden", "name": carried.name, "value": carried.text])
      }
      html.element("label", ["for": "token"], text: "Token")
      html.void(
        "input",
        [
          "type": "password", "id": "token", "name": "token", "required": "", "autofocus": "",
          "autocomplete": "current-password", "maxlength": "200", "spellcheck": "false",
          "aria-describedby": "hint",
        ])
      html.element("button", ["type": "submit"], text: "Sign in")
      html.element(
        "p", ["class": "hint", "id": "hint"],
        text: "A token for the endpoint “dashboard”, made where the server runs.")
    }
  }
}
