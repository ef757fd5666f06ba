import Foundation
import HTTPClient
import ObjectStore
import Synchronization

/// Runs a probe on a bucket, with its own scratch objects, which it removes afterwards.
struct ProbeRun: Sendable {
  let client: S3Client
  let encryption: S3Configuration.ServerSideEncryption
  /// Reads, lists and races, over connections of its own.
  let second: S3Client
  /// The prefix of the scratch keys.
  let folder: String
  private let state = ProbeScratch()

  init(
    client: S3Client, second: S3Client, encryption: S3Configuration.ServerSideEncryption,
    prefix: String
  ) {
    self.client = client
    self.second = second
    self.encryption = encryption
    folder = Self.newFolder(below: prefix)
  }

  /// The prefix of scratch keys that nobody else uses.
  static func newFolder(below prefix: String) -> String {
    "\(prefix)/\(String(UInt64.random(in: 0 ... .max), radix: 16, uppercase: true))"
  }

  /// How often, and how long, the removal of a scratch object is tried.
  static let removal = RetryPolicy(maximumAttempts: 2, deadline: .seconds(10))

  /// The report. It never throws, because a failure is a verdict too.
  func report(racing race: ConditionalWriteProbe.Race?) async -> ProbeReport {
    var probe = ConditionalWriteProbe(race: race)
    var action = probe.begin()
    // The first request closes the connection that the store may have kept open. A server that handles
    // one at a time would answer over no other.
    if case .read(let slot) = action { action = probe.next(await read(slot, over: client)) }
    while action != .finish { action = probe.next(await answer(action)) }
    var steps = probe.steps
    var keepsChecksums = false
    if case .compareAndSwap(let spelling) = probe.verdict {
      keepsChecksums = await keepsChecksum(.matches(probe.currentETag, spelling))
      steps.append(
        ProbeStep(
          name: "keep the SHA-256 beside an object", expected: "kept, or left out",
          seen: keepsChecksums ? "kept" : "left out", outcome: .passed))
    }
    let cleaning = await cleanUp()
    return ProbeReport(
      steps: steps + (cleaning.map { [$0] } ?? []),
      verdict: probe.verdict
        ?? .unknown(StoreError(.internal, "the probe ended without a verdict")),
      isVersioned: state.isVersioned, isRaced: race != nil, keepsChecksums: keepsChecksums,
      left: cleaning?.outcome == .unclear ? [folder] : [])
  }

  /// Whether the bucket keeps the checksum of a write and answers with it. Any other answer means that
  /// it is not sent to it again.
  private func keepsChecksum(_ condition: ConditionalWriteProbe.Condition) async -> Bool {
    let body = body(Self.checkedBody)
    var write = request(.main, Self.checkedBody, condition)
    write.headers.append((S3Request.checksum, S3Request.checksum(of: body)))
    var read = S3Request(method: .get, key: key(.main), verb: "reading")
    read.headers = [("x-amz-checksum-mode", "ENABLED")]
    read.closesConnection = true
    guard let written = try? await client.perform(write), case .success = written.result,
      let found = try? await second.perform(read), case .success(let response) = found.result
    else { return false }
    return response.body == body
      && response.header(S3Request.checksum) == S3Request.checksum(of: body)
  }

  /// No other step of a probe has this body.
  private static let checkedBody = 7

  private func answer(_ action: ConditionalWriteProbe.Action) async -> ConditionalWriteProbe.Answer
  {
    switch action {
    case .put(let slot, let number, let condition):
      return await put(slot, number, condition)
    case .read(let slot): return await read(slot)
    case .list: return await list()
    case .race(let heats, let writers): return await race(heats, writers)
    case .finish: return .nothing
    }
  }

