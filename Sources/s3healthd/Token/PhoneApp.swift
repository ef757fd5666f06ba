import ArgumentParser
import IngestServer

/// An app that posts in a format of its own, and what to enter in it.
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

  /// What to enter, each with its name in the app.
  ///
  /// - Parameter url: the server's address; nil if it is not known.
  func entries(
    _ token: String, _ device: AuthenticatedDevice, url: String?
  ) -> [(name: String, value: String)] {
    var server = url ?? "https://YOUR-SERVER"
    while server.hasSuffix("/") { server.removeLast() }
    let address = server + "/" + rawValue
    switch self {
    case .overland:
      let link =
        "overland://setup?url=\(Self.encoded(address))&token=\(token)"
        + "&device_id=\(device.name)&unique_id=yes"
      return [("receiver endpoint", address), ("access token", token), ("set-up link", link)]
    case .healthAutoExport:
      let link =
        "com.HealthExport://automation?url=\(Self.encoded(address))"
        + "&headers=\(Self.encoded("Authorization,Bearer \(token)"))"
        + "&format=json&batchrequests=true"
      return [
        ("URL", address), ("header", "Authorization: Bearer \(token)"), ("set-up link", link),
      ]
    case .owntracks:
      return [("mode", "HTTP"), ("URL", address), ("user", device.name), ("password", token)]
    }
  }

  /// Percent-encoded as the value of a query.
  private static func encoded(_ text: String) -> String {
    text.utf8.map { byte -> String in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"),
        UInt8(ascii: "-"), UInt8(ascii: "~"):
        return String(UnicodeScalar(byte))
      default:
        let digits = String(byte, radix: 16, uppercase: true)
        return "%" + (digits.utf8.count == 1 ? "0" : "") + digits
      }
    }.joined()
  }
}
