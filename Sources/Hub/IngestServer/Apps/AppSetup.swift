import ContentDigests
import HTTPClient
import HealthModel
package import HealthStreams

/// How an app is set up to post to a server (R55): the address and the header to enter, and a link
/// that does it on the phone. Pure.
package struct AppSetup: Hashable, Sendable {
  /// The address to enter.
  package let url: String
  /// What to enter in the app's settings, besides the address, by the app's own names.
  package let fields: [Field]
  /// Opened on the phone, it sets the app up. It holds the token.
  package let link: String

  package struct Field: Hashable, Sendable {
    package let name: String
    package let value: String
  }

  /// Whether phones can be pointed at an address: a scheme, a host, and perhaps a path.
  package static func isServer(_ address: String) -> Bool {
    address.wholeMatch(of: #/https?:\/\/[^\/?#@\s]+(\/[^?#\s]*)?/#) != nil
  }

  /// An address without slashes at its end, and without the path of an app, which some give with it.
  private static func root(of server: String) -> Substring {
    var server = server[...]
    func trim() { while server.hasSuffix("/") { server = server.dropLast() } }
    trim()
    if let path = AppReading.App.allCases.map(\.path).first(where: server.hasSuffix) {
      server = server.dropLast(path.count)
      trim()
    }
    return server
  }

  /// - Parameters:
  ///   - server: the address under which phones reach the server, such as `https://hub.example.org`.
  ///   - name: the token's name, by which the app names its device.
  ///   - token: the secret.
  package init(_ app: AppReading.App, server: String, name: String, token: String) {
    url = Self.root(of: server) + app.path
    switch app {
    case .overland:
      fields = [.init(name: "Access Token", value: token), .init(name: "Device ID", value: name)]
      link = Self.link(
        "overland://setup",
        [("url", url), ("token", token), ("device_id", name), ("unique_id", "yes")])
    case .ownTracks:
      fields = [
        .init(name: "Mode", value: "HTTP"), .init(name: "User ID", value: name),
        .init(name: "Password", value: token), .init(name: "Device ID", value: name),
      ]
      let settings = JSONValue.object([
        "_type": .string("configuration"), "mode": .number(3), "url": .string(url),
        "auth": .bool(true), "username": .string(name), "password": .string(token),
        "deviceId": .string(name), "tid": .string(String(name.suffix(2))),
      ])
      link = Self.link(
        "owntracks:///config", [("inline", Base64.encode(settings.canonicalBytes))])
    case .healthAutoExport:
      let header = "Authorization"
      fields = [
        .init(name: "Header", value: "\(header): Bearer \(token)"),
        .init(name: "Export format", value: "JSON, version 2"),
        .init(name: "Date range", value: "Default (yesterday and today)"),
        .init(name: "Aggregation", value: "Days, with summarized data"),
      ]
      // The default period overlaps, so late samples are not missed.
      link = Self.link(
        "com.HealthExport://automation",
        [
          ("name", name), ("url", url), ("headers", "\(header),Bearer \(token)"),
          ("format", "json"), ("exportversion", "v2"), ("datatype", "healthMetrics"),
          ("period", "none"), ("interval", "days"), ("aggregatedata", "true"),
          ("aggregatesleep", "true"), ("batchrequests", "false"), ("syncinterval", "hours"),
          ("syncquantity", "1"), ("enabled", "true"),
        ])
    }
  }

  private static func link(_ address: String, _ query: [(name: String, value: String)]) -> String {
    address + "?"
      + query.map { "\($0.name)=\(PercentCoding.encode($0.value))" }.joined(separator: "&")
  }
}
