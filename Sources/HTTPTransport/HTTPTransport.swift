package import HTTPMessage

/// HTTP on libcurl's multi interface: one owned thread, pooled handles, reused connections.
///
/// The thread and libcurl start with the first request. Names are resolved, proxies honoured
/// (`http_proxy`, `https_proxy`, `ALL_PROXY`, `NO_PROXY`; never for loopback) and certificates
/// verified as curl does it; HTTP/2 is spoken where TLS offers it.
package final class HTTPTransport: Sendable {
  package struct Configuration: Sendable {
    /// PEM file that replaces the system's certificate authorities.
    package var caBundle: String?
    /// Most connections in all; requests beyond them wait, within their own timeout.
    package var maximumConnections = 64
    /// Most connections to one host; nil for no bound but `maximumConnections`.
    package var maximumConnectionsPerHost: Int?
    /// `User-Agent`.
    package var userAgent = "s3health"
    /// A transfer slower than `stallBytesPerSecond` for so long (whole seconds) has timed out.
    package var stallTimeout: Duration = .seconds(30)
    package var stallBytesPerSecond = 16
    package init() {}
  }

  private let loop: TransferLoop

  /// Runs tasks on the transport's own thread, between transfers: an answer then wakes no other
  /// thread, which halves what a small request costs. Not for work that blocks.
  package let executor: any TaskExecutor

  package init(_ configuration: Configuration = Configuration()) {
    loop = TransferLoop(configuration)
    executor = TransferExecutor(loop: loop)
  }

  deinit { loop.stop() }

  /// Sends one request and gives the complete response, whatever its status.
  ///
  /// Cancelling the task closes the connection and gives `.cancelled`.
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

  /// Ends the thread and closes all connections; requests under way and later ones fail with
  /// `.cancelled`. Returns when the thread has ended. May be called again.
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
