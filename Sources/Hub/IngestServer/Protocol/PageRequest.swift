import HTTPClient
internal import HTTPTypes
import HealthModel
internal import Hummingbird

/// A request of a browser for a page of the hub (R59).
package struct PageRequest: Sendable {
  /// The most bytes of a form.
  static let maximumBytes = 8192

  let path: String
  /// What stands after `?`, by name; the first of each name.
  let query: [String: String]
  /// The fields of the form that was sent; empty if there was none.
  let form: [String: String]
  let body: [UInt8]
  /// What stands after `?`, as it was sent.
  let queryText: String
  /// The server as the client calls it, if the connection is private.
  let origin: ServerOrigin?
  private let cookies: [(name: String, value: String)]
  /// Whether the browser speaks https: with this server, or with a proxy that says so.
  let isSecure: Bool
  /// The address that the request comes from.
  let peer: String
  /// The last event that a stream has shown, by `Last-Event-ID`.
  let lastEvent: String?
  /// True if the browser says that another site's page has sent the request.
  let isForeign: Bool
  let at: Timestamp

  /// - Parameters:
  ///   - host: the server's name as the browser knows it.
  ///   - query: what stands after `?`.
  init(
    path: String = "/", host: String, query: String?, fields: HTTPFields, body: [UInt8],
    isSecure: Bool, peer: String?,
    at: Timestamp
  ) {
    (self.path, self.body, queryText) = (path, body, query ?? "")
    self.query = FormText.fields(queryText.utf8)
    let type = fields[.contentType]?.lowercased() ?? ""
    form = type.hasPrefix("application/x-www-form-urlencoded") ? FormText.fields(body) : [:]
    func header(_ name: String) -> String? { HTTPField.Name(name).flatMap { fields[$0] } }
    cookies = fields[values: .cookie].flatMap { $0.split(separator: ";") }.compactMap { pair in
      let parts = pair.drop { $0 == " " }.split(
        separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      return parts.count == 2 ? (String(parts[0]), String(parts[1])) : nil
    }
    self.isSecure = isSecure
    self.peer = peer ?? "-"
    origin = ServerOrigin(host: host, isSecure: isSecure, peer: peer)
    lastEvent = header("Last-Event-ID")
    isForeign = Self.isForeign(
      site: header("Sec-Fetch-Site"), origin: header("Origin"), host: host)
    self.at = at
  }

  /// Whether the client speaks https. Anyone can send the header of a proxy, so it counts from those
  /// addresses alone.
  ///
  /// - Parameters:
  ///   - isSecure: whether the server speaks https itself.
  ///   - forwarded: what `X-Forwarded-Proto` says.
  static func isSecure(
    _ isSecure: Bool, forwarded: String?, from peer: String?, by proxies: [AddressRange]
  ) -> Bool {
    isSecure || forwarded?.lowercased() == "https" && proxies.contain(peer)
  }

  func cookies(_ name: String) -> [String] { cookies.filter { $0.name == name }.map(\.value) }

  /// A browser that says neither is not one that can be misled.
  static func isForeign(site: String?, origin: String?, host: String) -> Bool {
    if let site { return site != "same-origin" && site != "none" }
    guard let origin else { return false }
    guard let colon = origin.firstRange(of: "://") else { return true }
    return origin[colon.upperBound...].lowercased() != host.lowercased()
  }
}

/// Text as forms and queries have it: `a=1&b=two+words`. Pure.
enum FormText {
  /// The first value of each name; what is not valid UTF-8 or has a broken escape is left out.
  static func fields(_ text: some Collection<UInt8>) -> [String: String] {
    var fields: [String: String] = [:]
    for pair in text.split(separator: UInt8(ascii: "&")).prefix(32) {
      let parts = pair.split(
        separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
      guard let name = PercentCoding.decode(parts[0], plusIsSpace: true),
        let value = parts.count > 1 ? PercentCoding.decode(parts[1], plusIsSpace: true) : "",
        fields[name] == nil
      else { continue }
      fields[name] = value
    }
    return fields
  }
  /// The same of text in which each name stands once; nil if one stands twice, or anything is broken.
  static func onlyFields(_ text: some Collection<UInt8>) -> [String: String]? {
    let pairs = text.split(separator: UInt8(ascii: "&"))
    guard pairs.count <= 32 else { return nil }
    let fields = fields(text)
    return fields.count == pairs.count ? fields : nil
  }
}
