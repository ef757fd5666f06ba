import Digests
import HTTPClient
import Logging
import ObjectStore
import SigV4
import Synchronization

/// Sends signed requests to one bucket: the thin shell around `Exchange`.
final class S3Client: Sendable {
  let configuration: S3Configuration
  let clock: ServerClock
  let policy: RetryPolicy
  let credentials: any CredentialsProvider
  let budget: RetryBudget
  let proofs: DemandedProofs
  let habit: ConnectionHabit
  private let transport: any HTTPTransport
  private let pace: RetryPace
  private let localNow: @Sendable () -> Int
  let logger: Logger
  private let state: Mutex<State>

  /// What the client has learned from answers.
  private struct State {
    /// From redirects.
    var location: BucketLocation
    var signer: SigV4Signer
  }

  init(
    _ configuration: S3Configuration, credentials: any CredentialsProvider,
    transport: any HTTPTransport, policy: RetryPolicy, logger: Logger, pace: RetryPace,
    localNow: @escaping @Sendable () -> Int
  ) {
    self.configuration = configuration
    self.credentials = credentials
    self.transport = transport
    self.policy = policy
    self.logger = logger
    self.localNow = localNow
    self.pace = pace
    (budget, proofs, habit) = (RetryBudget(), DemandedProofs(), ConnectionHabit())
    clock = ServerClock(localNow: localNow)
    let location = BucketLocation(configuration)
    state = Mutex(State(location: location, signer: SigV4Signer(region: location.region)))
  }

  /// The same client with its own connections. It has learned what this one has.
  func separate() -> S3Client {
    S3Client(self, transport: transport.separate())
  }

  private init(_ other: S3Client, transport: any HTTPTransport) {
    (configuration, credentials) = (other.configuration, other.credentials)
    (policy, logger, localNow) = (other.policy, other.logger, other.localNow)
    (clock, budget, pace) = (other.clock, other.budget, other.pace)
    (proofs, habit) = (other.proofs, other.habit)
    self.transport = transport
    let learned = other.state.withLock { $0 }
    state = Mutex(learned)
  }

  /// Where requests are sent now.
  var location: BucketLocation { state.withLock(\.location) }

  /// The proxy for the requests; nil if there is none.
  var proxy: HTTPProxy? { transport.proxy(for: location.url(key: nil)) }

  /// Sends a request until it is answered or the policy says to stop.
  ///
  /// Throws only if nothing was applied: there are no credentials, or the task was cancelled while
  /// waiting.
  func perform(
    _ wanted: S3Request, policy: RetryPolicy? = nil
  ) async throws(StoreError) -> S3Answer {
    let policy = policy ?? self.policy
    var request = wanted.proving(proofs.all)
    let began = ContinuousClock.now
    var exchange = Exchange(
      request.kind, policy: policy, region: location.region, proofs: request.proofs)
    var refusal: S3Answer?
    while true {
      let location = location
      let resolved = try await resolvedCredentials(request, location)
      let (sent, correction) = (ContinuousClock.now, clock.correction)
      let left = policy.deadline - (sent - began)
      let result = await send(
        request, to: location, credentials: resolved.signing, timeout: left)
      let next = exchange.next(
        result, elapsed: ContinuousClock.now - began, random: .random(in: 0..<1),
        isSkewed: clock.isSkewed(signedWith: correction),
        isServerKnown: budget.hasAnswered || pace.hasAnsweredBefore())
      note(result)
      habit.note(result)
      log(request, result, attempt: exchange.attempts, took: ContinuousClock.now - sent, next)
      let context = ErrorContext(
        verb: request.verb, key: request.key, location: location, clockOffset: clock.offset,
        credentialsSource: resolved.source,
        listedPrefix: request.query.first { $0.name == "prefix" }?.value,
        asksForEncryption: request.headers.contains { $0.name.hasPrefix(Self.encryption) },
        transport: transport)
      let answer = S3Answer(result: result, context: context, kind: request.kind)
      guard case .again(let delay, let adjustment) = next,
        adjustment != .nothing || budget.takes(at: .now)
      else {
        let waited = ContinuousClock.now - sent
        if request.kind == .once, result.isTransientFailure, budget.tells(of: waited, at: .now) {
          pace.tell(
            "\(result.words(location.host)): a write has waited \(waited.components.seconds) s")
        }
        let isCut = left < configuration.requestTimeout && answer.isTimedOutRead
        return isCut ? refusal ?? answer : answer
      }
      if case .refused = result { refusal = answer }
      switch adjustment {
      case .nothing: break
      case .clock: clock.adoptObserved()
      case .credentials: await credentials.invalidate(resolved)
      case .region(let region): guard move(to: region, from: location) else { return answer }
      case .proof(let proof):
        proofs.add(proof)
        request = wanted.proving(proofs.all)
      }
      // What is sent again was certainly not applied, or only reads.
      try await rest(delay, request, because: result.words(location.host))
    }
  }