  /// Sends a write until it has a clear answer. No two writes of a probe have the same bytes, so
  /// reading shows what became of one whose answer is unclear, and it can be sent again.
  private func put(
    _ slot: ConditionalWriteProbe.Slot, _ number: Int, _ condition: ConditionalWriteProbe.Condition
  ) async -> ConditionalWriteProbe.Answer {
    let began = ContinuousClock.now
    var (sends, conflicts) = (0, 0)
    while true {
      let sent = await send(slot, number, condition)
      sends += 1
      // If an earlier send got no answer, a refusal may be a consequence of that send.
      guard sent.isUnclear || (sends > 1 && sent.answer.isRefusal) else { return sent.answer }
      let stored = await read(slot)
      switch stored {
      case .found(number, let etag): return .stored(etag)
      case .failed: return stored
      default: break
      }
      var underWay: StoreError?
      if let conflict = sent.conflict {
        if case .nothing = stored, condition == .absent {
          // This is not a failed condition: another change is in progress, and will end.
          underWay = conflict
        } else {
          conflicts += 1
          if conflicts == Self.maximumConflicts { return .refused }
        }
      }
      guard sent.isUnclear else { return sent.answer }
      do throws(StoreError) {
        guard
          try await client.waits(
            request(slot, number, condition), afterAttempt: sends, since: began)
        else { return underWay.map { .failed($0) } ?? sent.answer }
      } catch {
        return .failed(error)
      }
    }
  }

  /// How often a conflict (409) must be the answer until it counts. It can mean a refusal, or that
  /// another change of the object or bucket is under way.
  private static let maximumConflicts = 3

  /// The answer to one send, and what it leaves open.
  private struct Sent {
    var answer: ConditionalWriteProbe.Answer
    /// True if sending it again may get another answer.
    var isUnclear = false
    /// The error of a 409.
    var conflict: StoreError?
  }

  private func request(
    _ slot: ConditionalWriteProbe.Slot, _ number: Int, _ condition: ConditionalWriteProbe.Condition,
    at gate: SendGate? = nil
  ) -> S3Request {
    let header: (name: String, value: String)?
    switch condition {
    case .absent: header = ("if-none-match", "*")
    case .matches(let etag, let spelling): header = ("if-match", spelling.header(for: etag))
    case .none: header = nil
    }
    var request = S3Request.write(
      key(slot), body(number), condition: header, encryption: encryption, gate: gate)
    request.closesConnection = true
    return request
  }

  private func send(
    _ slot: ConditionalWriteProbe.Slot, _ number: Int, _ condition: ConditionalWriteProbe.Condition,
    at gate: SendGate? = nil
  ) async -> Sent {
    let answer: S3Answer
    do {
      answer = try await (gate == nil ? client : second).perform(
        request(slot, number, condition, at: gate))
    } catch {
      return Sent(answer: .failed(error))
    }
    do {
      switch try answer.putOutcome {
      case .stored(let etag):
        state.wrote(key(slot), isVersioned: answer.isVersioned)
        return Sent(answer: .stored(etag))
      case .preconditionFailed:
        let conflict = answer.conflict
        return Sent(answer: .refused, isUnclear: conflict != nil, conflict: conflict)
      case .unknown(let error):
        state.wrote(key(slot), isVersioned: false)
        let isUnclear = answer.isBrokenConnection || answer.isTransientRefusal
        return Sent(answer: .failed(error), isUnclear: isUnclear)
      }
    } catch {
      return Sent(answer: answer.isNotTaken ? .notTaken(error) : .failed(error))
    }
  }

  /// - Parameter client: nil for the second one.
  private func read(
    _ slot: ConditionalWriteProbe.Slot, over client: S3Client? = nil
  ) async -> ConditionalWriteProbe.Answer {
    do {
      let client = client ?? second
      guard let object = try await client.read(key(slot), limit: 4096, closing: true)
      else { return .nothing }
      let text = String(decoding: object.body, as: UTF8.self)
      guard text.hasPrefix(preamble), let number = Int(text.dropFirst(preamble.count)) else {
        return .failed(altered(slot))
      }
      return .found(body: number, object.etag)
    } catch {
      return .failed(error.code == .tooLarge ? altered(slot) : error)
    }
  }

