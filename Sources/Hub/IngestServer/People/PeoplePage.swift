import HealthLedger
import HealthReport

/// The administrators' pages (R65): the list of people, one person, a new token, and the question before
/// tokens are revoked. They have no script and show no one's health values.
struct PeoplePage {
  static let list = "/people"
  static let person = "/people/person"
  static let add = "/people/add"
  static let settings = "/people/settings"
  static let removal = "/people/remove"
  static let signIn = "/people/sign-in"
  static let signOut = "/people/sign-out"

  static let own: Set<String> = [list, person, add, settings, removal, signIn, signOut]

  /// What the browser may do: load the style sheet and icons of this server, and send its forms back.
  static let policy =
    "default-src 'none'; style-src 'self'; img-src 'self'; manifest-src 'self'; form-action 'self'; "
    + "base-uri 'none'; frame-ancestors 'none'"

  /// The message at the top of the page.
  struct Notice {
    let words: String
    var isBad = true
  }

  enum Content {
    case people([PeopleDesk.Row], next: PersonID?)
    case person(PeopleDesk.Row)
    /// A new token with its secret, and how to set apps up with it.
    case token(AccessToken, secret: String, [AppSetupSection])
    case removal(PeopleDesk.Row)
    /// Only the message.
    case nothing
  }

  let content: Content
  let administrator: AuthenticatedDevice
  /// What its forms must send back.
  let formKey: String
  var notice: Notice?
  /// What was entered, to be shown again.
  var entered: [String: String] = [:]

  /// The document in UTF-8.
  var bytes: [UInt8] {
    var html = HTMLWriter()
    html.element("html", ["lang": "en"]) { html in
      html.dashboardHead(title, PageFrame.Paths(), hasScript: false)
      html.element("body", ["class": "dashboard"]) { html in
        html.element("a", ["class": "skip", "href": "#main"], text: "Skip to the page")
        html.element("header") { html in
          html.element("div", ["class": "bar"]) { html in
            html.element("h1", text: title)
            html.element("nav", ["class": "pages", "aria-label": "Pages"]) { html in
              html.element("a", ["href": Self.list], text: "People")
            }
            form(Self.signOut, in: &html) { html in
              html.element("button", ["type": "submit"], text: "Sign out")
            }
          }
        }
        html.element("main", ["id": "main"]) { html in
          if let notice {
            html.element(
              "p", ["class": notice.isBad ? "notice bad" : "notice", "role": "alert"],
              text: notice.words)
          }
          main(&html)
        }
        html.element("footer") { html in
          html.element(
            "p",
            text: "Signed in as \(administrator.name). Sign out on a machine that others use.")
        }
      }
    }
    html.newline()
    return html.bytes
  }

  private var title: String {
    switch content {
    case .people, .nothing: "People"
    case .person(let row): row.person.rawValue
    case .token: "New token"
    case .removal: "End access"
    }
  }

  private func main(_ html: inout HTMLWriter) {
    switch content {
    case .people(let rows, let next): people(rows, next, &html)
    case .person(let row): person(row, &html)
    case .token(let token, let secret, let apps):
      self.token(token, secret, &html)
      for app in apps { app.write(&html) }
      goOn(to: token.device.person, &html)
    case .removal(let row): removal(row, &html)
    case .nothing:
      html.element("p") { html in
        html.element("a", ["class": "act", "href": Self.list], text: "People")
      }
    }
  }

  // MARK: - The pages

  private func people(_ rows: [PeopleDesk.Row], _ next: PersonID?, _ html: inout HTMLWriter) {
    html.section("who", "Who there is") { html in
      if rows.isEmpty { html.element("p", ["class": "none"], text: "Nobody yet.") }
      html.element("ul", ["class": "people"]) { html in
        for row in rows {
          html.element("li") { html in
            html.element(
              "a", ["href": "\(Self.person)?id=\(row.person)"], text: row.person.rawValue)
            html.element("span", text: "\(row.days), \(row.tokenCount), \(row.zone)")
          }
        }
      }
      if let next {
        html.element("nav", ["class": "turns", "aria-label": "More people"]) { html in
          html.element("a", ["href": "\(Self.list)?after=\(next)"], text: "After \(next) ›")
        }
      }
    }
    html.section("add", "Add a person, or a token") { html in addition(nil, &html) }
  }