  /// Waits before a probe sends its write again. Returns false if it must not be.
  func waits(
    _ request: S3Request, afterAttempt attempt: Int, since began: ContinuousClock.Instant
  ) async throws(StoreError) -> Bool {
    let now = ContinuousClock.now
    guard
      let delay = policy.delay(
        afterAttempt: attempt, elapsed: now - began, random: .random(in: 0..<1)),
      budget.takes(at: now)
    else { return false }
    try await rest(delay, request, because: "\(location.host) gives no clear answer")
    return true
  }

  private func rest(
    _ delay: Duration, _ request: S3Request, because reason: String
  ) async throws(StoreError) {
    guard delay > .zero else { return }
    if budget.tells(of: delay, at: .now) {
      pace.tell("\(reason); trying again in \(max(1, delay.components.seconds)) s")
    }
    do { try await pace.sleep(delay) } catch {
      throw StoreError(.cancelled, "\(request.verb) was cancelled", key: request.key)
    }
  }

  /// Lets the common budget know how the server does.
  private func note(_ result: SendResult) {
    if result.isTransientFailure {
      if case .refused = result {
        budget.failed(at: .now, hasAnswered: true)
      } else {
        budget.failed(at: .now, hasAnswered: false)
      }
    } else if case .broken = result {
      // Cancelled: this is not the server's failure.
    } else {
      budget.answered()
    }
  }

  private func resolvedCredentials(
    _ request: S3Request, _ location: BucketLocation
  ) async throws(StoreError) -> ResolvedCredentials {
    do {
      return try await credentials.credentials()
    } catch {
      throw StoreError(
        error.code == .cancelled ? .cancelled : .notAuthorized,
        "\(request.verb) needs credentials: \(error.message)", key: request.key,
        remedy: error.remedy)
    }
  }

  /// Whether a request without a signature succeeds. It is sent once.
  func isAllowed(toAnyone request: S3Request) async -> Bool {
    let timeout = min(configuration.requestTimeout, .seconds(10))
    let result = await send(request, to: location, credentials: nil, timeout: timeout)
    if case .success = result { return true }
    return false
  }

  /// - Parameter credentials: nil to send the request without a signature.
  private func send(
    _ request: S3Request, to location: BucketLocation, credentials: SigningCredentials?,
    timeout: Duration
  ) async -> SendResult {
    var added: [(name: String, value: String)] = []
    if let credentials {
      let signing = SigningRequest(
        method: request.method.rawValue, path: location.path(key: request.key),
        query: request.query, headers: [("host", location.host)] + request.headers,
        payloadHash: request.body.isEmpty ? Self.emptyHash : SHA256.hex(request.body))
      added = signer(for: location.region).sign(
        signing, credentials: credentials, secondsSince1970: clock.signingTime())
    }
    var http = HTTPRequest(
      request.method, location.url(key: request.key, query: request.query),
      headers: (request.headers + added).map { HTTPField($0.name, $0.value) },
      body: request.body, connectTimeout: configuration.connectTimeout,
      maximumResponseBytes: request.maximumResponseBytes,
      sendsAtMostOnce: request.kind == .once)
    http.gate = request.gate
    http.closesConnection = request.closesConnection || habit.closesConnections
    http.timeout = max(
      .milliseconds(1), min(configuration.requestTimeout, timeout))
    let response: HTTPResponse
    do {
      response = try await transport.send(http)
    } catch {
      return .broken(error)
    }
    clock.observe(date: response.header("date"), age: response.header("age"))
    let holdsError = request.method != .get || request.key == nil
    if (200..<300).contains(response.status), !(holdsError && response.body.holdsError) {
      return .success(response)
    }
    let secrets =
      [credentials?.secretAccessKey, credentials?.sessionToken].compactMap { $0?.revealed }
    return .refused(S3Failure(response, hiding: secrets + signatures(added)))
  }

