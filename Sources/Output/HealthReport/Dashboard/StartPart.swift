import HealthModel

/// What a person types for the first data and for the time zone, as the program that serves the page words it.
package struct StartCommands: Hashable, Sendable {
  let importing: String
  /// The name of an app follows.
  let app: String
  /// The address of this server follows.
  let url: String
  let collector: String
  /// The name of a time zone follows.
  let settingZone: String

  package init(
    importing: String, app: String, url: String, collector: String, settingZone: String
  ) {
    (self.importing, self.app, self.url) = (importing, app, url)
    (self.collector, self.settingZone) = (collector, settingZone)
  }
}

/// What a store without data shows: how the first data comes into it (R59). Once there is some, today
/// takes its place.
struct StartPart {
  let commands: StartCommands

  /// The address of this server, as the script fills it in.
  private static let server = "https://YOUR-SERVER"

  /// What can send data: its name, where to get it, what it sends, and the command for it.
  private static let apps: [(name: String, site: String, sends: String, option: String)] = [
    (
      "Health Auto Export", "https://apps.apple.com/app/id1115567069",
      "On an iPhone: everything that Apple Health knows.", "health-auto-export"
    ),
    (
      "Overland", "https://overland.p3k.app", "On an iPhone: where you were.", "overland"
    ),
    (
      "OwnTracks", "https://owntracks.org", "On an iPhone or Android phone: where you were.",
      "owntracks"
    ),
  ]

  var part: HTMLPart {
    HTMLWriter.part { html in
      html.element("div", ["class": "start"]) { html in
        html.element(
          "p",
          text: "No data yet. Choose one of these ways to send some. This page updates by itself "
            + "when the first data arrives.")
        html.element("h3", text: "Read a file that you have")
        html.element(
          "p",
          text: "On the phone: Health, your picture, Export All Health Data. Then, where this "
            + "server runs:")
        command(commands.importing, &html)
        html.element("h3", text: "Let a phone send")
        html.element(
          "p",
          text: "Run the command where this server runs. It shows a link and a code: point the "
            + "phone’s camera at the code, and the app is set up.")
        html.element("ul") { html in
          for app in Self.apps {
            html.element("li") { html in
              html.element("a", ["href": app.site, "rel": "noreferrer"], text: app.name)
              html.text(" \(app.sends)")
              command(
                "\(commands.app) \(app.option) \(commands.url) ", server: Self.server, &html)
            }
          }
        }
        html.element("h3", text: "Let a collector of your own send")
        command(commands.collector, &html)
      }
    }
  }

  private func command(_ text: String, server: String = "", _ html: inout HTMLWriter) {
    html.element("p", ["class": "command"]) { html in
      html.element("code") { html in
        html.text(text)
        if !server.isEmpty { html.element("span", ["class": "origin"], text: server) }
      }
    }
  }
}
