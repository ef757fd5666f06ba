/// The page of today, with the trends (R59).
package struct DashboardPage {
  let span: DashboardSpan
  let today: HTMLPart
  let trends: HTMLPart

  package init(span: DashboardSpan, today: HTMLPart, trends: HTMLPart) {
    (self.span, self.today, self.trends) = (span, today, trends)
  }

  /// The document in UTF-8.
  package func bytes(in frame: PageFrame) -> [UInt8] {
    frame.bytes(.today(span), frame.title ?? "Health", skip: "Skip to today’s figures") { html in
      html.section("today-title", "Today") { html in
        html.element("div", ["id": "today"]) { $0.part(today) }
      }
      html.section("trends-title", "Trends") { html in
        spans(&html)
        html.element("div", ["id": "trends"]) { $0.part(trends) }
      }
    }
  }

  private func spans(_ html: inout HTMLWriter) {
    html.element("nav", ["class": "spans", "aria-label": "Span of the trends"]) { html in
      for other in DashboardSpan.allCases {
        let address = PagePlace.today(other).address + "#trends-title"
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

/// The page of what stands behind the figures: coverage, who sends, what the server did (R59).
package struct StatusPage {
  let storeName: String
  let coverage: HTMLPart
  let status: HTMLPart

  package init(storeName: String, coverage: HTMLPart, status: HTMLPart) {
    (self.storeName, self.coverage, self.status) = (storeName, coverage, status)
  }

  /// The document in UTF-8.
  package func bytes(in frame: PageFrame) -> [UInt8] {
    frame.bytes(.status, "Status", skip: "Skip to the status") { html in
      html.element("p", ["class": "extent"]) { html in
        html.element("bdi", text: storeName)
        html.element("span") { html in
          html.text(", signed in as ")
          html.element("bdi", text: frame.user.name)
        }
      }
      html.section("status-title", "Senders and server") { html in
        html.element("div", ["id": "status"]) { $0.part(status) }
      }
      html.section("day-title", "A day") { html in
        html.element("form", ["method": "get", "action": PageFrame.Paths.day]) { html in
          html.element("label", ["for": "date"], text: "Date")
          html.text(" ")
          html.void("input", ["type": "date", "id": "date", "name": "date", "required": ""])
          html.text(" ")
          html.element("button", ["type": "submit"], text: "Open")
        }
      }
      html.element("div", ["id": "year"]) { $0.part(coverage) }
    }
  }
}