  private func signatures(_ headers: [(name: String, value: String)]) -> [String] {
    headers.filter { $0.name.lowercased() == "authorization" }
      .compactMap { $0.value.split(separator: "Signature=").last.map(String.init) }
  }

  private func signer(for region: String) -> SigV4Signer {
    state.withLock { state in
      if state.signer.region != region { state.signer = SigV4Signer(region: region) }
      return state.signer
    }
  }

  /// Remembers the bucket's region for this and all further requests. Returns false if that region
  /// can't be used.
  private func move(to region: String, from location: BucketLocation) -> Bool {
    guard let moved = location.moved(to: region) else { return false }
    state.withLock { $0.location = moved }
    logger.notice(
      "the bucket is in another region; naming that in the settings saves a request",
      metadata: ["bucket": "\(moved.bucket)", "region": "\(region)"])
    return true
  }

  private static let encryption = "x-amz-server-side-encryption"
  private static let emptyHash = SHA256.hex([])
}

extension [UInt8] {
  /// A 200 can contain an error, because S3 begins to answer some writes before it knows their
  /// result.
  fileprivate var holdsError: Bool {
    // A listing is not searched for it completely: the element of an error is at the beginning.
    guard !isEmpty, prefix(1024).holdsErrorTag, count < 65_536 else { return false }
    return (try? XMLReader.read(self))?.name == "Error"
  }
}

extension ArraySlice<UInt8> {
  fileprivate var holdsErrorTag: Bool {
    var rest = self
    while let start = rest.firstIndex(of: UInt8(ascii: "<")) {
      rest = rest[start...]
      if rest.starts(with: "<Error".utf8) { return true }
      rest = rest.dropFirst()
    }
    return false
  }
}

/// Whether connections are kept for further requests.
///
/// Some servers handle one connection at a time, and wait on one that was kept open before they look
/// at the next. A request over another one then gets no answer at all. From the first such request on,
/// no connection is kept: slower, but every request gets its turn. All clients of one store share it.
final class ConnectionHabit: Sendable {
  private let state = Mutex(false)

  /// True once a request got no answer in time.
  var closesConnections: Bool { state.withLock { $0 } }

  func note(_ result: SendResult) {
    guard case .broken(let error) = result, error.code == .timedOut else { return }
    state.withLock { $0 = true }
  }
}

/// The store's clock, taken from its `Date` headers.
///
/// An observation is reported immediately. Signing changes only after the server has refused a
/// request, so that a proxy with a wrong `Date` can't break a working connection.
final class ServerClock: Sendable {
  private struct State {
    var observed: Int?
    var signing = 0
    /// The last header and its time: it changes only once a second.
    var lastDate: (header: String, seconds: Int?) = ("", nil)
  }

  private let state = Mutex(State())
  private let localNow: @Sendable () -> Int

  /// - Parameter localNow: this machine's clock, in seconds since 1970.
  init(localNow: @escaping @Sendable () -> Int) { self.localNow = localNow }

  /// Differences below this are accepted by every server (15 minutes), and may be noise.
  static let tolerance = 300

  /// The time for signing, in seconds since 1970.
  func signingTime() -> Int { localNow() + state.withLock(\.signing) }

  /// How far the store's clock was ahead of this machine's at the last observation, in seconds.
  var offset: Int? { state.withLock(\.observed) }

  /// Learns from a response. Ignores a missing or implausible `Date`, and one from a cache.
  func observe(date: String?, age: String?) {
    guard let date, age == nil || age == "0" else { return }
    let now = localNow()
    state.withLock { state in
      if state.lastDate.header != date { state.lastDate = (date, ServerTime.http(date)) }
      guard let seconds = state.lastDate.seconds, Self.plausible.contains(seconds) else { return }
      state.observed = seconds - now
    }
  }

  /// What is added to this machine's clock for signing, in seconds.
  var correction: Int { state.withLock(\.signing) }

  /// The last observation differs too much from the correction that a request was signed with.
  ///
  /// That is the request's own: another one may have adopted the observation since.
  func isSkewed(signedWith correction: Int) -> Bool {
    offset.map { abs($0 - correction) > Self.tolerance } ?? false
  }

  /// Uses the last observation for signing.
  func adoptObserved() {
    state.withLock { $0.signing = $0.observed ?? $0.signing }
  }

  /// 2020 to 2100. A server that reports another year has no usable clock.
  private static let plausible = 1_577_836_800..<4_102_444_800
}
