package import ArgumentParser
import CurlTransport
import HTTPClient
import HealthExports
package import HealthLedger
import HealthModel
package import StreamDays

/// Pushes once or again and again, and reports each push (R57).
package struct PushRun: Sendable {
  package let reader: PushReader
  let addresses: [GatewayAddress]
  let credentials: GatewayCredentials?
  let transport: any HTTPTransport
  let timeout: Duration
  /// Whether each push replaces the group (PUT).
  let replaces: Bool
  let file: PushFile
  let recorder: EventRecorder
  let output: Output
  package var news = StoreNews.none
  /// Waits between attempts and pushes; another one in tests. Returns early if it is cancelled.
  let sleep: @Sendable (Duration) async -> Void

  /// Where the result of each push is reported, besides the log.
  package enum Output: Sendable {
    case report(OutputFormat)
    /// On stderr, where it fails as the one before did not, or works again.
    case changes
  }

  /// Seconds of one request.
  package static let usualTimeout = 30

  /// One push.
  ///
  /// - Parameter limit: attempts end by then, so that a gateway that hangs does not hold up the next
  ///   push to the others; nil for no limit but their number.
  package func once(within limit: Duration? = nil) async throws(LedgerError) -> ExitCode {
    let report = await push(within: limit)
    if !report.pushes.isEmpty {
      switch output {
      case .report(let format): try report.print(format)
      case .changes: report.remarkChanges()
      }
    }
    if let error = report.error { throw error }
    return report.exitCode
  }

  /// Pushes until the task is cancelled, at the interval and when there is news. The start of a push,
  /// not its end, determines the next.
  ///
  /// - Parameter limit: seconds after which the attempts of one push end; nil for the interval.
  package func loop(
    every interval: Int, within limit: Int? = nil
  ) async throws(LedgerError) -> ExitCode {
    await recorder.service(.push, hasStarted: true, at: reader.now(), "pushes started")
    var result = Result<ExitCode, LedgerError>.success(.success)
    while !Task.isCancelled {
      let start = ContinuousClock.now
      let known = await news.newest()
      do throws(LedgerError) { _ = try await once(within: .seconds(limit ?? interval)) } catch {
        guard error.code != .invalidArguments else {
          result = .failure(error)
          break
        }
        StandardStreams.say(error)
      }
      let wait = Duration.seconds(interval) - (ContinuousClock.now - start)
      if !Task.isCancelled, wait > .zero {
        await withTaskGroup { group in
          group.addTask { await sleep(wait) }
          group.addTask { await news.wait(known) }
          await group.next()
          group.cancelAll()
        }
      }
    }
    // A task that was cancelled could run no command to notify the person.
    let (recorder, now) = (recorder, reader.now)
    await Task.detached {
      await recorder.service(.push, hasStarted: false, at: now(), "pushes ended")
    }.value
    return try result.get()
  }

  /// Pushes one number under the instance of a test to each gateway, and deletes it.
  package func test(_ format: OutputFormat) async throws(LedgerError) -> ExitCode {
    let time = reader.now()
    var pushes: [GatewayPush] = []
    for address in addresses.map(\.forTest) {
      let push = PushRequest.push(
        PushRequest.testBody, to: address, by: .replace, as: credentials, timeout: timeout)
      var result = GatewayPush(address)
      result.method = .replace
      result.failure = await transport.failure(of: push, hasCredentials: credentials != nil)
      if result.failure == nil {
        result.failure = await transport.failure(
          of: PushRequest.delete(address, as: credentials, timeout: timeout),
          hasCredentials: credentials != nil)
      }
      pushes.append(result)
    }
    let report = PushReport(pushes, at: time, isTest: true)
    try report.print(format)
    return report.exitCode
  }

  /// One push to all gateways at once, reported in the log and to the person.
  package func push(within limit: Duration? = nil) async -> PushReport {
    if file.load().isDamaged {
      StandardStreams.remark("note: \(file.path) is damaged; a new one begins")
    }
    let time = reader.now()
    let end = limit.map { ContinuousClock.now + $0 }
    let pushes = addresses.map { address in
      Task {
        await Result.of { () async throws(LedgerError) in try await push(to: address, until: end) }
      }
    }
    var report = PushReport([], at: time)
    for push in pushes {
      let result = await withTaskCancellationHandler {
        await push.value
      } onCancel: {
        for push in pushes { push.cancel() }
      }
      switch result {
      case .success(let push): report.pushes.append(push)
      case .failure(let error): report.error = report.error ?? error
      }
    }
    await recorder.took(report)
    return report
  }

  /// The attempts of one push to one gateway, each with values that are read then.
  private func push(
    to address: GatewayAddress, until end: ContinuousClock.Instant?
  ) async throws(LedgerError) -> GatewayPush {
    try await file.alone(with: address) { () async throws(LedgerError) in
      let memory = file.load().memory
      var details = memory.stores[reader.opened.name]?.details ?? []
      // As it was: attempts of one push are one push.
      let before = memory.record(of: address) ?? PushRecord(address, at: 0)
      var result = GatewayPush(address, failuresBefore: before.failures)
      var record = before
      var attempts = 0
      while true {
        let values = try await reader.read(&details)
        result.values = values
        // What was pushed before and is gone is taken away, even if there is nothing else.
        guard !values.families.isEmpty || !record.families.isEmpty else { break }
        let method = PushRequest.Method(pushing: values.names, after: record, replaces: replaces)
        let rest = end.map { max(.seconds(1), $0 - ContinuousClock.now) } ?? timeout
        let failure = await transport.failure(
          of: PushRequest.push(
            values.body, to: address, by: method, as: credentials, timeout: min(timeout, rest)),
          hasCredentials: credentials != nil)
        // A cancelled push is not the gateway's failure.
        if failure != nil, Task.isCancelled {
          result.method = nil
          break
        }
        attempts += 1
        (result.method, result.failure) = (method, failure)
        record = before
        record.take(failure, of: values, at: reader.now().secondsSince1970)
        guard let wait = failure?.wait(after: attempts),
          end.map({ ContinuousClock.now + .seconds(wait) < $0 }) ?? true
        else { break }
        await sleep(.seconds(wait))
        if Task.isCancelled { break }
      }
      var kept = PushMemory.Kept()
      (kept.details, kept.usedAt) = (details, reader.now().secondsSince1970)
      let (found, last) = (kept, record)
      try await file.update { memory in
        if result.method != nil { memory.keep(last, of: address) }
        memory.keep(found, ofStore: reader.opened.name)
      }
      return result
    }
  }
}

