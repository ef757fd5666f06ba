import CurlTransport
import HTTPClient

/// The server behind a proxy.
struct Upstream: Sendable {
  /// The result of one send.
  typealias Reply = Result<HTTPResponse, HTTPError>

  /// Scheme, host and port, without a final slash.
  let address: String
  /// Empty, or begins with a slash.
  let basePath: String
  private let transport: CurlTransport
  private let limits: ProxyLimits

  /// - Parameter url: `http://host:port` or https, with or without a base path.
  init(_ url: String, caBundle: String?, limits: ProxyLimits) throws(FaultProxyError) {
    guard url.hasPrefix("http://") || url.hasPrefix("https://") else {
      throw FaultProxyError("the proxied endpoint is neither http:// nor https://")
    }
    guard !url.contains(where: { "?#@".contains($0) }), let scheme = url.firstRange(of: "://")
    else {
      throw FaultProxyError("the proxied endpoint holds a user, a query or a fragment")
    }
    let slash = url[scheme.upperBound...].firstIndex(of: "/") ?? url.endIndex
    guard scheme.upperBound < slash else { throw FaultProxyError("the endpoint has no host") }
    address = String(url[..<slash])
    var path = url[slash...]
    while path.last == "/" { path.removeLast() }
    basePath = String(path)
    var configuration = CurlTransport.Configuration()
    configuration.caBundle = caBundle
    configuration.maximumConnections = limits.connections
    transport = CurlTransport(configuration)
    self.limits = limits
  }

  /// Sends a request on unchanged.
  ///
  /// A write is sent once: a silent second send would be an unplanned fault.
  func send(_ request: ProxiedRequest) async -> Reply {
    let sent = HTTPRequest(
      request.method, address + request.target, headers: request.fields, body: request.body,
      timeout: limits.serverTime, maximumResponseBytes: limits.bodyBytes,
      sendsAtMostOnce: request.operation.isWrite)
    do throws(HTTPError) {
      return .success(try await transport.send(sent))
    } catch {
      return .failure(error)
    }
  }

  /// The same for a waiting thread. It runs on the transport's own thread, so that other tasks in
  /// the process that block do not delay it.
  func send(_ request: ProxiedRequest, then take: @escaping @Sendable (Reply) -> Void) {
    Task(executorPreference: transport.executor) { take(await send(request)) }
  }

  /// Ends all running requests and closes all connections.
  func shutdown() { transport.shutdown() }
}
