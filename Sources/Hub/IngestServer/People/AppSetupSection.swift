import HealthReport
import HealthStreams

/// The instructions next to a new token for an app: the values to enter, and a link that sets the app
/// up, also as a QR code for the phone's camera (R55).
struct AppSetupSection {
  private let id: String
  private let name: String
  private let setup: AppSetup

  /// One for each app of the token; none if no phone can reach the server at this address.
  ///
  /// - Parameter origin: the server's address in the administrator's browser.
  static func all(
    of token: AccessToken, secret: String, at origin: ServerOrigin
  ) -> [AppSetupSection] {
    guard !origin.isLoopback else { return [] }
    let apps: [(Endpoint, AppReading.App, String)] = [
      (.healthAutoExport, .healthAutoExport, "Health Auto Export"),
      (.overland, .overland, "Overland"), (.owntracks, .ownTracks, "OwnTracks"),
    ]
    return apps.filter { token.device.scope.endpoints.contains($0.0) }.map { endpoint, app, name in
      AppSetupSection(
        id: endpoint.rawValue, name: name,
        setup: AppSetup(app, server: origin.text, name: token.name, token: secret))
    }
  }

  func write(_ html: inout HTMLWriter) {
    html.section("setup-\(id)", "Set up \(name)") { html in
      html.element(
        "p",
        text: "Point the phone’s camera at the code and open the link: \(name) is set up. The code "
          + "holds the token, so show it to nobody else.")
      if let code = QRCode(Array(setup.link.utf8)) { draw(code, &html) }
      html.element("p") { html in
        html.element("a", ["href": setup.link], text: "Set up \(name) on this device")
      }
      html.element("p", ["class": "hint"], text: "Or enter this in the app:")
      html.element("dl", ["class": "facts"]) { html in
        for (name, value) in [("URL", setup.url)] + setup.fields.map({ ($0.name, $0.value) }) {
          html.element("div") { html in
            html.element("dt", text: name)
            html.element("dd", text: value)
          }
        }
      }
    }
  }

  private func draw(_ code: QRCode, _ html: inout HTMLWriter) {
    let side = code.width
    html.element(
      "svg",
      [
        "class": "qr", "viewBox": "0 0 \(side) \(side)", "role": "img",
        "aria-label": "QR code of the link that sets up \(name)",
      ]
    ) { html in
      html.element("rect", ["width": "\(side)", "height": "\(side)", "fill": "#fff"]) { _ in }
      html.element("path", ["d": code.outline, "fill": "#000"]) { _ in }
    }
  }
}
