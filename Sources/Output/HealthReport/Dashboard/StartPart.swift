import HealthModel

/// What a store without data shows: how the first data comes into it (R59). Once there is some, today
/// takes its place.
struct StartPart {
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
          text: "There is no data yet. Choose one of these ways; this page changes by itself when "
            + "the first data comes.")
        html.element("h3", text: "Read a file that you have")
        html.element(
          "p", text: "On the phone: Health, your picture, Export All Health Data. Then, here:")
        command("s3health import export.zip", &html)
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
                "s3healthd token add phone --app \(app.option) --url ", server: Self.server, &html)
            }
          }
        }
        html.element("h3", text: "Let a collector of your own send")
        command("s3healthd token add laptop", &html)
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
