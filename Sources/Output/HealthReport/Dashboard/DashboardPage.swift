/// The dashboard as a document (R59): its own style sheet and script and nothing else.
package struct DashboardPage {
  /// The parts that change while the page is open, by the ids of their elements.
  package struct Parts: Sendable {
    package let today: HTMLPart
    package let trends: HTMLPart
    package let coverage: HTMLPart
    package let status: HTMLPart

    package init(today: HTMLPart, trends: HTMLPart, coverage: HTMLPart, status: HTMLPart) {
      (self.today, self.trends, self.coverage, self.status) = (today, trends, coverage, status)
    }
  }

  /// Who looks at the page.
  package struct Visitor: Hashable, Sendable {
    /// The token's name.
    package let name: String
    /// What the page's forms must send back.
    package let formKey: String

    package init(name: String, formKey: String) { (self.name, self.formKey) = (name, formKey) }
  }

  /// The addresses of what the page is made of and what it can ask for.
  package struct Paths: Hashable, Sendable {
    package var page = "/"
    package var signIn = "/sign-in"
    package var signOut = "/sign-out"
    package var sync = "/sync"
    package var events = "/dashboard/events"
    package var styles = "/dashboard.css"
    package var script = "/dashboard.js"
    package var icon = "/dashboard.svg"

    package init() {}
  }

  /// What the browser may do for these pages: load their own script, styles and icon, talk to this
  /// server, and nothing else.
  package static let policy =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    + "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

  let storeName: String
  let span: DashboardSpan
  let parts: Parts
  let visitor: Visitor
  /// The last event that the parts hold.
  let event: String
  let paths: Paths

  package init(
    storeName: String, span: DashboardSpan, parts: Parts, visitor: Visitor, event: String,
    paths: Paths
  ) {
    (self.storeName, self.span, self.parts) = (storeName, span, parts)
    (self.visitor, self.event, self.paths) = (visitor, event, paths)
  }

  /// The document in UTF-8.
  package var bytes: [UInt8] {
    var html = HTMLWriter()
    html.element("html", ["lang": "en"]) { html in
      html.dashboardHead("Health today", paths, hasScript: true)
      html.element("body", ["class": "dashboard"]) { html in
        html.element("a", ["class": "skip", "href": "#main"], text: "Skip to today’s figures")
        header(&html)
        html.element(
          "main", ["id": "main", "data-events": paths.events, "data-last": event]
        ) { html in
          html.element("section", ["aria-labelledby": "today-title"]) { html in
            html.element("h2", ["id": "today-title"], text: "Today")
            html.element("div", ["id": "today"]) { $0.part(parts.today) }
          }
          html.element("section", ["aria-labelledby": "trends-title"]) { html in
            html.element("h2", ["id": "trends-title"], text: "Trends")
            spans(&html)
            html.element("div", ["id": "trends"]) { $0.part(parts.trends) }
          }
          html.element("div", ["id": "year"]) { $0.part(parts.coverage) }
          html.element("section", ["aria-labelledby": "status-title"]) { html in
            html.element("h2", ["id": "status-title"], text: "Status")
            html.element("div", ["id": "status"]) { $0.part(parts.status) }
          }
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

  private func header(_ html: inout HTMLWriter) {
    html.element("header") { html in
      html.element("div", ["class": "bar"]) { html in
        html.element("h1", text: "Health")
        // Without the script the page stands still, and says so.
        html.element("p", ["class": "live", "id": "live"]) { html in
          html.element("span", ["id": "live-word", "role": "status"], text: "Not live")
        }
        html.element("p", ["class": "unseen", "id": "news", "aria-live": "polite"]) { _ in }
        form(paths.sync, "Sync now", "sync", &html)
        form(paths.signOut, "Sign out", "sign-out", &html)
      }
      html.element("p", ["class": "extent"]) { html in
        html.element("bdi", text: storeName)
        html.element("span") { html in
          html.text("signed in as ")
          html.element("bdi", text: visitor.name)
        }
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

  private func spans(_ html: inout HTMLWriter) {
    html.element("nav", ["class": "spans", "aria-label": "Span of the trends"]) { html in
      for other in DashboardSpan.allCases {
        let address = "\(paths.page)?span=\(other.rawValue)#trends-title"
        let name = other.rawValue.capitalisedFirst
        if other == span {
          html.element("a", ["href": address, "aria-current": "true"], text: name)
        } else {
          html.element("a", ["href": address], text: name)
        }
        html.text(" ")
      }
    }
  }
}

extension HTMLWriter {
  /// The head of the hub's pages.
  package mutating func dashboardHead(
    _ title: String, _ paths: DashboardPage.Paths, hasScript: Bool
  ) {
    element("head") { html in
      html.void("meta", ["charset": "utf-8"])
      html.void("meta", ["name": "viewport", "content": "width=device-width, initial-scale=1"])
      html.void("meta", ["name": "color-scheme", "content": "light dark"])
      html.void("meta", ["name": "robots", "content": "noindex"])
      html.element("title", text: title)
      html.void("link", ["rel": "icon", "type": "image/svg+xml", "href": paths.icon])
      html.void("link", ["rel": "stylesheet", "href": paths.styles])
      if hasScript { html.element("script", ["src": paths.script, "defer": ""]) { _ in } }
    }
    newline()
  }
}
