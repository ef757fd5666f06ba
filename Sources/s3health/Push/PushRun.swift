import ArgumentParser
import CommandLineKit
import HTTPMessage
import HTTPTransport
import HealthLedger
import HealthModel
import MetricsPush
import StoreAccess

/// Pushes once or again and again, and reports each push (R57).
struct PushRun {
  let reader: PushReader
  let addresses: [GatewayAddress]
  let credentials: BasicCredentials?
  let transport: HTTPTransport
  let timeout: Duration
  /// Whether each push replaces the group (PUT).
  let replaces: Bool
  let file: PushFile
  let chronicle: Chronicle
  let format: OutputFormat
  /// Waits between attempts and pushes; another one in tests. Returns early if it is cancelled.
  let sleep: @Sendable (Duration) async -> Void

  /// One push.
  func once() async throws(LedgerError) -> ExitCode {
    do throws(LedgerError) {
      let report = try await file.alone { () async throws(LedgerError) in try await push() }
      await chronicle.took(report)
      try report.print(format)
      return report.exitCode
    } catch {
      await chronicle.pushFailed(error, at: reader.now())
      throw error
    }
  }

  /// Pushes until the task is cancelled. The start of a push, not its end, determines the next.
  func loop(every interval: Int) async throws(LedgerError) -> ExitCode {
    await chronicle.push(hasStarted: true, at: reader.now())
    var result = Result<ExitCode, LedgerError>.success(.success)
    while !Task.isCancelled {
      let start = ContinuousClock.now
      do throws(LedgerError) { _ = try await once() } catch {
        guard error.code != .invalidArguments else {
          result = .failure(error)
          break
        }
        StandardStreams.say(error)
      }
      let wait = Duration.seconds(interval) - (ContinuousClock.now - start)
      if !Task.isCancelled, wait > .zero { await sleep(wait) }
    }
    // A task that was cancelled could run no command to notify the person.
    let (chronicle, now) = (chronicle, reader.now)
    await Task.detached { await chronicle.push(hasStarted: false, at: now()) }.value
    return try result.get()
  }

  /// The attempts of one push, each with values that are read then.
  private func push() async throws(LedgerError) -> PushReport {
    var (memory, isDamaged) = file.load()
    if isDamaged { StandardStreams.remark("note: \(file.path) is damaged and starts anew") }
    var kept = memory.stores[reader.opened.name] ?? PushMemory.Kept()
    var report = PushReport(addresses, at: reader.now())
    var machine = PushMachine(gateways: addresses.count)
    // As they were: attempts of one push are one push.
    let before = addresses.map { memory.record(of: $0) ?? PushRecord($0, at: 0) }
    attempts: while true {
      switch machine.next() {
      case .finish: break attempts
      case .wait(let seconds):
        await sleep(.seconds(seconds))
        if Task.isCancelled { break attempts }
      case .push(let numbers):
        let values = try await reader.read(&kept)
        report.read(values)
        guard !values.families.isEmpty else { break attempts }
        let jobs = numbers.map { number in
          let address = addresses[number]
          let method = PushRequest.Method(
            pushing: values.names, after: memory.record(of: address)?.families ?? [],
            replaces: replaces)
          return (number, address, method)
        }
        let body = values.body
        for (number, method, failure) in await send(body, jobs) {
          machine.take(failure, of: number)
          let address = addresses[number]
          report.take(failure, of: number, by: method, failuresBefore: before[number].failures)
          var record = before[number]
          record.take(failure, of: values, at: reader.now().secondsSince1970)
          memory.keep(record, of: address)
        }
      }
    }
    memory.keep(kept, ofStore: reader.opened.name)
    try file.save(memory)
    return report
  }

  /// Pushes to several gateways at once: a slow one does not hold up the others.
  private func send(
    _ body: [UInt8], _ jobs: [(Int, GatewayAddress, PushRequest.Method)]
  ) async -> [(Int, PushRequest.Method, PushFailure?)] {
    let (transport, credentials, timeout) = (transport, credentials, timeout)
    return await withTaskGroup(of: (Int, PushRequest.Method, PushFailure?).self) { group in
      for (number, address, method) in jobs {
        group.addTask {
          let request = PushRequest.push(
            body, to: address, by: method, as: credentials, timeout: timeout)
          return (number, method, await transport.failure(of: request))
        }
      }
      return await group.reduce(into: []) { $0.append($1) }.sorted { $0.0 < $1.0 }
    }
  }

  /// Pushes one number under the instance of a test to each gateway, and deletes it (PR-20).
  func test() async throws(LedgerError) -> ExitCode {
    var report = PushReport(addresses.map(\.forTest), at: reader.now(), isTest: true)
    for (number, address) in addresses.map(\.forTest).enumerated() {
      let push = PushRequest.push(
        PushRequest.testBody, to: address, by: .replace, as: credentials, timeout: timeout)
      var failure = await transport.failure(of: push)
      if failure == nil {
        failure = await transport.failure(
          of: PushRequest.delete(address, as: credentials, timeout: timeout))
      }
      report.take(failure, of: number, by: .replace, failuresBefore: 0)
    }
    try report.print(format)
    return report.exitCode
  }
}

extension HTTPTransport {
  /// Why a request to a gateway did not do what it was to do; nil if it did.
  fileprivate func failure(of request: HTTPRequest) async -> PushFailure? {
    do throws(HTTPError) {
      return PushFailure(try await send(request))
    } catch {
      return PushFailure(error)
    }
  }
}
