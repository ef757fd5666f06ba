import ArgumentParser
import HealthStreams
import IngestServer

/// An app that posts in a format of its own, and what to enter in it (R55).
enum PhoneApp: String, CaseIterable, ExpressibleByArgument {
  case overland
  case healthAutoExport = "health-auto-export"
  case owntracks

  var endpoint: Endpoint {
    switch self {
    case .overland: .overland
    case .healthAutoExport: .healthAutoExport
    case .owntracks: .owntracks
    }
  }

  private var app: AppReading.App {
    switch self {
    case .overland: .overland
    case .healthAutoExport: .healthAutoExport
    case .owntracks: .ownTracks
    }
  }

  /// What to enter, each with its name in the app, and the link that does it.
  ///
  /// - Parameter url: the server's address; nil if it is not known.
  func entries(
    _ token: String, _ device: AuthenticatedDevice, url: String?
  ) -> [(name: String, value: String)] {
    let setup = AppSetup(
      app, server: url ?? "https://YOUR-SERVER", name: device.name, token: token)
    return [("URL", setup.url)] + setup.fields.map { ($0.name, $0.value) }
      + [("set-up link", setup.link)]
  }
}
