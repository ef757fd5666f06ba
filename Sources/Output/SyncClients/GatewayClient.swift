import HTTPClient
package import HealthExports
import HealthLedger
public import HealthModel
import ObjectStore
public import Secrets
import URLSessionTransport

/// A Prometheus Pushgateway: gets today's totals and the last known values of the other metrics, in
/// Prometheus's text format (R57).
///
/// A push replaces what was pushed before. What is gone since, such as the totals of yesterday, is
/// taken away, so nobody reads it as today's. A file remembers what was pushed and the last values, so
/// that a value is still there when no new one came. One push happens at a time.
///
/// ```swift
/// func tellGrafana(_ days: [DailyRevision], today: CalendarDate) async throws {
///   let gateway = try GatewayClient(
///     "https://gateway.example:9091", instance: "iphone", file: "/var/mobile/push.json")
///   let samples = try await gateway.push(days, today: today)
///   print(samples, "samples are in the gateway")
/// }
/// ```
public actor GatewayClient {
  /// What a gateway asks for. Its description shows nothing of it.
  public enum Login: Hashable, Sendable {
    /// HTTP basic authentication.
    case password(user: String, Secret)
    /// A bearer token.
    case token(Secret)
  }

  private let address: GatewayAddress
  private let credentials: GatewayCredentials?
  private let file: String
  private let transport = URLSessionTransport()
  private let timeout: Duration
  private var isBusy = false
  private var waiting: [CheckedContinuation<Void, Never>] = []

  /// - Parameters:
  ///   - url: `https://host:9091`, with a path where the gateway has one.
  ///   - job: the group's job.
  ///   - instance: the group's instance, such as the device's name.
  ///   - login: nil where the gateway asks for none.
  ///   - file: where what was pushed is remembered; its folder is there.
  ///   - allowsPlaintext: whether the person lets others on the way read what is pushed. Otherwise plain
  ///     http is taken for this machine alone.
  ///   - timeout: of one request, connecting included.
  /// - Throws: `ClientError` `invalid`.
  public init(
    _ url: String, job: String = "my_health_data", instance: String, login: Login? = nil,
    file: String, allowsPlaintext: Bool = false, timeout: Duration = .seconds(20)
  ) throws(ClientError) {
    do throws(InvalidText) {
      address = try GatewayAddress(url, job: job, instance: instance)
    } catch {
      throw ClientError(.invalid, error.message)
    }
    let target: RequestTarget
    do throws(HTTPError) {
      target = try RequestTarget(address.group)
    } catch {
      throw ClientError(.invalid, error.message)
    }
    guard target.isTLS || target.isLoopback || allowsPlaintext else {
      throw ClientError(
        .invalid,
        "\(target.host) would get the data over plain http; use https, or allow plain http for it")
    }
    switch login {
    case nil: credentials = nil
    case .password(let user, let password)?:
      credentials = GatewayCredentials(user: user, password: password.revealed)
    case .token(let token)?: credentials = GatewayCredentials(token: token.revealed)
    }
    guard login == nil || credentials != nil else {
      throw ClientError(.invalid, "no header can hold the user and password, or the token")
    }
    (self.file, self.timeout) = (file, timeout)
  }

  /// Pushes what some days say. Tried once: what matters later is what is known then.
  ///
  /// - Parameters:
  ///   - days: the newest revisions of the last days, such as a week; of today's, the totals are
  ///     pushed.
  ///   - today: the date in the person's zone.
  /// - Returns: how many samples the gateway took; 0 if there was nothing to push.
  /// - Throws: `ClientError`. What was pushed before is still there.
  public func push(_ days: [DailyRevision], today: CalendarDate) async throws(ClientError) -> Int {
    try await push(days, today: today, details: [], selection: .all)
  }

  /// The same with what the samples of days say beyond their numbers, and of chosen metrics alone.
  ///
  /// - Parameters:
  ///   - details: of today, for each source's totals, the current heart rate and workouts; and of the
  ///     days before, for the newest samples of days that have changed.
  ///   - selection: what is pushed.
  package func push(
    _ days: [DailyRevision], today: CalendarDate, details: [PushedDetail],
    selection: PushSelection
  ) async throws(ClientError) -> Int {
    await begin()
    defer { end() }
    let now = Timestamp.now.secondsSince1970
    var memory = remembered()
    var kept = memory.stores[Self.name] ?? PushMemory.Kept()
    let days = days.map(PushedDay.init)
    // Only the last days are given: what was given of the days before them is still the newest.
    var stored = NewestValues(days)
    stored.remember(kept.gauges ?? [:], besides: days)
    let toRead = stored.daysToRead(today)
    let known: [PushedDetail] = toRead.compactMap { day in
      let date = "\(day.date)"
      guard var given = details.first(where: { $0.date == date }) else {
        return kept.details?.first { $0.date == date && $0.generatedAt == day.generatedAt }
      }
      given.generatedAt = day.generatedAt
      return given
    }
    for detail in known + details { stored.name(by: detail) }
    (kept.gauges, kept.details, kept.usedAt) = (stored.gauges, known, now)
    let values = PushedValues(at: now, today: today, stored, known, selection: selection)
    var record = memory.record(of: address) ?? PushRecord(address, at: now)
    guard !values.families.isEmpty || !record.families.isEmpty else { return 0 }
    let failure = await send(
      PushRequest.push(
        values.body, to: address,
        by: PushRequest.Method(pushing: values.names, after: record, replaces: false),
        as: credentials, timeout: timeout))
    record.take(failure, of: values, at: now)
    memory.keep(record, of: address)
    memory.keep(kept, ofStore: Self.name)
    try remember(memory)
    if let failure { throw ClientError(failure) }
    return values.sampleCount
  }

  /// Takes away all that was pushed to the group.
  ///
  /// - Throws: `ClientError`.
  public func clear() async throws(ClientError) {
    await begin()
    defer { end() }
    try await ask(PushRequest.delete(address, as: credentials, timeout: timeout))
  }

  /// Pushes one number, which reveals nothing about the person, under the instance of a test, and takes it
  /// away again.
  ///
  /// - Throws: `ClientError`, with what the gateway or the network said.
  public func test() async throws(ClientError) {
    let place = address.forTest
    try await ask(
      PushRequest.push(
        PushRequest.testBody, to: place, by: .replace, as: credentials, timeout: timeout))
    try await ask(PushRequest.delete(place, as: credentials, timeout: timeout))
  }

  /// Waits until nobody else pushes: an actor lets others in while it waits for an answer.
  private func begin() async {
    guard isBusy else {
      isBusy = true
      return
    }
    await withCheckedContinuation { waiting.append($0) }
  }

  /// Lets the next one in.
  private func end() {
    if waiting.isEmpty { isBusy = false } else { waiting.removeFirst().resume() }
  }

  private func ask(_ request: HTTPRequest) async throws(ClientError) {
    if let failure = await send(request) { throw ClientError(failure) }
  }

  private func send(_ request: HTTPRequest) async -> PushFailure? {
    do throws(HTTPError) {
      return PushFailure(try await transport.send(request), hasCredentials: credentials != nil)
    } catch {
      return PushFailure(error, isPlain: request.url.hasPrefix("http:"))
    }
  }

  // MARK: - The file

  private static let name = "app"

  /// Without the file, or with a damaged one, a push replaces the group.
  private func remembered() -> PushMemory {
    guard let bytes = try? SmallFile.read(file, maximumBytes: PushMemory.maximumBytes) else {
      return PushMemory()
    }
    return (try? PushMemory(parsing: bytes)) ?? PushMemory()
  }

  private func remember(_ memory: PushMemory) throws(ClientError) {
    do {
      try SmallFile.replace(file, with: memory.bytes())
    } catch {
      let reason = (error as? SystemFailure)?.reason ?? "a number is not finite"
      throw ClientError(.invalid, "what was pushed can't be remembered: \(reason)")
    }
  }
}

extension ClientError {
  init(_ failure: PushFailure) {
    let code: Code =
      switch failure.kind {
      case .offline, .timeout: .unreachable
      case .server: .server
      case .redirected, .untrusted: .notAServer
      case .refused: .refused
      case .unauthorized: .unauthorized
      }
    self.init(code, failure.message)
  }
}
