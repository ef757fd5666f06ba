import ArgumentParser
import CommandLineKit
import CurlTransport
import HTTPClient
import HealthExports
import HealthLedger
import HealthModel

/// Pushes once or again and again, and reports each push (R57).
struct PushRun {
  let reader: PushReader
  let addresses: [GatewayAddress]
  let credentials: GatewayCredentials?
  let transport: HTTPTransport
  let timeout: Duration
  /// Whether each push replaces the group (PUT).
  let replaces: Bool
  let file: PushFile
  let chronicle: Chronicle
  let format: OutputFormat
  /// What the store has of today, between pushes.
  var news = StoreNews.none
  /// Waits between attempts and pushes; another one in tests. Returns early if it is cancelled.
  let sleep: @Sendable (Duration) async -> Void

  /// One push.
  ///
  /// - Parameter limit: attempts end by then, so that a gateway that hangs does not hold up the next
  ///   push to the others; nil for no limit but their number.
  func once(within limit: Duration? = nil) async throws(LedgerError) -> ExitCode {
    let report = try await push(within: limit)
    try report.print(format)
    return report.exitCode
  }

  /// Pushes until the task is cancelled, at the interval and when there is news. The start of a push,
  /// not its end, determines the next.
  func loop(every interval: Int) async throws(LedgerError) -> ExitCode {
    await chronicle.service(.push, hasStarted: true, at: reader.now(), "pushes started")
    var result = Result<ExitCode, LedgerError>.success(.success)
    while !Task.isCancelled {
      let start = ContinuousClock.now
      let known = await news.newest()
      do throws(LedgerError) { _ = try await once(within: .seconds(interval)) } catch {
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
          group.addTask { await news.wait(after: known) }
          await group.next()
          group.cancelAll()
        }
      }
    }
    // A task that was cancelled could run no command to notify the person.
    let (chronicle, now) = (chronicle, reader.now)
    await Task.detached {
      await chronicle.service(.push, hasStarted: false, at: now(), "pushes ended")
    }.value
    return try result.get()
  }

  /// One push to all gateways at once, reported in the log and to the person.
  func push(within limit: Duration? = nil) async throws(LedgerError) -> PushReport {
    if file.load().isDamaged {
      StandardStreams.remark("note: \(file.path) is damaged; a new one begins")
    }
    var report = PushReport(addresses, at: reader.now())
    let end = limit.map { ContinuousClock.now + $0 }
    let results = await withTaskGroup(of: Numbered.self) { group in
      for (number, address) in addresses.enumerated() {
        group.addTask { Numbered(number: number, result: await result(of: address, until: end)) }
      }
      var results: [Numbered] = []
      for await result in group { results.append(result) }
      return results.sorted { $0.number < $1.number }
    }
    do throws(LedgerError) {
      for one in results { report.take(try one.result.get(), of: one.number) }
    } catch {
      await chronicle.pushFailed(error, at: reader.now())
      throw error
    }
    await chronicle.took(report)
    return report
  }

  /// What became of the push to the gateway with this number.
  private struct Numbered: Sendable {
    let number: Int
    let result: Result<GatewayPush, LedgerError>
  }

  private func result(
    of address: GatewayAddress, until end: ContinuousClock.Instant?
  ) async -> Result<GatewayPush, LedgerError> {
    do throws(LedgerError) {
      return .success(try await push(to: address, until: end))
    } catch {
      return .failure(error)
    }
  }

  /// The attempts of one push to one gateway, each with values that are read then.
  private func push(
    to address: GatewayAddress, until end: ContinuousClock.Instant?
  ) async throws(LedgerError) -> GatewayPush {
    try await file.alone(with: address) { () async throws(LedgerError) in
      let memory = file.load().memory
      var kept = memory.stores[reader.opened.name] ?? PushMemory.Kept()
      // As it was: attempts of one push are one push.
      let before = memory.record(of: address) ?? PushRecord(address, at: 0)
      var result = GatewayPush(failuresBefore: before.failures)
      var record = before
      var machine = PushMachine()
      attempts: while true {
        switch machine.next() {
        case .finish: break attempts
        case .wait(let seconds):
          if let end, ContinuousClock.now + .seconds(seconds) >= end { break attempts }
          await sleep(.seconds(seconds))
          if Task.isCancelled { break attempts }
        case .push:
          let values = try await reader.read(&kept)
          result.values = values
          // What was pushed before and is gone is taken away, even if there is nothing else.
          guard !values.families.isEmpty || !record.families.isEmpty else { break attempts }
          let method = PushRequest.Method(
            pushing: values.names, after: record.families, replaces: replaces)
          let rest = end.map { max(.seconds(1), $0 - ContinuousClock.now) } ?? timeout
          let failure = await transport.failure(
            of: PushRequest.push(
              values.body, to: address, by: method, as: credentials, timeout: min(timeout, rest)),
            hasCredentials: credentials != nil)
          machine.take(failure)
          (result.method, result.failure) = (method, failure)
          record = before
          record.take(failure, of: values, at: reader.now().secondsSince1970)
        }
      }
      let (found, last) = (kept, record)
      try await file.update { memory in
        if result.method != nil { memory.keep(last, of: address) }
        memory.keep(found, ofStore: reader.opened.name)
      }
      return result
    }
  }

  /// Pushes one number under the instance of a test to each gateway, and deletes it.
  func test() async throws(LedgerError) -> ExitCode {
    var report = PushReport(addresses.map(\.forTest), at: reader.now(), isTest: true)
    for (number, address) in addresses.map(\.forTest).enumerated() {
      let push = PushRequest.push(
        PushRequest.testBody, to: address, by: .replace, as: credentials, timeout: timeout)
      var result = GatewayPush(failuresBefore: 0)
      result.method = .replace
      result.failure = await transport.failure(of: push, hasCredentials: credentials != nil)
      if result.failure == nil {
        result.failure = await transport.failure(
          of: PushRequest.delete(address, as: credentials, timeout: timeout),
          hasCredentials: credentials != nil)
      }
      report.take(result, of: number)
    }
    try report.print(format)
    return report.exitCode
  }
}

/// What became of a push to one gateway.
struct GatewayPush: Sendable {
  /// How many pushes had failed in a row before this one.
  let failuresBefore: Int
  /// Nil if no request was made, because there was nothing to push.
  var method: PushRequest.Method?
  var failure: PushFailure?
  /// Of the last attempt.
  var values: PushedValues?
}

extension HTTPTransport {
  /// Why a request to a gateway did not do what it was to do; nil if it did.
  fileprivate func failure(
    of request: HTTPRequest, hasCredentials: Bool
  ) async -> PushFailure? {
    do throws(HTTPError) {
      return PushFailure(try await send(request), hasCredentials: hasCredentials)
    } catch {
      return PushFailure(error, isPlain: request.url.hasPrefix("http:"))
    }
  }
}
