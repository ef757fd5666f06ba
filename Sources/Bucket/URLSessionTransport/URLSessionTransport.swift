import Foundation
package import HTTPClient

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// HTTP over `URLSession`: the transport of apps. No cookies, no cache, no stored credentials, and no
/// redirect is followed.
///
/// It can do less than libcurl's, and is never less safe:
///
/// - A request that writes goes over a connection of its own, because `URLSession` repeats a request
///   in silence where a reused connection dies.
/// - There is no time limit for connecting alone, only for the whole exchange.
/// - Whether a request left is known only of failures to connect. All others may have been applied.
/// - A URL that `URLSession` would change is refused.
/// - A body with a `Content-Encoding` may be decoded.
/// - `maximumConnections` bounds the connections of reads.
/// - A request with a gate opens its connection with another, unsigned request first: `URLSession`
///   can't hold a body back behind its header.
/// - Foundation on Linux trusts the system's certificate authorities alone, so a request over https
///   with `caBundle` is refused there. It uses proxies of the environment, for loopback too.
package final class URLSessionTransport: HTTPTransport {
  private let configuration: TransportConfiguration
  private let delegate: SessionDelegate
  /// All callbacks come one after another, so that the order of answers is known (`SendGate`).
  private let queue: OperationQueue
  /// The queue of the callbacks. On Linux, Foundation reads on a serial queue, which always gets a thread,
  /// and it never waits for the callbacks. So the callbacks need a serial queue too. On the shared
  /// threads, a busy machine would buffer without limit and miss deadlines.
  private let callbacks: DispatchQueue
  private let reads: URLSession

  package init(_ configuration: TransportConfiguration = TransportConfiguration()) {
    self.configuration = configuration
    callbacks = DispatchQueue(label: "s3health.URLSessionTransport")
    queue = OperationQueue()
    queue.maxConcurrentOperationCount = 1
    queue.underlyingQueue = callbacks
    delegate = SessionDelegate(caBundle: configuration.caBundle)
    reads = URLSession(
      configuration: .strict(configuration), delegate: delegate, delegateQueue: queue)
  }

  deinit { reads.invalidateAndCancel() }

  package func separate() -> any HTTPTransport { URLSessionTransport(configuration) }

  package func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
    let target = try RequestTarget(request.url)
    try request.check()
    let sent = try urlRequest(request, target)
    guard !Task.isCancelled else { throw .cancelled(mayHaveBeenApplied: false) }
    guard request.timeout > .nanoseconds(1) else {
      throw .timedOut(target.host, mayHaveBeenApplied: false)
    }
    let exchange = Exchange(request, host: target.host)
    guard request.method.sendsBody else { return try await run(exchange, sent, reads).get() }
    let session = URLSession(
      configuration: .strict(configuration), delegate: delegate, delegateQueue: queue)
    defer { session.finishTasksAndInvalidate() }
    if request.gate != nil {
      await open(session, for: request, target)
      try await exchange.meetOthers()
    }
    return try await run(exchange, sent, session).get()
  }

  private func run(
    _ exchange: Exchange, _ request: URLRequest, _ session: URLSession
  ) async -> Exchange.Outcome {
    let task = session.dataTask(with: request)
    delegate.add(exchange, for: task, of: session)
    return await withTaskCancellationHandler {
      await withCheckedContinuation { exchange.begin(task, $0, deadlineOn: callbacks) }
    } onCancel: {
      exchange.stop(.cancelled(mayHaveBeenApplied: true))
    }
  }

  /// Opens a session's connection, so that requests which are to meet are all ready to go. Any answer
  /// will do. Without one, the request opens a connection itself, and may meet no other.
  private func open(_ session: URLSession, for request: HTTPRequest, _ target: RequestTarget) async
  {
    let first = HTTPRequest(.head, request.url, timeout: min(request.timeout, .seconds(5)))
    guard let sent = try? urlRequest(first, target) else { return }
    _ = await run(Exchange(first, host: target.host), sent, session)
  }

  private func urlRequest(
    _ request: HTTPRequest, _ target: RequestTarget
  ) throws(HTTPError) -> URLRequest {
    func refused(_ why: String) -> HTTPError {
      HTTPError(.invalidRequest, why, mayHaveBeenApplied: false)
    }
    guard let url = URL(string: request.url), url.absoluteString == request.url,
      let host = url.host, !host.isEmpty, (1...65535).contains(url.port ?? 1),
      !request.url.prefix(while: { $0 != "?" }).split(separator: "/").contains(where: {
        $0 == "." || $0 == ".."
      })
    else { throw refused("the URL is one that URLSession would change") }
    #if canImport(FoundationNetworking)
      if target.isTLS, configuration.caBundle != nil {
        throw HTTPError(
          .tlsFailed, "Foundation takes no certificate authorities on this system",
          mayHaveBeenApplied: false)
      }
    #endif
    var sent = URLRequest(url: url, cachePolicy: .reloadIgnoringLocalCacheData)
    // The exchange's own deadline ends it; this is the longest silence.
    sent.timeoutInterval = Double(max(1, configuration.stallTimeout.components.seconds))
    sent.httpMethod = request.method.rawValue
    sent.httpShouldHandleCookies = false
    for field in request.headers where !field.name.caseInsensitiveEqual("Content-Length") {
      sent.addValue(field.value, forHTTPHeaderField: field.name)
    }
    if request.method.sendsBody { sent.httpBody = Data(request.body) }
    return sent
  }
}

extension URLSessionConfiguration {
  /// Nothing is kept, and nothing sent that the caller did not ask for.
  fileprivate static func strict(_ configuration: TransportConfiguration) -> URLSessionConfiguration
  {
    let strict = URLSessionConfiguration.ephemeral
    strict.httpCookieStorage = nil
    strict.httpCookieAcceptPolicy = .never
    strict.httpShouldSetCookies = false
    strict.urlCache = nil
    strict.urlCredentialStorage = nil
    strict.requestCachePolicy = .reloadIgnoringLocalCacheData
    strict.httpMaximumConnectionsPerHost =
      configuration.maximumConnectionsPerHost ?? configuration.maximumConnections
    strict.httpAdditionalHeaders = [
      "User-Agent": configuration.userAgent, "Accept-Encoding": "identity",
    ]
    #if !canImport(FoundationNetworking)
      strict.waitsForConnectivity = false
      strict.tlsMinimumSupportedProtocolVersion = .TLSv12
    #endif
    return strict
  }
}

extension HTTPError {
  static func cancelled(mayHaveBeenApplied: Bool) -> HTTPError {
    HTTPError(.cancelled, "the request was cancelled", mayHaveBeenApplied: mayHaveBeenApplied)
  }

  static func timedOut(_ host: String, mayHaveBeenApplied: Bool) -> HTTPError {
    HTTPError(
      .timedOut, "\(host) did not answer in time", mayHaveBeenApplied: mayHaveBeenApplied)
  }
}