  private func person(_ row: PeopleDesk.Row, _ html: inout HTMLWriter) {
    html.section("coverage", "What is stored") { html in
      html.element("p", text: row.days)
      html.element("p", ["class": "hint"], text: "An administrator sees no values.")
    }
    html.section("tokens", "Tokens") { html in
      if row.tokens.isEmpty {
        html.element("p", ["class": "none"], text: "None: nothing can be sent or read.")
      }
      html.element("ul", ["class": "people"]) { html in
        for token in row.tokens {
          html.element("li") { html in
            html.element("strong", text: token.name)
            html.element(
              "span",
              text: token.device.scope.endpoints.map(\.rawValue).sorted().joined(separator: ", "))
          }
        }
      }
      if !row.tokens.isEmpty {
        html.element(
          "a", ["class": "act", "href": "\(Self.removal)?id=\(row.person)"],
          text: "End access of \(row.person)…")
      }
    }
    html.section("settings", "Settings") { html in settings(row, &html) }
    html.section("add", "Add a token") { html in addition(row.person, &html) }
  }

  private func settings(_ row: PeopleDesk.Row, _ html: inout HTMLWriter) {
    guard let choices = row.choices else {
      html.element(
        "p", ["class": "notice bad"],
        text: "The settings can’t be read, so no day of this person is made until they can.")
      return
    }
    form(Self.settings, "stack", in: &html) { html in
      hidden("person", row.person.rawValue, &html)
      for name in Self.shown(to: administrator) {
        field(name.rawValue, Self.label(name), choices[name] ?? "", hint: Self.hint(name), &html)
      }
      html.element("button", ["type": "submit"], text: "Save")
    }
  }

  /// Goals say something of the person.
  static func shown(to administrator: AuthenticatedDevice) -> [PersonChoices.Name] {
    PersonChoices.Name.allCases.filter { $0 != .goals || PeopleDesk.seesGoals(administrator) }
  }

  private func addition(_ person: PersonID?, _ html: inout HTMLWriter) {
    form(Self.add, "stack", in: &html) { html in
      // A form that is sent twice makes one token.
      hidden("end", entered["end"] ?? GrantSecret.random(8), &html)
      if let person {
        hidden("person", person.rawValue, &html)
      } else {
        field("person", "Id", "", hint: PersonID.form, &html)
        field(
          PersonChoices.Name.timezone.rawValue, Self.label(.timezone), "",
          hint: Self.hint(.timezone), &html)
      }
      html.element("p", text: "The token may be used for")
      let allowed = PeopleDesk.endpoints(administrator)
      for endpoint in Endpoint.allCases where allowed.contains(endpoint) {
        html.element("label", ["class": "check"]) { html in
          let isOn = entered.isEmpty ? endpoint == .ingest : entered[endpoint.rawValue] != nil
          html.void(
            "input",
            isOn
              ? ["type": "checkbox", "name": endpoint.rawValue, "value": "on", "checked": ""]
              : ["type": "checkbox", "name": endpoint.rawValue, "value": "on"])
          html.text(endpoint.rawValue)
        }
      }
      html.element(
        "button", ["type": "submit"], text: person == nil ? "Add" : "Make a token")
    }
  }

  private func token(_ token: AccessToken, _ secret: String, _ html: inout HTMLWriter) {
    let person = token.device.person?.rawValue ?? ""
    html.section("copy", "Copy it now") { html in
      html.element(
        "p", text: "The token \(token.name) of \(person) is shown this once.")
      html.element("code", ["class": "secret"], text: secret)
      html.element("dl", ["class": "facts"]) { html in
        fact("Device", token.device.deviceID, &html)
        fact(
          "For", token.device.scope.endpoints.map(\.rawValue).sorted().joined(separator: ", "),
          &html)
      }
    }
  }

