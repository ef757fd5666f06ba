import Dispatch
import Foundation
import HTTPClient
import Synchronization

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// One request under way: what the session's callbacks write.
final class Exchange: Sendable {
  typealias Outcome = Result<HTTPResponse, HTTPError>

  private struct State {
    var continuation: CheckedContinuation<Outcome, Never>?
    var task: URLSessionTask?
    var head: (status: Int, fields: HeaderFields)?
    var body: [UInt8] = []
    /// The length of the body that the head declares.
    var declared: Int?
    /// Why the exchange was ended before its time.
    var verdict: HTTPError?
  }

  /// The queue on which tasks are cancelled. On Linux, Foundation's `cancel` waits until reading pauses.
  /// On the callback queue that can take seconds, while a server that keeps sending fills the memory.
  private static let cancelling = DispatchQueue(label: "s3health.URLSessionTransport.cancel")

  private let request: HTTPRequest
  private let host: String
  private let deadline: ContinuousClock.Instant
  private let state = Mutex(State())

  init(_ request: HTTPRequest, host: String) {
    (self.request, self.host) = (request, host)
    deadline = .now + min(request.timeout, .seconds(1_000_000))
  }

  /// Waits at the request's gate, if it has one, for the requests that it is to meet.
  func meetOthers() async throws(HTTPError) {
    guard let gate = request.gate, gate.arrive(.now) else { return }
    while !gate.opens(at: .now) {
      do {
        guard .now < deadline else {
          throw HTTPError.timedOut(host, mayHaveBeenApplied: false)
        }
        try await Task.sleep(for: .milliseconds(1))
      } catch {
        gate.leave(hasArrived: true)
        throw (error as? HTTPError) ?? .cancelled(mayHaveBeenApplied: false)
      }
    }
  }

  /// Starts the task and its deadline. The queue ends the task at the deadline.
  func begin(
    _ task: URLSessionTask, _ continuation: CheckedContinuation<Outcome, Never>,
    deadlineOn queue: DispatchQueue
  ) {
    let isStopped = state.withLock { state in
      (state.task, state.continuation) = (task, continuation)
      return state.verdict != nil
    }
    guard !isStopped else {
      task.cancel()
      return finish(.failure(.cancelled(mayHaveBeenApplied: false)))
    }
    task.resume()
    let left = max(.zero, deadline - .now) / .nanoseconds(1)
    queue.asyncAfter(deadline: .now() + .nanoseconds(Int(left))) { [weak self] in
      guard let self else { return }
      stop(.timedOut(host, mayHaveBeenApplied: true))
    }
  }

  /// Ends the exchange with an error. It closes the connection.
  func stop(_ verdict: HTTPError) {
    let task = state.withLock { state -> URLSessionTask? in
      guard state.verdict == nil else { return nil }
      state.verdict = verdict
      return state.task
    }
    guard let task else { return }
    // The verdict comes first: a cancelled task ends with an error that says only "cancelled".
    finish(.failure(verdict))
    Self.cancelling.async { task.cancel() }
  }

  /// The head of a response; another one if the last was of an interim response.
  func received(_ response: URLResponse) {
    guard let response = response as? HTTPURLResponse else {
      return stop(HTTPError(.malformedResponse, "the answer is not HTTP", mayHaveBeenApplied: true))
    }
    if response.statusCode >= 200 { request.gate?.answered() }
    let hasBody =
      request.method != .head && response.statusCode != 204 && response.statusCode != 304
    let fields = response.allHeaderFields.compactMap { name, value -> HTTPField? in
      guard let name = name as? String, let value = value as? String else { return nil }
      return HTTPField(name, value)
    }
    let head = HeaderFields(fields)
    let length = hasBody ? head.contentLength : nil
    if let length, length > request.maximumResponseBytes { return tooLarge() }
    state.withLock { state in
      state.head = (response.statusCode, head)
      // What was decoded has another length.
      state.declared = head["Content-Encoding"] == nil ? length : nil
    }
  }

  /// A piece of the response's body.
  func received(_ data: Data) {
    let fits = state.withLock { state in
      guard data.count <= request.maximumResponseBytes - state.body.count else { return false }
      state.body.append(contentsOf: data)
      return true
    }
    if !fits { tooLarge() }
  }

