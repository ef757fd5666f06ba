import HealthModel

/// What every page of the hub has around what it shows (R59): its own style sheet and script and
/// nothing else, the way to the other pages, and the way out.
package struct PageFrame: Sendable {
  /// Who looks at the page.
  package struct User: Hashable, Sendable {
    /// The token's name.
    package let name: String
    /// What the page's forms must send back.
    package let formKey: String

    package init(name: String, formKey: String) { (self.name, self.formKey) = (name, formKey) }
  }

  /// The addresses of what the pages are made of and what they can ask for.
  package enum Paths {
    package static let page = "/"
    package static let signIn = "/sign-in"
    package static let signOut = "/sign-out"
    package static let sync = "/sync"
    package static let day = "/day"
    package static let events = "/dashboard/events"
    package static let styles = "/dashboard.css"
    package static let script = "/dashboard.js"
    package static let icon = "/dashboard.svg"
    package static let picture = "/dashboard.png"
    package static let manifest = "/dashboard.webmanifest"
  }

  /// What the browser may do for these pages: load their own script, styles and icons, talk to this
  /// server, and nothing else.
  package static let policy =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    + "manifest-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

  let user: User
  /// What stands above the page of today; nil for a plain word.
  let title: String?
  /// The last event that the page holds; nil for a page that does not change.
  let event: String?

  package init(user: User, title: String?, event: String? = nil) {
    (self.user, self.title, self.event) = (user, title, event)
  }

  /// The document in UTF-8.
  ///
  /// - Parameter skip: the words of the link that leads past the head of the page.
  func bytes(
    _ place: PagePlace, _ heading: String, skip: String, _ content: (inout HTMLWriter) -> Void
  ) -> [UInt8] {
    HTMLWriter.page(heading, "dashboard", hasScript: true) { html in
      html.element("a", ["class": "skip", "href": "#main"], text: skip)
      header(place, heading, &html)
      if let event {
        html.element(
          "main", ["id": "main", "data-events": Paths.events, "data-last": event], content)
      } else {
        html.element("main", ["id": "main"], content)
      }
      html.element("footer") { html in
        html.element(
          "p", text: "This page shows health data: sign out on a machine that others use.")
      }
    }
  }

  private func header(_ place: PagePlace, _ heading: String, _ html: inout HTMLWriter) {
    html.element("header") { html in
      html.element("div", ["class": "bar"]) { html in
        html.element("h1", text: heading)
        if event != nil {
          // Without the script the page stands still, and says so.
          html.element("p", ["class": "live", "id": "live"]) { html in
            html.element("span", ["id": "live-word", "role": "status"], text: "Not live")
          }
        }
        html.element("p", ["class": "unseen", "id": "news", "aria-live": "polite"]) { _ in }
        html.element("nav", ["class": "pages", "aria-label": "Pages"]) { html in
          var isToday = false
          if case .today = place { isToday = true }
          html.link(.today(), "Today", current: isToday)
          html.link(.status, "Status", current: place == .status)
        }
        if event != nil { form(Paths.sync, "Sync now", "sync", &html) }
        form(Paths.signOut, "Sign out", "sign-out", &html)
      }
    }
    html.newline()
  }

  private func form(_ path: String, _ label: String, _ id: String, _ html: inout HTMLWriter) {
    html.element("form", ["method": "post", "action": path, "id": id]) { html in
      html.void("input", ["type": "hidden", "name": "form_key", "value": user.formKey])
      html.element("button", ["type": "submit"], text: label)
    }
  }
}

extension HTMLWriter {
  /// A whole page of the hub.
  ///
  /// - Parameters:
  ///   - kind: the class of its body.
  ///   - content: what stands in its body.
  package static func page(
    _ title: String, _ kind: String, hasScript: Bool = false,
    _ content: (inout HTMLWriter) -> Void
  ) -> [UInt8] {
    typealias Paths = PageFrame.Paths
    var html = HTMLWriter()
    html.element("html", ["lang": "en"]) { html in
      html.element("head") { html in
        html.meta(title)
        html.void("link", ["rel": "icon", "type": "image/svg+xml", "href": Paths.icon])
        html.void("link", ["rel": "apple-touch-icon", "href": Paths.picture])
        html.void("link", ["rel": "manifest", "href": Paths.manifest])
        html.void("link", ["rel": "stylesheet", "href": Paths.styles])
        if hasScript { html.element("script", ["src": Paths.script, "defer": ""]) { _ in } }
      }
      html.newline()
      html.element("body", ["class": kind], content)
    }
    html.newline()
    return html.bytes
  }

  /// Links to the pages before and after this one, where there are any.
  mutating func turns(
    _ label: String, before: (PagePlace, String)?, after: (PagePlace, String)?
  ) {
    element("nav", ["class": "turns", "aria-label": label]) { html in
      if let before { html.link(before.0, "‹ \(before.1)") }
      if let after { html.link(after.0, "\(after.1) ›") }
    }
  }
}
