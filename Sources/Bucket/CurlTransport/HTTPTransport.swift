package import HTTPClient

/// HTTP over libcurl's multi interface: one thread, pooled handles, reused connections.
///
/// The thread and libcurl start with the first request. Names are resolved and certificates
/// verified as curl does. Proxies are used (`http_proxy`, `https_proxy`, `ALL_PROXY`, `NO_PROXY`),
/// but never for loopback. HTTP/2 is used if TLS negotiates it.
package final class HTTPTransport: Sendable {
  package struct Configuration: Sendable {
    /// PEM file that replaces the system's certificate authorities.
    package var caBundle: String?
    /// The most connections. Further requests wait, within their own timeout.
    package var maximumConnections = 64
    /// The most connections to one host; nil for no limit except `maximumConnections`.
    package var maximumConnectionsPerHost: Int?
    /// `User-Agent`.
    package var userAgent = "s3health"
    /// A transfer slower than `stallBytesPerSecond` for this long (in whole seconds) times out.
    package var stallTimeout: Duration = .seconds(30)
    package var stallBytesPerSecond = 16
    package init() {}
  }

  private let loop: TransferLoop

  /// Runs tasks on the transport's own thread, between transfers. An answer then wakes no other
  /// thread, which halves the cost of a small request. Not for work that blocks.
  package let executor: any TaskExecutor

  package init(_ configuration: Configuration = Configuration()) {
    loop = TransferLoop(configuration)
    executor = TransferExecutor(loop: loop)
  }

  deinit { loop.stop() }

  /// Sends one request and returns the complete response, whatever its status.
  ///
  /// Cancelling the task closes the connection and throws `.cancelled`.
  package func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
    let transfer = try Transfer(request)
    let outcome = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        transfer.continuation = continuation
        loop.submit(transfer)
      }
    } onCancel: {
      loop.cancel(transfer)
    }
    return try outcome.get()
  }

  /// Ends the thread and closes all connections. Running and later requests fail with `.cancelled`.
  /// Returns when the thread has ended. May be called again.
  package func shutdown() { loop.stop() }
}

/// Runs the steps of tasks on a loop's thread (`HTTPTransport.executor`).
final class TransferExecutor: TaskExecutor {
  private let loop: TransferLoop

  init(loop: TransferLoop) { self.loop = loop }

  func enqueue(_ job: consuming ExecutorJob) {
    loop.enqueue(UnownedJob(job), for: asUnownedTaskExecutor())
  }
}
