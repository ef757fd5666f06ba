import HealthModel

/// What every page of the hub has around what it shows (R59): its own style sheet and script and
/// nothing else, the way to the other pages, and the way out.
package struct PageFrame: Sendable {
  /// Who looks at the page.
  package struct Visitor: Hashable, Sendable {
    /// The token's name.
    package let name: String
    /// What the page's forms must send back.
    package let formKey: String

    package init(name: String, formKey: String) { (self.name, self.formKey) = (name, formKey) }
  }

  /// The addresses of what the pages are made of and what they can ask for.
  package struct Paths: Hashable, Sendable {
    package var page = "/"
    package var signIn = "/sign-in"
    package var signOut = "/sign-out"
    package var sync = "/sync"
    package var day = "/day"
    package var events = "/dashboard/events"
    package var styles = "/dashboard.css"
    package var script = "/dashboard.js"
    package var icon = "/dashboard.svg"
    package var picture = "/dashboard.png"
    package var manifest = "/dashboard.webmanifest"

    package init() {}
  }

  /// What the browser may do for these pages: load their own script, styles and icons, talk to this
  /// server, and nothing else.
  package static let policy =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    + "manifest-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

  let visitor: Visitor
  /// What stands above the page of today; nil for a plain word.
  let title: String?
  /// The last event that the page holds; nil for a page that does not change.
  let event: String?
  let paths: Paths

  package init(visitor: Visitor, title: String?, event: String? = nil, paths: Paths = Paths()) {
    (self.visitor, self.title, self.event, self.paths) = (visitor, title, event, paths)
  }

  /// The document in UTF-8.
  ///
  /// - Parameter skip: the words of the link that leads past the head of the page.
  func bytes(
    _ place: PagePlace, _ heading: String, skip: String, _ content: (inout HTMLWriter) -> Void
  ) -> [UInt8] {
    var html = HTMLWriter()
    html.element("html", ["lang": "en"]) { html in
      html.dashboardHead(heading, paths, hasScript: true)
      html.element("body", ["class": "dashboard"]) { html in
        html.element("a", ["class": "skip", "href": "#main"], text: skip)
        header(place, heading, &html)
        if let event {
          html.element(
            "main", ["id": "main", "data-events": paths.events, "data-last": event], content)
        } else {
          html.element("main", ["id": "main"], content)
        }
        html.element("footer") { html in
          html.element(
            "p", text: "This page shows health data: sign out on a machine that others use.")
        }
      }
    }
    html.newline()
    return html.bytes
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
        if event != nil { form(paths.sync, "Sync now", "sync", &html) }
        form(paths.signOut, "Sign out", "sign-out", &html)
      }
    }
    html.newline()
  }

  private func form(_ path: String, _ label: String, _ id: String, _ html: inout HTMLWriter) {
    html.element("form", ["method": "post", "action": path, "id": id]) { html in
      html.void("input", ["type": "hidden", "name": "form_key", "value": visitor.formKey])
      html.element("button", ["type": "submit"], text: label)
    }
  }
}

extension HTMLWriter {
  /// The head of the hub's pages.
  package mutating func dashboardHead(
    _ title: String, _ paths: PageFrame.Paths, hasScript: Bool
  ) {
    element("head") { html in
      html.void("meta", ["charset": "utf-8"])
      html.void("meta", ["name": "viewport", "content": "width=device-width, initial-scale=1"])
      html.void("meta", ["name": "color-scheme", "content": "light dark"])
      html.void("meta", ["name": "robots", "content": "noindex"])
      html.element("title", text: title)
      html.void("link", ["rel": "icon", "type": "image/svg+xml", "href": paths.icon])
      html.void("link", ["rel": "apple-touch-icon", "href": paths.picture])
      html.void("link", ["rel": "manifest", "href": paths.manifest])
      html.void("link", ["rel": "stylesheet", "href": paths.styles])
      if hasScript { html.element("script", ["src": paths.script, "defer": ""]) { _ in } }
    }
    newline()
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

  /// A titled section of a page.
  package mutating func section(
    _ id: String, _ title: String, _ content: (inout HTMLWriter) -> Void
  ) {
    element("section", ["aria-labelledby": id]) { html in
      html.element("h2", ["id": id], text: title)
      content(&html)
    }
    newline()
  }
}
