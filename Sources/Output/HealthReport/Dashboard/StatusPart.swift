package import HealthModel

/// What the server knows of itself and of those who post to it (R59). It holds no health values and
/// no secrets.
package struct DashboardStatus: Hashable, Sendable {
  /// Since when the server runs: it remembers nothing from before.
  package let since: Timestamp
  package var senders: [Sender] = []
  /// The newest first. Empty where this machine pushes nothing.
  package var pushes: [Push] = []
  /// How many days wait to be made again; nil if another program makes them.
  package var waiting: Int?
  /// When days were last made from what waited in the store.
  package var sweptAt: Timestamp?
  /// When the store was read last for this page, and why not since then.
  package var readAt: Timestamp?
  package var obstacle: String?
  /// The newest first.
  package var log: [Line] = []

  package init(since: Timestamp) { self.since = since }

  /// Who may post, and when it did so last.
  package struct Sender: Hashable, Sendable {
    package let name: String
    package let endpoints: String
    package let postedAt: Timestamp?
    /// What of that was in no day: names of metrics and counts of rows.
    package let leftOut: String?

    package init(name: String, endpoints: String, postedAt: Timestamp?, leftOut: String? = nil) {
      (self.name, self.endpoints) = (name, endpoints)
      (self.postedAt, self.leftOut) = (postedAt, leftOut)
    }
  }

  /// How the pushes of this user to one gateway of Prometheus go.
  package struct Push: Hashable, Sendable {
    package let gateway: String
    package let instance: String
    package let lastSuccess: Timestamp?
    /// How many failed since.
    package let failures: Int

    package init(gateway: String, instance: String, lastSuccess: Timestamp?, failures: Int) {
      (self.gateway, self.instance) = (gateway, instance)
      (self.lastSuccess, self.failures) = (lastSuccess, failures)
    }
  }

  /// Something that the server did.
  package struct Line: Hashable, Sendable {
    package let at: Timestamp
    package let text: String
    package let isFailure: Bool

    package init(at: Timestamp, text: String, isFailure: Bool) {
      (self.at, self.text, self.isFailure) = (at, text, isFailure)
    }
  }
}

/// Freshness, what waits, and the log (R59).
package struct StatusPart {
  let status: DashboardStatus

  package init(_ status: DashboardStatus) { self.status = status }

  package var part: HTMLPart {
    HTMLWriter.part { html in
      html.element("div", ["class": "columns"]) { html in
        html.element("div") { html in
          html.element("h3", text: "Who posts")
          senders(&html)
          if !status.pushes.isEmpty {
            html.element("h3", text: "Pushes to Prometheus")
            pushes(&html)
          }
        }
        html.element("div") { html in
          html.element("h3", text: "This server")
          server(&html)
        }
      }
      html.element("h3", ["id": "log"], text: "Log")
      log(&html)
    }
  }

  private func senders(_ html: inout HTMLWriter) {
    guard !status.senders.isEmpty else {
      html.element("p", ["class": "none"], text: "No token may post.")
      return
    }
    html.element("ul", ["class": "origins"]) { html in
      for sender in status.senders {
        html.element("li") { html in
          html.element("span") { html in
            html.element("bdi", text: sender.name)
            html.text(" ")
            html.element("small", text: sender.endpoints)
            if let leftOut = sender.leftOut {
              html.text(" ")
              html.element("small", text: "left out of the last: \(leftOut)")
            }
          }
          html.element("small") { html in
            if let at = sender.postedAt {
              html.moment(at)
            } else {
              html.text("nothing since the start")
            }
          }
        }
      }
    }
  }

  private func pushes(_ html: inout HTMLWriter) {
    html.element("ul", ["class": "origins"]) { html in
      for push in status.pushes {
        html.element("li", ["class": push.failures > 0 ? "failure" : "entry"]) { html in
          html.element("span") { html in
            html.element("bdi", text: push.gateway)
            html.text(" ")
            html.element("small") { $0.element("bdi", text: push.instance) }
          }
          html.element("small") { html in
            if push.failures > 0 {
              html.text("\(PageWords.grouped(push.failures)) failed, ")
            }
            if let at = push.lastSuccess { html.moment(at) } else { html.text("never succeeded") }
          }
        }
      }
    }
  }

  private func server(_ html: inout HTMLWriter) {
    html.element("ul", ["class": "origins"]) { html in
      row("Running since", &html) { $0.moment(status.since) }
      row("Days waiting", &html) { html in
        html.text(
          status.waiting.map { $0 == 0 ? "none" : PageWords.grouped($0) } ?? "made elsewhere")
      }
      if let swept = status.sweptAt {
        row("Checked for left-over batches", &html) { $0.moment(swept) }
      }
      if let read = status.readAt { row("Store read", &html) { $0.moment(read) } }
      if let obstacle = status.obstacle {
        html.element("li", ["class": "failure"]) { html in
          html.element("span", text: "The store can't be read: \(obstacle)")
        }
      }
    }
  }

  private func row(
    _ name: String, _ html: inout HTMLWriter, _ content: (inout HTMLWriter) -> Void
  ) {
    html.element("li") { html in
      html.element("span", text: name)
      html.element("small", [:], content)
    }
  }

  private func log(_ html: inout HTMLWriter) {
    guard !status.log.isEmpty else {
      html.element("p", ["class": "none"], text: "Nothing yet.")
      return
    }
    html.element("ol", ["class": "log"]) { html in
      for line in status.log {
        html.element("li", ["class": line.isFailure ? "failure" : "entry"]) { html in
          html.moment(line.at)
          html.text(" ")
          html.element("span", text: line.text)
        }
      }
    }
  }
}
