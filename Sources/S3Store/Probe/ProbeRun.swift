import Foundation
import ObjectStore
import Synchronization

/// Runs a probe on a bucket, with its own scratch objects, which it removes afterwards.
struct ProbeRun: Sendable {
  let client: S3Client
  let encryption: S3Configuration.ServerSideEncryption
  /// Reads and lists. It may be a client with other connections.
  let reader: S3Client
  /// The prefix of the scratch keys.
  let folder: String
  private let state = ProbeScratch()

  init(
    client: S3Client, reader: S3Client, encryption: S3Configuration.ServerSideEncryption,
    prefix: String
  ) {
    self.client = client
    self.reader = reader
    self.encryption = encryption
    folder = "\(prefix)/\(String(UInt64.random(in: 0 ... .max), radix: 16, uppercase: true))"
  }

  /// The report. It never throws, because a failure is a verdict too.
  func report(racing race: ConditionalWriteProbe.Race?) async -> ProbeReport {
    var probe = ConditionalWriteProbe(race: race)
    var action = probe.begin()
    while action != .finish { action = probe.next(await answer(action)) }
    let cleaning = await cleanUp()
    return ProbeReport(
      steps: probe.steps + (cleaning.map { [$0] } ?? []),
      verdict: probe.verdict ?? .unknown(StoreError(.internal, "the probe came to no verdict")),
      isVersioned: state.isVersioned, isRaced: race != nil,
      hasCleanedUp: cleaning?.outcome != .unclear)
  }

  private func answer(_ action: ConditionalWriteProbe.Action) async -> ConditionalWriteProbe.Answer
  {
    switch action {
    case .put(let slot, let number, let condition):
      return await put(slot, number, condition)
    case .read(let slot): return await read(slot)
    case .list: return await list()
    case .race(let slot, let firstBody, let count, let condition):
      return await race(slot, firstBody..<firstBody + count, condition)
    case .finish: return .nothing
    }
  }

  private func put(
    _ slot: ConditionalWriteProbe.Slot, _ number: Int, _ condition: ConditionalWriteProbe.Condition
  ) async -> ConditionalWriteProbe.Answer {
    var sends = 1
    while true {
      let sent = await send(slot, number, condition)
      // If an earlier send got no answer, a refusal may be a consequence of that send.
      let mayBeOurs = sent.isBroken || (sends > 1 && sent.answer.isRefusal)
      guard mayBeOurs else { return sent.answer }
      switch await read(slot) {
      case .found(number, let etag): return .stored(etag)
      case .failed(let error): return .failed(error)
      default: break
      }
      guard sent.isBroken, sends < Self.maximumSends else { return sent.answer }
      sends += 1
    }
  }

  /// How often one write of the probe is sent. No two of its writes have the same bytes, so reading
  /// shows what became of a write whose connection broke, and it can be sent again.
  private static let maximumSends = 3

  /// One send. `isBroken` means that the connection ended without an answer.
  private func send(
    _ slot: ConditionalWriteProbe.Slot, _ number: Int, _ condition: ConditionalWriteProbe.Condition
  ) async -> (answer: ConditionalWriteProbe.Answer, isBroken: Bool) {
    let key = key(slot)
    let header: (name: String, value: String)
    switch condition {
    case .absent: header = ("if-none-match", "*")
    case .matches(let etag, let spelling): header = ("if-match", spelling.spell(etag))
    }
    do {
      let answer = try await client.perform(
        .write(key, body(number), condition: header, encryption: encryption))
      let outcome = try answer.putOutcome
      switch outcome {
      case .stored(let etag):
        state.wrote(key, isVersioned: answer.isVersioned)
        return (.stored(etag), false)
      case .preconditionFailed: return (.refused, false)
      case .unknown(let error):
        state.wrote(key, isVersioned: false)
        return (.failed(error), answer.isBrokenConnection)
      }
    } catch {
      return (error.code == .unsupported ? .notImplemented(error) : .failed(error), false)
    }
  }

  private func read(_ slot: ConditionalWriteProbe.Slot) async -> ConditionalWriteProbe.Answer {
    do {
      guard let object = try await reader.read(key(slot), limit: 4096) else { return .nothing }
      let text = String(decoding: object.body, as: UTF8.self)
      guard text.hasPrefix(preamble), let number = Int(text.dropFirst(preamble.count)) else {
        return .found(body: -1, object.etag)
      }
      return .found(body: number, object.etag)
    } catch {
      return error.code == .tooLarge ? .found(body: -1, ETag("")) : .failed(error)
    }
  }

  private func list() async -> ConditionalWriteProbe.Answer {
    do {
      let page = try await reader.list(ListRequest(prefix: folder + "/"))
      return .listed(isShown: page.entries.contains { $0.key == key(.main) })
    } catch {
      return .failed(error)
    }
  }

  private func race(
    _ slot: ConditionalWriteProbe.Slot, _ bodies: Range<Int>,
    _ condition: ConditionalWriteProbe.Condition
  ) async -> ConditionalWriteProbe.Answer {
    await withTaskGroup(of: (Int, ConditionalWriteProbe.Answer).self) { group in
      for number in bodies {
        group.addTask { (number, await send(slot, number, condition).answer) }
      }
      var winners: [Int] = []
      var unclear = 0
      for await (number, answer) in group {
        switch answer {
        case .stored: winners.append(number)
        case .refused: break
        default: unclear += 1
        }
      }
      return .raced(winners: winners.sorted(), unclear: unclear)
    }
  }

  /// Runs after failures and cancellation as well. Nil if nothing was written.
  private func cleanUp() async -> ProbeStep? {
    let (keys, client) = (state.keys.sorted(), client)
    guard !keys.isEmpty else { return nil }
    return await Task.detached {
      let policy = RetryPolicy(maximumAttempts: 2, deadline: .seconds(10))
      var left: [String] = []
      var problem = ""
      for key in keys {
        do throws(StoreError) {
          try await client.delete(key, policy: policy)
        } catch {
          left.append(key)
          problem = error.description
        }
      }
      return ProbeStep(
        name: "remove the scratch objects", expected: "removed",
        seen: left.isEmpty ? "removed" : "\(left.joined(separator: ", ")) left behind: \(problem)",
        outcome: left.isEmpty ? .passed : .unclear)
    }.value
  }

  private func key(_ slot: ConditionalWriteProbe.Slot) -> String {
    switch slot {
    case .main: "\(folder)/main"
    case .missing: "\(folder)/missing"
    case .raced(let round): "\(folder)/race-\(round)"
    }
  }

  private var preamble: String { "s3health probe \(folder) " }
  private func body(_ number: Int) -> [UInt8] { Array("\(preamble)\(number)".utf8) }
}

/// What a probe has written and must remove.
private final class ProbeScratch: Sendable {
  private let state = Mutex<(keys: Set<String>, isVersioned: Bool)>(([], false))

  func wrote(_ key: String, isVersioned: Bool) {
    state.withLock {
      $0.keys.insert(key)
      $0.isVersioned = $0.isVersioned || isVersioned
    }
  }

  var keys: Set<String> { state.withLock(\.keys) }
  var isVersioned: Bool { state.withLock(\.isVersioned) }
}