  private func goOn(to person: PersonID?, _ html: inout HTMLWriter) {
    guard let person else { return }
    html.element("p") { html in
      html.element(
        "a", ["class": "act", "href": "\(Self.person)?id=\(person)"], text: "Go on to \(person)")
    }
  }

  private func removal(_ row: PeopleDesk.Row, _ html: inout HTMLWriter) {
    html.section("question", "End access of \(row.person)?") { html in
      html.element(
        "p",
        text:
          "\(row.tokenCount) of \(row.person) would end at once, with the agents and pages that "
          + "were let in by them. Phones that use them are refused from then on.")
      html.element(
        "p",
        text: "What is stored stays: \(row.days). Whoever can reach the store can remove it with "
          + "the program s3health.")
    }
    form(Self.removal, "stack", in: &html) { html in
      hidden("person", row.person.rawValue, &html)
      html.element(
        "button", ["type": "submit", "class": "danger"], text: "End access of \(row.person)")
    }
    html.element(
      "a", ["class": "act", "href": "\(Self.person)?id=\(row.person)"], text: "Leave it as it is")
  }

  // MARK: - Parts

  private static func label(_ name: PersonChoices.Name) -> String {
    switch name {
    case .timezone: "Time zone"
    case .goals: "Goals"
    case .units: "Units"
    }
  }

  private static func hint(_ name: PersonChoices.Name) -> String {
    switch name {
    case .timezone:
      "Europe/Berlin, or Europe/Berlin, America/New_York@2026-12-01 after a move. Empty: the "
        + "server’s. Another zone holds from today on."
    case .goals: "steps=8000, exercise_minutes=30. Empty: 10,000 steps."
    case .units: "lb, mi, °F. Empty: the server’s."
    }
  }

  private func form(
    _ path: String, _ style: String = "", in html: inout HTMLWriter,
    _ content: (inout HTMLWriter) -> Void
  ) {
    html.element("form", ["method": "post", "action": path, "class": style]) { html in
      hidden("form_key", formKey, &html)
      content(&html)
    }
  }

  private func hidden(_ name: String, _ value: String, _ html: inout HTMLWriter) {
    html.void("input", ["type": "hidden", "name": name, "value": value])
  }

  private func field(
    _ name: String, _ label: String, _ value: String, hint: String,
    _ html: inout HTMLWriter
  ) {
    html.element("label", ["for": name], text: label)
    html.void(
      "input",
      [
        "type": "text", "id": name, "name": name, "value": entered[name] ?? value,
        "maxlength": "2000", "autocomplete": "off", "autocapitalize": "none", "spellcheck": "false",
        "aria-describedby": "\(name)-hint",
      ])
    html.element("p", ["class": "hint", "id": "\(name)-hint"], text: hint)
  }

  private func fact(_ name: String, _ value: String, _ html: inout HTMLWriter) {
    html.element("div") { html in
      html.element("dt", text: name)
      html.element("dd", text: value)
    }
  }
}

extension PeopleDesk.Row {
  /// Which days there are, in words.
  fileprivate var days: String {
    switch coverage {
    case .failure: return "its days can’t be listed"
    case .success(let holdings):
      guard let extent = holdings.extent else { return "no days" }
      let count = holdings.days == 1 ? "1 day" : "\(holdings.days) days"
      return extent.lowerBound == extent.upperBound
        ? "\(count), \(extent.lowerBound)"
        : "\(count) from \(extent.lowerBound) to \(extent.upperBound)"
    }
  }

  fileprivate var tokenCount: String {
    switch tokens.count {
    case 0: "no token"
    case 1: "1 token"
    default: "\(tokens.count) tokens"
    }
  }

  fileprivate var zone: String {
    guard let choices else { return "settings can’t be read" }
    return choices[.timezone] ?? "the server’s time zone"
  }
}