  /// Bytes of the request's body have left.
  func sentBody() { request.gate?.bodyLeaves() }

  /// The task has ended.
  func ended(_ task: URLSessionTask, _ error: (any Error)?) {
    request.gate?.answered()
    if let error {
      return finish(.failure(HTTPError(error, host: host, hasSent: task.countOfBytesSent > 0)))
    }
    // A redirect that is not followed has no callback for its head.
    if state.withLock({ $0.head == nil }), let response = task.response { received(response) }
    let (head, body, length) = state.withLock { ($0.head, $0.body, $0.declared) }
    // Foundation on Linux loses the body of a redirect that names no place, as S3's are.
    let isLost = HTTPError.isOnLinux && body.isEmpty && 300..<400 ~= (head?.status ?? 0)
    let declared = isLost ? nil : length
    guard let head, head.status >= 200, declared == nil || declared == body.count else {
      let broken = HTTPError(
        .connectionLost, "\(host) closed the connection without a complete answer",
        mayHaveBeenApplied: true
      )
      return finish(.failure(broken))
    }
    finish(.success(HTTPResponse(status: head.status, fields: head.fields, body: body)))
  }

  private func tooLarge() {
    stop(
      HTTPError(
        .responseTooLarge, "the response exceeds \(request.maximumResponseBytes) bytes",
        mayHaveBeenApplied: true))
  }

  /// Resumes the sender, once.
  private func finish(_ outcome: Outcome) {
    let continuation = state.withLock { state in
      state.task = nil
      return state.continuation.take()
    }
    continuation?.resume(returning: outcome)
  }
}

extension HTTPError {
  #if canImport(FoundationNetworking)
    fileprivate static let isOnLinux = true
  #else
    fileprivate static let isOnLinux = false
  #endif

  /// The meaning of an error of `URLSession`. Its text may name the URL, so it is not shown.
  fileprivate init(_ error: any Error, host: String, hasSent: Bool) {
    let error = error as NSError
    let (code, words): (HTTPError.Code, String) =
      switch URLError.Code(rawValue: error.code) {
      case .cannotFindHost, .dnsLookupFailed:
        (.couldNotResolve, "the host name \(host) could not be resolved")
      case .cannotConnectToHost, .notConnectedToInternet, .internationalRoamingOff,
        .callIsActive, .dataNotAllowed:
        (.couldNotConnect, "no connection to \(host)")
      case .serverCertificateNotYetValid:
        (.tlsFailed, "no secure connection to \(host): its certificate is not yet valid")
      case .serverCertificateHasBadDate:
        (.tlsFailed, "no secure connection to \(host): its certificate has expired")
      case .secureConnectionFailed, .serverCertificateUntrusted, .serverCertificateHasUnknownRoot,
        .clientCertificateRejected, .clientCertificateRequired:
        (.tlsFailed, "no secure connection to \(host): its certificate or protocol is not trusted")
      case .timedOut: (.timedOut, "\(host) did not answer in time")
      case .cancelled: (.cancelled, "the request was cancelled")
      // The URL was found good before: Foundation on Linux says so of an answer that is not HTTP.
      case .badURL, .unsupportedURL, .cannotParseResponse, .cannotDecodeContentData,
        .cannotDecodeRawData:
        (.malformedResponse, "\(host) did not answer in HTTP")
      // On Linux, of a connection that was closed without an answer.
      case .badServerResponse where Self.isOnLinux:
        (.connectionLost, "\(host) closed the connection without an answer")
      case .badServerResponse:
        (.malformedResponse, "\(host) did not answer in HTTP")
      case .dataLengthExceedsMaximum: (.responseTooLarge, "the response is too large")
      // Foundation on Linux has one code for all else, with libcurl's words.
      case .unknown where error.localizedDescription.saysTLS && !hasSent:
        (.tlsFailed, "no secure connection to \(host): its certificate or protocol is not trusted")
      default: (.connectionLost, "the connection to \(host) broke (\(error.code))")
      }
    let isCertain = [.couldNotResolve, .couldNotConnect, .tlsFailed].contains(code)
    self.init(code, words, mayHaveBeenApplied: hasSent || !isCertain)
  }
}

extension String {
  fileprivate var saysTLS: Bool {
    ["SSL", "TLS", "certificate"].contains { firstRange(of: $0) != nil }
  }
}
