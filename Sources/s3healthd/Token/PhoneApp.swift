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

  /// How the app is set up to post with a token.
  ///
  /// - Parameter url: the server's address; nil if it is not known.
  func setup(_ token: String, _ device: AuthenticatedDevice, url: String?) -> AppSetup {
    AppSetup(app, server: url ?? "https://YOUR-SERVER", name: device.name, token: token)
  }
}

extension AppSetup {
  /// What to enter, each with its name in the app, and the link that does it.
  var entries: [(name: String, value: String)] {
    [("URL", url)] + fields.map { ($0.name, $0.value) } + [("set-up link", link)]
  }
}
