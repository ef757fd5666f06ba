/// A server to send to: scheme, host, port and an optional base path.
package struct S3Endpoint: Hashable, Sendable {
  package enum Scheme: String, Hashable, Sendable {
    case http, https
  }

  package let scheme: Scheme
  /// Lower-case name or address; an IPv6 address is in brackets.
  package let host: String
  /// Nil for the scheme's own.
  package let port: Int?
  /// Empty, or begins with `/` and does not end with one; decoded.
  package let basePath: String

  package init(scheme: Scheme, host: String, port: Int? = nil, basePath: String = "") {
    self.scheme = scheme
    self.host = host
    self.port = port == (scheme == .http ? 80 : 443) ? nil : port
    self.basePath = basePath
  }

  /// The value of the `Host` header: the port only where it is not the scheme's own.
  package var authority: String { port.map { "\(host):\($0)" } ?? host }

  /// AWS's own endpoint of a service in a region.
  package static func aws(service: String, region: String) -> S3Endpoint {
    let suffix = region.hasPrefix("cn-") ? "amazonaws.com.cn" : "amazonaws.com"
    return S3Endpoint(scheme: .https, host: "\(service).\(region).\(suffix)")
  }
}

extension S3Endpoint: CustomStringConvertible {
  package var description: String { "\(scheme.rawValue)://\(authority)\(basePath)" }
}
