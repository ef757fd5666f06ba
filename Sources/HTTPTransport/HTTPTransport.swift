/// HTTP on libcurl's multi interface: one owned thread, pooled handles, reused connections.
package final class HTTPTransport: Sendable {
  package struct Configuration: Sendable {
    /// PEM file that replaces the system's certificate authorities.
    package var caBundle: String?
    /// Most connections in all.
    package var maximumConnections = 64
    /// `User-Agent`.
    package var userAgent = "s3health"
    package init() {}
  }

  package init(_ configuration: Configuration = Configuration()) {}

  /// Sends one request and gives the complete response, whatever its status.
  package func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
    throw HTTPError(.internal, "not built", mayHaveBeenApplied: false)
  }
}