extension PushRun {
  /// A push as options and settings say.
  ///
  /// - Parameter streams: what a hub has read of its streams.
  package init(
    _ settings: Settings, _ options: PushOptions, _ opened: OpenedStore, timeout: Duration,
    replaces: Bool = false, output: Output = .report(.text), streams: DayCache? = nil
  ) async throws(LedgerError) {
    reader = PushReader(
      opened: opened, settings: settings, selection: try options.selection(settings.store),
      hasDateLabel: options.dateLabel, streams: streams, now: LedgerEnvironment.system.now)
    addresses = try options.addresses(settings.store)
    credentials = try await GatewayPassword(
      settings.store, user: options.user, file: options.passwordFile, tokenFile: options.tokenFile
    ).credentials()
    transport = CurlTransport(settings.store)
    (self.timeout, self.replaces, self.output) = (timeout, replaces, output)
    (file, recorder) = (PushFile(settings.store), EventRecorder(settings.store))
    sleep = { try? await Task.sleep(for: $0) }
  }
}

struct GatewayPush: Sendable {
  let address: GatewayAddress
  /// How many pushes had failed in a row before this one.
  let failuresBefore: Int
  /// Nil if no request was made, because there was nothing to push.
  var method: PushRequest.Method?
  var failure: PushFailure?
  /// Of the last attempt.
  var values: PushedValues?

  var metrics: Int { values?.families.count ?? 0 }
  var samples: Int { values?.sampleCount ?? 0 }
  /// How many of these are not of today.
  var cached: Int { values?.cached ?? 0 }
  var bytes: Int { values?.body.count ?? 0 }

  init(_ address: GatewayAddress, failuresBefore: Int = 0) {
    (self.address, self.failuresBefore) = (address, failuresBefore)
  }
}

extension HTTPTransport {
  /// Why a request to a gateway did not do what it was to do; nil if it did.
  func failure(
    of request: HTTPRequest, hasCredentials: Bool
  ) async -> PushFailure? {
    do throws(HTTPError) {
      return PushFailure(try await send(request), hasCredentials: hasCredentials)
    } catch {
      return PushFailure(error, isPlain: request.url.hasPrefix("http:"))
    }
  }
}

/// Reports when somebody has published today or yesterday: the watch, the hub, or a collector of another
/// machine (R57).
package struct StoreNews: Sendable {
  /// The newest revisions; nil if they can't be read now, which the next push reports.
  let newest: @Sendable () async -> [RevisionID]?
  /// Returns once there is news since then, or the task is cancelled.
  let wait: @Sendable (_ known: [RevisionID]?) async -> Void

  /// Never any news.
  static let none = StoreNews(waiting: { try? await Task.sleep(for: .seconds(3600)) })

  /// News that somebody else waits for.
  package init(waiting wait: @escaping @Sendable () async -> Void) {
    (newest, self.wait) = ({ nil }, { _ in await wait() })
  }

  /// News that the store has.
  package init(_ reader: PushReader) {
    let opened = reader.opened
    let newest: @Sendable () async -> [RevisionID]? = {
      do {
        let today = try reader.settings.zone.date(at: reader.now())
        let range = try DateRange(from: today.adding(days: -1) ?? today, to: today)
        return try await opened.run { ledger async throws(LedgerError) in
          var found: [RevisionID] = []
          try await ledger.resolve(range) { resolution async throws(LedgerError) in
            if let latest = resolution.latest { found.append(latest.id) }
          }
          return found
        }
      } catch {
        return nil
      }
    }
    let pause: Duration =
      opened.hasPricedRequests
      ? .seconds(30) : opened.backend == .folder ? .seconds(2) : .seconds(10)
    self.newest = newest
    wait = { known in
      var known = known
      while !Task.isCancelled {
        try? await Task.sleep(for: pause)
        guard let found = await newest() else { continue }
        if let known, known != found { return }
        known = found
      }
    }
  }
}