  /// Nobody else writes below the probe's folder, so other bytes than the probe's are not what is stored.
  /// A day that was read so would be another one, or none.
  private func altered(_ slot: ConditionalWriteProbe.Slot) -> StoreError {
    StoreError(
      .unavailable, "reading gives other bytes than were written", key: key(slot),
      remedy: """
        reach the store without what changes answers on the way (a proxy that compresses or rewrites \
        them), or use another store
        """)
  }

  private func list() async -> ConditionalWriteProbe.Answer {
    do {
      let page = try await second.list(ListRequest(prefix: folder + "/"), closing: true)
      return .listed(isShown: page.entries.contains { $0.key == key(.main) })
    } catch {
      return .failed(error)
    }
  }

  private func race(
    _ heats: [ConditionalWriteProbe.Heat], _ writers: Int
  ) async -> ConditionalWriteProbe.Answer {
    let gate = SendGate(requests: heats.count * writers)
    var lanes = heats.map {
      ConditionalWriteProbe.Lane(winners: [], unclear: 0, before: $0.before)
    }
    await withTaskGroup(of: (Int, Int, Sent).self) { group in
      for (lane, heat) in heats.enumerated() {
        for _ in 0..<writers {
          let number = state.nextBody()
          group.addTask {
            (lane, number, await send(heat.slot, number, heat.condition, at: gate))
          }
        }
      }
      for await (lane, number, sent) in group {
        switch sent.answer {
        case .stored: lanes[lane].winners.append(number)
        case .refused: if sent.conflict != nil { lanes[lane].conflicts += 1 }
        default: lanes[lane].unclear += 1
        }
      }
    }
    let found = await withTaskGroup(of: (Int, ConditionalWriteProbe.Answer).self) { group in
      for (lane, heat) in heats.enumerated() {
        group.addTask {
          let answer = await read(heat.slot)
          return (lane, answer)
        }
      }
      var found: [(Int, ConditionalWriteProbe.Answer)] = []
      for await one in group { found.append(one) }
      return found
    }
    for (lane, answer) in found {
      switch answer {
      case .found(let body, let etag): (lanes[lane].stored, lanes[lane].etag) = (body, etag)
      case .nothing: break
      default: return answer
      }
    }
    return .raced(heats, lanes, met: gate.met)
  }

  /// Runs after failures and cancellation as well. Nil if nothing was written.
  private func cleanUp() async -> ProbeStep? {
    let (keys, client) = (state.keys.sorted(), client)
    guard !keys.isEmpty else { return nil }
    return await Task.detached {
      let problems = await withTaskGroup(of: (key: String, problem: String)?.self) { group in
        for key in keys {
          group.addTask {
            do throws(StoreError) {
              try await client.delete(key, policy: Self.removal, closing: true)
              return nil
            } catch {
              return (key, error.description)
            }
          }
        }
        var problems: [(key: String, problem: String)] = []
        for await problem in group.compactMap({ $0 }) { problems.append(problem) }
        return problems
      }
      let left = problems.map(\.key).sorted()
      let problem = problems.last?.problem ?? ""
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
    case .raced(let round, let lane): "\(folder)/race-\(round)-\(lane)"
    }
  }

  private var preamble: String { "s3health probe \(folder) " }
  private func body(_ number: Int) -> [UInt8] { Array("\(preamble)\(number)".utf8) }
}

/// What a probe has written and must remove.
private final class ProbeScratch: Sendable {
  private let state = Mutex<(keys: Set<String>, isVersioned: Bool, body: Int)>(([], false, 100))

  func wrote(_ key: String, isVersioned: Bool) {
    state.withLock {
      $0.keys.insert(key)
      $0.isVersioned = $0.isVersioned || isVersioned
    }
  }

  /// A number that no other body of a race has.
  func nextBody() -> Int {
    state.withLock { state in
      state.body += 1
      return state.body
    }
  }

  var keys: Set<String> { state.withLock(\.keys) }
  var isVersioned: Bool { state.withLock(\.isVersioned) }
}
