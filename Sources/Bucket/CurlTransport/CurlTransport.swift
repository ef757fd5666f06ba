package import HTTPClient

/// HTTP over libcurl's multi interface: one thread, pooled handles, reused connections.
///
/// The thread and libcurl start with the first request. Names are resolved and certificates
/// verified as curl does. Proxies are used (`http_proxy`, `https_proxy`, `ALL_PROXY`, `NO_PROXY`),
/// but never for loopback. HTTP/2 is used if TLS negotiates it.
package final class CurlTransport: HTTPTransport {
  package typealias Configuration = TransportConfiguration

  private let configuration: Configuration
  private let loop: TransferLoop

  /// Runs tasks on the transport's own thread, between transfers. An answer then wakes no other
  /// thread, which halves the cost of a small request. Not for work that blocks.
  package let executor: any TaskExecutor

  package init(_ configuration: Configuration = Configuration()) {
    self.configuration = configuration
    loop = TransferLoop(configuration)
    executor = TransferExecutor(loop: loop)
  }

  deinit { loop.stop() }

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

  package func separate() -> any HTTPTransport { CurlTransport(configuration) }

  package func proxy(for url: String) -> HTTPProxy? { HTTPProxy.chosen(for: url) }

  /// Ends the thread and closes all connections. Running and later requests fail with `.cancelled`.
  /// Returns when the thread has ended. May be called again.
  package func shutdown() { loop.stop() }
}

/// Runs the steps of tasks on a loop's thread (`CurlTransport.executor`).
final class TransferExecutor: TaskExecutor {
  private let loop: TransferLoop

  init(loop: TransferLoop) { self.loop = loop }

  func enqueue(_ job: consuming ExecutorJob) {
    loop.enqueue(UnownedJob(job), for: asUnownedTaskExecutor())
  }
}

/// Messages to the loop's thread, and its state. The loop's mutex guards it.
struct Inbox {
  enum Message {
    case submit(Transfer)
    case cancel(Transfer)
    /// A step of a task that runs on the loop's thread.
    case job(UnownedJob, UnownedTaskExecutor)
  }

  enum Phase {
    /// There was no request yet, so there is no thread.
    case fresh
    case running
    case stopping
    case stopped
  }

  var phase = Phase.fresh
  var messages: [Message] = []
  /// The thread is waiting or about to wait, so the next message must wake it.
  var isAsleep = false

  /// Adds a message. Returns true if the thread must be woken.
  mutating func post(_ message: Message) -> Bool {
    messages.append(message)
    return wakes()
  }

  /// Asks the thread to end. Returns true if it must be woken.
  mutating func stop() -> Bool {
    switch phase {
    case .fresh: phase = .stopped
    case .running: phase = .stopping
    case .stopping, .stopped: break
    }
    return wakes()
  }

  /// All messages since the last call.
  mutating func take() -> [Message] {
    wakeUp()
    defer { messages.removeAll() }
    return messages
  }

  /// True if there is nothing to do, so that the thread may wait.
  mutating func fallAsleep() -> Bool {
    isAsleep = messages.isEmpty && phase == .running
    return isAsleep
  }

  /// The thread has stopped waiting.
  mutating func wakeUp() { isAsleep = false }

  private mutating func wakes() -> Bool {
    defer { isAsleep = false }
    return isAsleep
  }
}
